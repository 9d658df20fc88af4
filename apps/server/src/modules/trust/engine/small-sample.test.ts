import { expect, test } from 'vitest'
import { sampleReliance, smallSampleScore } from './small-sample.ts'

// Posterior mean of Beta(5 + good, 5 + n - good): (good + 5) / (n + 10), by hand.
test.each([
  [1, 1, 5455],
  [0, 1, 4545],
  [10, 10, 7500],
  [90, 100, 8636],
  [1000, 1000, 9950],
])('%i good of %i score %i hundredths', (good, n, expected) => {
  expect(smallSampleScore(good, n)).toBe(expected)
})

test('ten observations can be relied on by half, none not at all', () => {
  expect(sampleReliance(10)).toBe(500_000)
  expect(sampleReliance(0)).toBe(0)
  expect(sampleReliance(null)).toBe(1_000_000)
})
