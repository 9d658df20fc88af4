import { modelToEncodingMap } from 'gpt-tokenizer/mapping'
import { expect, test } from 'vitest'
import { encodingOf } from './encodings.ts'

test.each([
  ['openai', 'gpt-4o-2024-08-06', 'o200k_base'],
  ['openai', 'gpt-4.1-mini', 'o200k_base'],
  ['openai', 'gpt-4', 'cl100k_base'],
  ['openai', 'gpt-4-turbo', 'cl100k_base'],
  ['openai', 'ft:gpt-4o-mini-2024-07-18:acme::1', 'o200k_base'],
  ['openai', 'text-embedding-3-large', 'cl100k_base'],
  ['openai', 'o1', 'o200k_base'],
  ['openai', 'o12-of-tomorrow', null],
  ['azure_openai', 'gpt-35-turbo', 'cl100k_base'],
  ['azure_openai', 'our-deployment', null],
  ['openai_compatible', 'openai/gpt-oss-120b', 'o200k_base'],
  ['openai_compatible', 'gpt-4o', null],
  ['anthropic', 'claude-3-opus', null],
  ['echo', 'echo-1', null],
] as const)('%s %s is counted with %s', (kind, model, encoding) => {
  expect(encodingOf(kind, model)).toBe(encoding)
})

test('names that the library knows too have the tokenizer it says', () => {
  const known = Object.entries(modelToEncodingMap).flatMap(([model, theirs]) => {
    const ours = encodingOf('openai', model)
    return ours === null ? [] : [{ model, ours, theirs: theirs === 'o200k_harmony' ? 'o200k_base' : theirs }]
  })
  expect(known.length).toBeGreaterThan(15)
  expect(known.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
})
