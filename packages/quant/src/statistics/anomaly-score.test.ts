import { expect, test } from 'vitest'
import { combinedScore, noveltyScore } from './anomaly-score.ts'

test('detectors combine by noisy-or on 0..100', () => {
  expect(combinedScore([])).toBe(0)
  expect(combinedScore([0.5, 0.5])).toBe(75)
  expect(combinedScore([1, 0.2])).toBe(100)
  expect(() => combinedScore([1.2])).toThrow(RangeError)
})

test('novelty falls with the age of the agent and rises with capability', () => {
  expect(noveltyScore(0, 1)).toBe(1)
  expect(noveltyScore(9, 0.5)).toBe(0.05)
  expect(() => noveltyScore(-1, 1)).toThrow(RangeError)
  expect(() => noveltyScore(1, 2)).toThrow(RangeError)
})
