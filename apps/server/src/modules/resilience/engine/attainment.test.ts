import { expect, test } from 'vitest'
import type { Estimate } from '../declared/model-schema.ts'
import { attainmentOf, availabilityOf, worstOf } from './attainment.ts'

const estimate = (evidence: Estimate['evidence'], verdict: Estimate['verdict']): Estimate => ({
  ...{ evidence, verdict, age_days: 0, n: 1, p50: 1, p95: 2, p99: 3, p_within: 1 },
  ...{ interval: null, further_trials: null },
})

test('the strongest evidence comes first, and the strongest that decides gives the verdict', () => {
  const predicted = estimate('declared', 'met')
  const few = estimate('experiment', 'uncertain')
  expect(attainmentOf(30, [predicted, few])).toMatchObject({
    ...{ best: few, measured: few, predicted, verdict: 'met', decided_by: 'declared' },
  })
  const bad = estimate('incident', 'not_met')
  expect(attainmentOf(30, [predicted, few, bad])).toMatchObject({
    best: bad,
    verdict: 'not_met',
    decided_by: 'incident',
  })
})

test('without objective there is no verdict, without evidence none that decides', () => {
  expect(attainmentOf(null, [estimate('declared', 'met')]).verdict).toBe('no_objective')
  expect(attainmentOf(30, [null])).toMatchObject({ best: null, verdict: 'uncertain', decided_by: null })
  expect(availabilityOf(0.99, null, null).verdict).toBe('uncertain')
  expect(availabilityOf(0.99, 0.999, 'exact').verdict).toBe('met')
  expect([worstOf(['met', 'not_met']), worstOf(['no_objective'])]).toEqual(['not_met', 'no_objective'])
})
