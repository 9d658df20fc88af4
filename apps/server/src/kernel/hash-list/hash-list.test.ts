import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHashList } from './hash-list.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-hash-list-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
let files = 0

function written(lines: readonly string[], end = '\r\n'): string {
  const path = join(folder, `${++files}.txt`)
  writeFileSync(path, lines.join(end))
  return path
}

const listed = (texts: readonly string[]): readonly string[] => [...new Set(texts.map(sha1))].sort()

test('every text on the list is found and no other, whatever the list', async () => {
  const texts = fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 60 })
  const form = fc.record({ end: fc.constantFrom('\n', '\r\n'), count: fc.boolean(), lower: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(texts, texts, form, async (on, others, { end, count, lower }) => {
      const lines = listed(on).map(
        (digest, at) => `${lower ? digest.toLowerCase() : digest}${count ? `:${at * 977}` : ''}`,
      )
      const list = openHashList(written([...lines, ''], end))
      for (const text of on) expect(await list.has(text)).toBe(true)
      for (const text of others) expect(await list.has(text)).toBe(on.includes(text))
      list.close()
    }),
    { numRuns: 50 },
  )
})

test('a list of many thousand lines is searched whole, from the first to the last', async () => {
  const texts = Array.from({ length: 20_000 }, (_, at) => `password${at}`)
  const list = openHashList(written(listed(texts).map((digest) => `${digest}:1`)))
  const ordered = texts.toSorted((a, b) => (sha1(a) < sha1(b) ? -1 : 1))
  const looked = ordered.filter((_, at) => at % 37 === 0 || at < 20 || at > texts.length - 20)
  for (const text of looked) if (!(await list.has(text))) throw new Error(`${text} was not found`)
  for (let at = 0; at < 1_000; at += 1) expect(await list.has(`absent${at}`)).toBe(false)
  list.close()
})

test('a file that is no such list, or is not in order, is refused with words', () => {
  expect(() => openHashList(written(['hunter2', 'letmein']))).toThrow('40 hexadecimal digits')
  expect(() => openHashList(written(['']))).toThrow('40 hexadecimal digits')
  expect(() => openHashList(written([...listed(['a', 'b', 'c', 'd', 'e', 'f'])].reverse()))).toThrow('not in order')
  expect(() => openHashList(join(folder, 'absent'))).toThrow('ENOENT')
})
