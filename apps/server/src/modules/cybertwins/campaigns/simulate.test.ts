import { expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import type { CampaignInputs, CampaignStep } from '../declared/campaign-schema.ts'
import { simulateCampaign } from './simulate.ts'

// Oracle campaign_chain: hypoexponential time of (4 h, 0.5), (8 h, 0.25), (2 h, 0.8).
const step = (mean_hours: number, probability: number, detected_on_failure = 0): CampaignStep => ({
  ...{ name: 'step', technique: 'T1078', basis: 'given', hours_law: 'exponential', detected_on_success: 0 },
  ...{ mean_hours, probability, detected_on_failure, covered: false },
})
const chain = (...detection: readonly number[]): CampaignInputs => ({
  chains: [{ weight: 1, steps: [step(4, 0.5, detection[0]), step(8, 0.25, detection[1]), step(2, 0.8, detection[2])] }],
  ...{ horizon_hours: 87_600, response_hours: 0, evicts: true },
})
const simulated = (inputs: CampaignInputs, runs: number) => {
  const result = simulateCampaign({ inputs, runs, seed: '42' }, inPlace)
  if (result === null) throw new Error('stopped')
  return result
}

test('time to compromise is hypoexponential', () => {
  const runs = 40_000
  const { ttc, p_goal, curve } = simulated(chain(), runs)
  expect(p_goal).toBe(1)
  expect(Math.abs((ttc?.mean_hours ?? 0) - 42.5)).toBeLessThan((4 * 33.07945) / Math.sqrt(runs))
  expect(ttc?.p50).toBeGreaterThan(32.5)
  expect(ttc?.p50).toBeLessThan(34.5)
  expect(ttc?.p95).toBeGreaterThan(104)
  expect(ttc?.p95).toBeLessThan(111)
  expect(curve.at(-1)?.p_goal).toBe(1)
})

test('within 72 hours 0.8476 of the runs are done', () => {
  const { p_goal, p_goal_interval: interval } = simulated({ ...chain(), horizon_hours: 72 }, 40_000)
  expect(Math.abs(p_goal - 0.847618)).toBeLessThan(4 * Math.sqrt((0.8476 * 0.1524) / 40_000))
  expect(interval.low).toBeLessThan(p_goal)
})

test('with detection of failed attempts and eviction at once 0.5612 are done undetected', () => {
  const { p_goal, p_detected, steps } = simulated(chain(0.1, 0.2, 0.05), 40_000)
  expect(Math.abs(p_goal - 0.5611672)).toBeLessThan(4 * Math.sqrt((0.56 * 0.44) / 40_000))
  expect(p_goal + p_detected).toBeCloseTo(1, 10)
  expect(steps.reduce((sum, one) => sum + one.failed_here, 0)).toBe(40_000 - Math.round(p_goal * 40_000))
})

test('equal seeds give equal results, and a stopped one gives none', () => {
  expect(simulated(chain(), 1_000)).toEqual(simulated(chain(), 1_000))
  expect(simulateCampaign({ inputs: chain(), runs: 100, seed: '1' }, { ...inPlace, stopped: () => true })).toBeNull()
})

test('laws of the hours keep the mean, and chains are drawn by their weight', () => {
  const one = (hours_law: CampaignStep['hours_law']): CampaignInputs => ({
    chains: [{ weight: 1, steps: [{ ...step(10, 1), hours_law }] }],
    ...{ horizon_hours: 87_600, response_hours: 0, evicts: false },
  })
  for (const law of ['exponential', 'lognormal', 'triangular'] as const) {
    const mean = simulated(one(law), 40_000).ttc?.mean_hours ?? 0
    expect(Math.abs(mean - 10)).toBeLessThan(0.3)
  }
  const drawn = simulated(
    {
      ...one('exponential'),
      chains: [
        { weight: 3, steps: [step(1, 1)] },
        { weight: 1, steps: [step(1, 1)] },
      ],
    },
    20_000,
  )
  expect((drawn.steps[0]?.reached ?? 0) / 20_000).toBeCloseTo(0.75, 1)
})
