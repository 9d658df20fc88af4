import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documents } from '../testing/policy-documents.ts'
import { loosened } from '../testing/policy-laws.ts'
import { complete } from './defaults.ts'
import type { PolicyDocumentInput } from './document.ts'
import { mergeStrictest } from './merge.ts'
import { mergeByPriority } from './priority.ts'

const ranked = fc.record({ document: documents, priority: fc.constantFrom(0, 0, 7, 1000) })
const some = fc.array(ranked, { minLength: 1, maxLength: 5 })

test('does not depend on the order', () => {
  fc.assert(
    fc.property(
      some.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(mergeByPriority(shuffled)).toEqual(mergeByPriority(list))
      },
    ),
  )
})

test('loosens nothing, and changes nothing but what no word is stricter for', () => {
  fc.assert(
    fc.property(some, (list) => {
      const plain = mergeStrictest(list.map(({ document }) => document))
      const merged = mergeByPriority(list)
      expect(loosened(plain, merged)).toEqual([])
      const { models, sensitive_data, content, reporting } = merged
      expect({
        ...merged,
        models: { ...models, default: plain.models.default },
        sensitive_data: { ...sensitive_data, brackets: plain.sensitive_data.brackets },
        content: { ...content, system_prompt: plain.content.system_prompt },
        reporting: { ...reporting, block_message: plain.reporting.block_message },
      }).toEqual(plain)
      for (const of of ['prepend', 'append'] as const)
        expect([...content.system_prompt[of]].sort()).toEqual([...plain.content.system_prompt[of]].sort())
    }),
  )
})

const spoken = (word: string): PolicyDocumentInput => ({
  models: { default: `model-${word}` },
  content: { system_prompt: { prepend: `before ${word}`, append: `after ${word}` } },
  reporting: { block_message: `ask ${word}` },
})

test('the higher one decides what strictness does not, and says what it says first', () => {
  const [low, high, mute] = [complete(spoken('a')), complete(spoken('b')), complete({})]
  const { models, content, reporting } = mergeByPriority([
    { document: low },
    { document: high, priority: 5 },
    { document: mute, priority: 9 },
  ])
  expect([models.default, reporting.block_message]).toEqual(['model-b', 'ask b'])
  expect(content.system_prompt).toMatchObject({ prepend: ['before b', 'before a'], append: ['after b', 'after a'] })
  const brackets = (first: object, second: object) =>
    mergeByPriority([
      { document: complete({ sensitive_data: first }), priority: 1 },
      { document: complete({ sensitive_data: second }) },
    ]).sensitive_data.brackets
  expect(brackets({ brackets: '{{}}' }, { brackets: '[]' })).toBe('{{}}')
  expect(brackets({}, { brackets: '[]' })).toBe('[]')
})

test('one that is off decides nothing beside one that is on', () => {
  const off = complete({ ...spoken('z'), mode: 'off' })
  const merged = mergeByPriority([{ document: off, priority: 9 }, { document: complete(spoken('a')) }])
  expect([merged.models.default, merged.reporting.block_message]).toEqual(['model-a', 'ask a'])
})
