import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAutomaton } from './automaton.ts'

function hitsOf(words: readonly string[], text: string): string[] {
  const hits: string[] = []
  createAutomaton(words).scan(text, (word, end) => hits.push(`${words[word]}@${end}`) > 0)
  return hits
}

function searched(words: readonly string[], text: string): string[] {
  return words.flatMap((word) =>
    Array.from({ length: text.length }, (_, i) => i)
      .filter((i) => text.startsWith(word, i))
      .map((i) => `${word}@${i + word.length}`),
  )
}

describe('the automaton', () => {
  const letters = fc.stringMatching(/^[abя中]{1,6}$/)

  test('finds what a search for each word finds', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 12 }),
        fc.stringMatching(/^[abcя中]{0,60}$/),
        (words, text) => {
          expect(hitsOf(words, text).sort()).toEqual(searched(words, text).sort())
        },
      ),
    )
  })

  test('with edges finds what a search at the edges of words finds', () => {
    const continues = Uint8Array.from({ length: 0x10000 }, (_, code) =>
      Number('abя'.includes(String.fromCharCode(code))),
    )
    const goesOn = (char: string | undefined): boolean => char !== undefined && 'abя'.includes(char)
    const phrase = fc.stringMatching(/^[abя中 '-]{1,6}$/)
    const words = fc.uniqueArray(fc.tuple(phrase, fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 12,
      selector: ([word]) => word,
    })
    fc.assert(
      fc.property(words, fc.stringMatching(/^[abcя中 '-]{0,60}$/), (chosen, text) => {
        const found: string[] = []
        const needs = Uint8Array.from(chosen, ([, need]) => need)
        createAutomaton(
          chosen.map(([word]) => word),
          { continues, needs },
        ).scan(text, (word, end) => found.push(`${chosen[word]?.[0]}@${end}`) > 0)
        const expected = chosen.flatMap(([word, need]) =>
          Array.from({ length: text.length }, (_, i) => i)
            .filter((i) => text.startsWith(word, i))
            .filter((i) => (need & 1) === 0 || !goesOn(text[i - 1]))
            .filter((i) => (need & 2) === 0 || !goesOn(text[i + word.length]))
            .map((i) => `${word}@${i + word.length}`),
        )
        expect(found.sort()).toEqual(expected.sort())
      }),
    )
  })

  test('finds the same when the words do not all fit the dense rows', () => {
    const words = Array.from({ length: 9_000 }, (_, i) => `w${i.toString(36)}x${(i * 7919).toString(36)}`)
    const text = words.filter((_, i) => i % 500 === 0).join(' ') + words[8_999]
    const expected = words.flatMap((word) => (text.includes(word) ? [word] : []))
    expect([...new Set(hitsOf(words, text).map((hit) => hit.split('@')[0]))].sort()).toEqual(expected.sort())
  })

  test('reports by end offset and stops when told to', () => {
    const ends: number[] = []
    createAutomaton(['b', 'ab']).scan('ababab', (_, end) => ends.push(end) < 3)
    expect(ends).toEqual([2, 2, 4])
  })

  test('reports every index of a word that is listed twice and none of an empty one', () => {
    const indexes: number[] = []
    createAutomaton(['', 'a', 'a']).scan('a', (word) => indexes.push(word) > 0)
    expect(indexes.sort()).toEqual([1, 2])
  })

  test('a line break or a typeset apostrophe splits no phrase', () => {
    expect(hitsOf(["don't go"], 'don\u2019t\ngo')).toEqual(["don't go@8"])
  })

  test('an empty list finds nothing', () => {
    expect(hitsOf([], 'any text')).toEqual([])
  })

  test('lone surrogates and NULs are characters like others', () => {
    expect(hitsOf(['\ud800', '\0a'], 'x\ud800\0a')).toEqual(['\ud800@2', '\0a@4'])
  })
})
