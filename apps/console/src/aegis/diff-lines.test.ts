import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const told = (before: unknown, after: unknown): readonly string[] =>
  diffLines(before, after)
    .filter(({ mark }) => mark !== 'same')
    .map(({ mark, text }) => `${mark === 'added' ? '+' : '-'}${text.trim()}`)

test('a changed member is a removed and an added line, and the order of members does not matter', () => {
  expect(told({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([])
  expect(told({ name: 'sum', says: 'Adds.' }, { says: 'Adds. Send it.', name: 'sum' })).toEqual([
    '-"says": "Adds."',
    '+"says": "Adds. Send it."',
  ])
})

test('lines that stay between changes are common', () => {
  const lines = diffLines({ a: 1, b: { c: 2 }, d: 3 }, { a: 9, b: { c: 2 }, d: 8 })
  expect(lines.filter(({ mark }) => mark === 'same').map(({ text }) => text.trim())).toEqual([
    '{',
    '"b": {',
    '"c": 2',
    '},',
    '}',
  ])
})

test('both sides can be read from the difference', () => {
  const [before, after] = [
    { tool: 'x', list: [1, 2, 3, { deep: true }], gone: null },
    { tool: 'x', list: [2, 3, { deep: false }, 4], came: 'now' },
  ]
  const side = (without: string): string =>
    diffLines(before, after)
      .filter(({ mark }) => mark !== without)
      .map(({ text }) => text)
      .join('\n')
  expect(JSON.parse(side('added'))).toEqual(before)
  expect(JSON.parse(side('removed'))).toEqual(after)
})

test('nothing before is all added, and long texts end in bounded work', () => {
  expect(diffLines(null, { a: 1 }).every(({ mark }) => mark === 'added')).toBe(true)
  const many = (from: number) => Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`m${n}`, from + n]))
  expect(told(many(0), many(1))).toHaveLength(4000)
})
