/** Oracle: the counts of gpt-tokenizer 4.0.0, whose data is used and whose merging is not. */

import fc from 'fast-check'
import { countTokens as theirsCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as theirsO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import { type Encoding, encodings } from '../words/encodings.ts'
import { countTokens } from './count-task.ts'

const asked = inPlace
const ours = (encoding: Encoding, ...texts: string[]) => countTokens.run({ encoding, texts }, asked)
const plain = { disallowedSpecial: new Set<string>() }
const theirs = (encoding: Encoding, text: string) =>
  (encoding === 'o200k_base' ? theirsO200k : theirsCl100k)(text, plain)

describe.each(encodings)('tokens of %s', (encoding) => {
  test.each([
    ['nothing', ''],
    ['prose', 'It’s the end of the quarter, isn’t it? Costs: 1,234,567.89 €.'],
    ['code', 'function add(a, b) {\n\treturn a + b\n}\n\n\n  // done   '],
    ['other scripts', '漢字とかな交じり文。 Привет, мир! مرحبا بالعالم 👩‍👩‍👧 naïve e\u0301'],
    ['marks of a chat', '<|im_start|>system<|im_end|><|endoftext|>'],
    ['half a character', 'a\ud800b'],
    ['one letter', 'a'.repeat(3000)],
    ['spaces', ' '.repeat(3000)],
    ['lines', '\n'.repeat(1000)],
    ['base64', Buffer.from(Array.from({ length: 900 }, (_, n) => (n * n * 31) % 251)).toString('base64')],
    [
      'letters without words',
      Array.from({ length: 2000 }, (_, n) => String.fromCharCode(97 + ((n * n * 7) % 26))).join(''),
    ],
  ])('are counted as the library counts them: %s', (_, text) => {
    expect(ours(encoding, text)).toBe(theirs(encoding, text))
  })

  test('are counted as the library counts them in any text', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 200 }))
    const alike = (text: string) => ours(encoding, text) === theirs(encoding, text)
    fc.assert(fc.property(anything, alike))
  })
})

test('several texts are counted together', () => {
  expect(ours('o200k_base', 'hello', ' world')).toBe(2)
})

test('a megabyte without a border is counted in seconds, where a merge that looks through all pairs takes minutes', () => {
  expect(ours('o200k_base', 'a'.repeat(1_000_000))).toBe(125_000)
})

test('ends when nobody waits for it any more', () => {
  const work = { ...inPlace, stopped: () => true }
  expect(() => countTokens.run({ encoding: 'o200k_base', texts: ['hello'] }, work)).toThrow('Nobody waits')
})
