import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textDiff } from './text-diff.ts'

const said = (changes: ReturnType<typeof textDiff>, without: 'added' | 'removed'): string =>
  changes
    .filter(({ op }) => op !== without)
    .map(({ text }) => text)
    .join('')

test('names the words that changed', () => {
  expect(textDiff('the cat sat', 'the dog sat')).toEqual([
    { op: 'same', text: 'the ' },
    { op: 'removed', text: 'cat' },
    { op: 'added', text: 'dog' },
    { op: 'same', text: ' sat' },
  ])
  expect(textDiff('one two', 'one two')).toEqual([{ op: 'same', text: 'one two' }])
  expect(textDiff('', '')).toEqual([])
})

test('finds what two rewritten texts still share', () => {
  const changes = textDiff('a b c d e', 'x b y d z')
  expect(changes.filter(({ op }) => op === 'same').map(({ text }) => text.trim())).toContain('b')
  expect(changes.filter(({ op }) => op === 'same').map(({ text }) => text.trim())).toContain('d')
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('a', 'b', ' ', '\n', '  ', 'c')).map((words) => words.join('')),
)

test('makes both texts, whatever they are', () => {
  fc.assert(
    fc.property(text, text, (from, to) => {
      const changes = textDiff(from, to)
      expect(said(changes, 'added')).toBe(from)
      expect(said(changes, 'removed')).toBe(to)
    }),
  )
})

test('tells texts that are too long to compare as replaced, but for what begins and ends alike', () => {
  const long = (word: string): string => `begin ${`${word} `.repeat(3000)}end`
  const changes = textDiff(long('old'), long('new'))
  expect(changes.map(({ op }) => op)).toEqual(['same', 'removed', 'added', 'same'])
  expect(said(changes, 'added')).toBe(long('old'))
})
