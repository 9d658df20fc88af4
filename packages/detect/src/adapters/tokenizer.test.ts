import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytePairTokenizer, unigramTokenizer, wordPieceTokenizer } from '../../test/fixtures/tiny-tokenizers.ts'
import { openTokenizer, type Tokenizer } from './tokenizer.ts'

const packageName = '@huggingface/tokenizers'
const installed = await import(/* @vite-ignore */ packageName).then(
  () => true,
  () => false,
)
const never = new AbortController().signal
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokenizer-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function written(content: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const opened = async (content: unknown): Promise<Tokenizer> => openTokenizer(await written(content))

test('an absent tokenizer file is a clear error', async () => {
  await expect(openTokenizer(join(folder, 'nothing.json'))).rejects.toMatchObject({
    reason: 'not-usable',
    message: expect.stringContaining('nothing.json is absent'),
  })
})

test('a file that is not JSON is a clear error', async () => {
  await expect(opened('<html>')).rejects.toMatchObject({ reason: 'not-usable' })
  await expect(opened('[]')).rejects.toMatchObject({ reason: 'not-usable' })
})

test.skipIf(installed)('without the tokenizer package the error says what to install', async () => {
  await expect(opened(wordPieceTokenizer)).rejects.toThrow('npm install @huggingface/tokenizers')
})

describe.skipIf(!installed)(`with ${packageName}`, () => {
  test('WordPiece takes the longest piece first', async () => {
    const tokenizer = await opened(wordPieceTokenizer)
    // un ##aff ##able, as in the README of google-research/bert; an unknown word is one [UNK].
    expect(await tokenizer.encode('Unaffable ATTACK zzz', never)).toEqual([4, 5, 6, 7, 1])
    expect(tokenizer).toMatchObject({ prefix: [2], suffix: [3], padding: 0 })
  })

  test('Unigram takes the likeliest pieces', async () => {
    const tokenizer = await opened(unigramTokenizer)
    // "▁ab": ▁a + b = -2 - 4 = -6 beats ▁ab (-7) and ▁ + ab (-8).
    expect(await tokenizer.encode('ab', never)).toEqual([4, 6])
    expect(tokenizer).toMatchObject({ prefix: [1], suffix: [2], padding: 5 })
  })

  test('byte pairs are merged in the order of the file', async () => {
    const tokenizer = await opened(bytePairTokenizer)
    // ä is the bytes C3 A4, written Ã and ¤ in GPT-2's byte alphabet.
    expect(await tokenizer.encode('ab ab äb', never)).toEqual([5, 7, 6, 8, 9, 4])
    expect(tokenizer).toMatchObject({ prefix: [0], suffix: [2], padding: 1 })
  })

  test('a special token in a text is plain text', async () => {
    const wordPiece = await opened(wordPieceTokenizer)
    expect(await wordPiece.encode('a [SEP] a', never)).toEqual([8, 9, 11, 10, 8])
    const unigram = await opened(unigramTokenizer)
    expect(await unigram.encode('[SEP]', never)).toEqual([3, 12, 9, 10, 11, 13])
    const bytePair = await opened(bytePairTokenizer)
    expect(await bytePair.encode('<s>', never)).toEqual([10, 11, 12])
  })

  test('a long text is encoded in parts to the same tokens as its words', async () => {
    for (const [file, word] of [
      [wordPieceTokenizer, 'unaffable'],
      [unigramTokenizer, 'ab'],
      [bytePairTokenizer, 'ab'],
    ] as const) {
      const tokenizer = await opened(file)
      const two = await tokenizer.encode(`${word} ${word}`, never)
      const later = two.slice(two.length / 2)
      const ids = await tokenizer.encode(Array(5_000).fill(word).join(' '), never)
      expect(ids).toHaveLength(later.length * 5_000)
      expect(new Set(ids.slice(later.length))).toEqual(new Set(later))
    }
  })

  test('no string makes it throw', async () => {
    const hostile = ['', '\ud800', '\udc00a', '\0', '𝕒'.repeat(5_000), 'a'.repeat(100_000), '[SEP'.repeat(3_000)]
    for (const file of [wordPieceTokenizer, unigramTokenizer, bytePairTokenizer]) {
      const tokenizer = await opened(file)
      for (const text of hostile)
        expect((await tokenizer.encode(text, never)).every((id) => Number.isSafeInteger(id))).toBe(true)
    }
  })

  test('an abort ends the work on a long text', async () => {
    const tokenizer = await opened(wordPieceTokenizer)
    const controller = new AbortController()
    const work = tokenizer.encode('attack '.repeat(20_000), controller.signal)
    controller.abort()
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a tokenizer of an unknown kind is refused', async () => {
    const file = { ...wordPieceTokenizer, model: { type: 'Letters' } }
    await expect(opened(file)).rejects.toMatchObject({ reason: 'not-usable' })
  })
})
