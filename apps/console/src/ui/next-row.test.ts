import { expect, test } from 'vitest'
import { nextRow } from './next-row.ts'

test('a key goes one row on and stops at the ends', () => {
  expect([nextRow(-1, 1, 3), nextRow(0, 1, 3), nextRow(2, 1, 3)]).toEqual([0, 1, 2])
  expect([nextRow(2, -1, 3), nextRow(0, -1, 3), nextRow(-1, -1, 3)]).toEqual([1, 0, 0])
  expect(nextRow(-1, 1, 0)).toBe(-1)
})
