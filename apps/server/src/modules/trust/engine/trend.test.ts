import { expect, test } from 'vitest'
import { daysAgo, NOW } from './score.arbitraries.ts'
import { trend, trendReference } from './trend.ts'

test.each([
  [8230, 8000, '+2.3'],
  [7960, 8000, '-0.4'],
  [8000, 8000, '+0.0'],
  [7996, 8000, '+0.0'],
  [7995, 8000, '-0.1'],
  [8005, 8000, '+0.1'],
  [0, 10_000, '-100.0'],
  [8000, null, '+0.0'],
])('from %i now and %s before, the trend reads %s', (now, before, text) => {
  expect(trend(now, before)).toBe(text)
  expect(trend(now, before)).toMatch(/^[+-]\d+\.\d$/)
})

test('the reference is the last score at or before the window, in whatever order they come', () => {
  const past = [6, 7, 8, 30].map((days) => ({ created_at: daysAgo(days), composite: days * 100 }))
  expect(trendReference(past, NOW, 168)?.composite).toBe(700)
  expect(trendReference(past.toReversed(), NOW, 168)?.composite).toBe(700)
})

test('a younger tenant is measured from its oldest score', () => {
  const past = [1, 3, 2].map((days) => ({ created_at: daysAgo(days), composite: days * 100 }))
  expect(trendReference(past, NOW, 168)?.composite).toBe(300)
  expect(trendReference([], NOW, 168)).toBeNull()
})
