/** Values in unusual spellings: a stream finds what the whole text holds, wherever it is cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInspectStream } from './inspect.ts'

const values = [
  ...['\t', '\n', '\u00ad', '\u200b', '\u2060'].map((gap) => ['4111', '1111', '1111', '1111'].join(gap)),
  ...['%40', '&#64;', '&#x40;', '\\u0040', '\uff20', '&commat;'].map((at) => `jane.doe${at}example.com`),
  'ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ',
]

function hidden(pieces: readonly string[]): string {
  const stream = createInspectStream({ detectors: ['pii'], types: ['EMAIL', 'CREDIT_CARD'], onMatch: () => 'redact' })
  return pieces.map((piece) => stream.push(piece).text).join('') + stream.end().text
}

test.each(values)('%j is hidden', (value) => {
  expect(hidden([...`My card or mail: ${value} is new`])).not.toContain(value)
})

test('however the text is cut', () => {
  const word = fc.constantFrom(...values, 'card', 'and', '12', '\n', ', ', '1985', 'mail me')
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(text, fc.array(fc.nat(160), { maxLength: 8 }), (whole, places) => {
      const cuts = [...new Set([0, ...places.filter((at) => at < whole.length), whole.length])].sort((a, b) => a - b)
      expect(hidden(cuts.slice(1).map((at, index) => whole.slice(cuts[index], at)))).toBe(hidden([whole]))
    }),
    { numRuns: 1_000 },
  )
})
