import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { canonicalText } from './canonical.ts'
import { scoreInputs } from './score.arbitraries.ts'
import { composeScore } from './score.ts'

test('is the canonical JSON of the general serializer, for inputs and results', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      expect(canonicalText(input)).toBe(canonicalJson(input))
      const result = composeScore(input)
      expect(canonicalText(result)).toBe(canonicalJson(result))
    }),
  )
})

test('is the canonical JSON of the general serializer, for any names, texts and numbers', () => {
  const values = fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter((name) => !/^\d+$/.test(name) && name !== '__proto__'),
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'grapheme' }),
      fc.constant(null),
      fc.boolean(),
    ),
  )
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalText({ value })).toBe(canonicalJson({ value }))
    }),
  )
})
