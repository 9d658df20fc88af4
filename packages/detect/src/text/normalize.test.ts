import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAutomaton } from './automaton.ts'
import { decodeBase64 } from './base64.ts'
import { normalize } from './normalize.ts'

describe('normalization', () => {
  test.each([
    ['Hello\n\tWorld', 'hello world'],
    ['ｆｕｌｌ', 'full'],
    ['𝐛𝐨𝐥𝐝', 'bold'],
    ['a\u200bb\u2060c\u00ad\ufe0f', 'abc'],
    ['\u{e0049}\u{e0047}', 'ig'],
    ['précédentes Größe', 'precedentes grosse'],
    ['ignоrе', 'ignore'],
    ['мир', 'мир'],
    ['й', 'й'],
    ['i g n o r e', 'ignore'],
    ['i.g.n.o.r.e it', 'ignore it'],
    ['a b c', 'a b c'],
    ['n\u0336o\u0336w\u0336', 'now'],
    ['がぎ', 'がぎ'],
  ])('%j becomes %j', (from, to) => {
    expect(normalize(from).text).toBe(to)
  })

  test('a range leads back to the characters it was made from', () => {
    const text = 'x  \u200bİgno\u0301re\u200b me'
    const view = normalize(text)
    const at = view.text.indexOf('ignore')
    const { start, end } = view.toOriginal(at, at + 6)
    expect(text.slice(start, end)).toBe('İgno\u0301re')
  })

  const unit = fc.constantFrom(
    'a',
    'B',
    ' ',
    '  ',
    '\n',
    'é',
    'e\u0301',
    '\u200b',
    '\u{1f600}',
    '\ud800',
    'ﬁ',
    '\ufdfa',
    'о',
    '\u{e0061}',
    'ß',
    '.',
    '\u0301',
  )
  const someText = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''))

  test('ranges lie inside the original and keep its order', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const view = normalize(text)
        let last = 0
        for (let i = 0; i < view.text.length; i += 1) {
          const { start, end } = view.toOriginal(i, i + 1)
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = start
        }
      }),
    )
  })

  test('text that is normal already stays the same', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,9}$/), (text) => {
        expect(normalize(text).text).toBe(text)
        expect(normalize(text).toOriginal(0, text.length)).toEqual({ start: 0, end: text.length })
      }),
    )
  })
})

describe('the automaton', () => {
  test('it finds what a search for each word finds', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(words, fc.stringMatching(/^[abc]{0,30}$/), (list, text) => {
        const hits: string[] = []
        createAutomaton(list).scan(text, (word, end) => hits.push(`${list[word]}@${end}`) > 0)
        const expected = list.flatMap((word) =>
          Array.from({ length: text.length }, (_, i) => i)
            .filter((i) => text.startsWith(word, i))
            .map((i) => `${word}@${i + word.length}`),
        )
        expect(hits.sort()).toEqual(expected.sort())
      }),
    )
  })
})

test('base64 in either alphabet gives the bytes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      expect([...(decodeBase64(buffer.toString('base64')) ?? [])]).toEqual([...bytes])
      expect([...(decodeBase64(buffer.toString('base64url')) ?? [])]).toEqual([...bytes])
    }),
  )
  expect(decodeBase64('a*b')).toBeUndefined()
})
