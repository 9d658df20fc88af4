import { expect, test } from 'vitest'
import { areOrdered, isWorse, kriStatus } from './kri.ts'

const above = { amber: 5, red: 10, direction: 'above' } as const
const below = { amber: 80, red: 60, direction: 'below' } as const

test.each([
  [above, 4.9, 'green'],
  [above, 5, 'amber'],
  [above, 10, 'red'],
  [below, 81, 'green'],
  [below, 80, 'amber'],
  [below, 59, 'red'],
  [above, null, null],
] as const)('with %o the value %o is %s', (thresholds, value, status) => {
  expect(kriStatus(thresholds, value)).toBe(status)
})

test('thresholds stand in the order of their direction, and worse is counted from green', () => {
  expect([areOrdered(above), areOrdered(below)]).toEqual([true, true])
  expect([areOrdered({ ...above, red: 4 }), areOrdered({ ...below, red: 90 })]).toEqual([false, false])
  expect([isWorse('amber', null), isWorse('red', 'amber'), isWorse('amber', 'red'), isWorse(null, null)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
