import { expect, test } from 'vitest'
import { shifted } from './durations.ts'

const day = (at: string, duration: string, sign?: 1 | -1) =>
  new Date(shifted(Date.parse(`${at}T12:00:00Z`), duration, sign)).toISOString().slice(0, 10)

test('a month after the last day of a long month is the last day of the next one', () => {
  expect(day('2026-01-31', 'P1M')).toBe('2026-02-28')
  expect(day('2028-01-31', 'P1M')).toBe('2028-02-29')
  expect(day('2026-03-31', 'P1M', -1)).toBe('2026-02-28')
  expect(day('2026-12-15', 'P1M')).toBe('2027-01-15')
})

test('a year after 29 February is 28 February, and weeks and days count as they are', () => {
  expect(day('2028-02-29', 'P1Y')).toBe('2029-02-28')
  expect(day('2026-01-01', 'P2W3D')).toBe('2026-01-18')
  expect(day('2026-01-31', 'P1M1D')).toBe('2026-03-01')
  expect(day('2026-01-18', 'P2W3D', -1)).toBe('2026-01-01')
})

test.each(['', 'P', '30 days', 'P1H', 'PT1H', 'P-1D', 'P1D1M'])('%j is no duration', (text) => {
  expect(() => shifted(0, text)).toThrow(TypeError)
})
