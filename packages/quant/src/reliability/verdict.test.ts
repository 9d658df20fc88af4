import { expect, test } from 'vitest'
import { judgeObjective } from './verdict.ts'

test('the interval decides: met above the level, not met below it, uncertain across it', () => {
  // Wilson 95 % bounds: 990/1,000 → [0.9817, 0.9946]; 900/1,000 → [0.8799, 0.9171]; 48/50 → [0.8654, 0.9890].
  expect(judgeObjective(990, 1_000).verdict).toBe('met')
  expect(judgeObjective(900, 1_000).verdict).toBe('not_met')
  expect(judgeObjective(48, 50).verdict).toBe('uncertain')
})

test('the further trials of an uncertain verdict settle it if the share stays', () => {
  const { furtherTrials } = judgeObjective(97, 100)
  const trials = 100 + (furtherTrials ?? 0)
  expect(judgeObjective(0.97 * (trials + 2), trials + 2).verdict).toBe('met')
  expect(judgeObjective(0.97 * (trials - 5), trials - 5).verdict).toBe('uncertain')
})

test('no recovery and a share exactly at the level give no estimate', () => {
  expect(judgeObjective(0, 0)).toEqual({
    verdict: 'uncertain',
    share: null,
    interval: { low: 0, high: 1 },
    furtherTrials: null,
  })
  expect(judgeObjective(95, 100).furtherTrials).toBe(null)
  expect(() => judgeObjective(1, 1, 1)).toThrow(RangeError)
})
