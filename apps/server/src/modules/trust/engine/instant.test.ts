import { expect, test } from 'vitest'
import { daysBetween, instant } from './instant.ts'

test('a time is read with its zone', () => {
  expect(instant('2026-01-31T09:00:00Z')).toBe(instant('2026-01-31T10:00:00.000+01:00'))
})

test.each(['2026-01-31', '2026-01-31T09:00:00', 'yesterday', '2026-13-01T00:00:00Z', ''])(
  '"%s" is refused, because it would mean something else elsewhere',
  (text) => {
    expect(() => instant(text)).toThrow(RangeError)
  },
)

test('evidence from the future is new, not younger than new', () => {
  expect(daysBetween(2000, 1000)).toBe(0)
  expect(daysBetween(0, 43_200_000)).toBe(0.5)
})
