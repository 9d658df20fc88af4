import { expect, test } from 'vitest'
import { rangeOf } from './range.ts'

test.each([
  [undefined, null],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=8-99', { start: 8, end: 9 }],
  ['BYTES=1-1', { start: 1, end: 1 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=0-1,4-5', null],
  ['items=0-1', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
])('%j of ten bytes is %j', (header, expected) => {
  expect(rangeOf(header, 10)).toEqual(expected)
})

test('an empty file has no part', () => {
  expect([rangeOf('bytes=0-0', 0), rangeOf('bytes=-1', 0)]).toEqual(['unsatisfiable', 'unsatisfiable'])
})
