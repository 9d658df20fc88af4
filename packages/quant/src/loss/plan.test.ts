import { expect, test } from 'vitest'
import { constant, modelA, modelF, pert } from '../../test/oracle-cases.ts'
import { lawOf } from '../distributions/law.ts'
import { ModelError } from '../distributions/specification.ts'
import type { FairModel } from './fair-model.ts'
import { rateRule, ruleMoments } from './mixture.ts'
import { planOf } from './plan.ts'
import { vulnerabilityOf } from './vulnerability.ts'

function refusal(model: FairModel): readonly [string, string] {
  try {
    planOf(model)
  } catch (error) {
    if (error instanceof ModelError) return [error.pointer, error.message]
    throw error
  }
  return ['', 'accepted']
}

test('a node given together with its children is named with them', () => {
  const [pointer, message] = refusal({ nodes: { ...modelA.nodes, contact_frequency: constant(3) } })
  expect(pointer).toBe('/nodes/loss_event_frequency')
  expect(message).toContain('contact_frequency')
})

test('a missing node is named', () => {
  expect(refusal({ nodes: { loss_magnitude: constant(1) } })[0]).toBe('/nodes/loss_event_frequency')
  const { probability_of_action: _, ...rest } = modelF.nodes
  expect(refusal({ nodes: rest })[0]).toBe('/nodes/probability_of_action')
  const { secondary_loss_magnitude: __, ...half } = modelF.nodes
  expect(refusal({ nodes: half })[0]).toBe('/nodes/secondary_loss_magnitude')
})

test('values outside the bounds of a node are refused where they stand', () => {
  const withNode = (node: object): FairModel => ({ nodes: { ...modelF.nodes, ...node } })
  expect(refusal(withNode({ probability_of_action: pert(0.1, 0.5, 1.2) }))[0]).toBe('/nodes/probability_of_action')
  expect(refusal(withNode({ contact_frequency: constant(-1) }))[0]).toBe('/nodes/contact_frequency')
  expect(refusal(withNode({ primary_loss: pert(5, 4, 9) }))[0]).toBe('/nodes/primary_loss/low')
  expect(refusal(withNode({ primary_loss: { forms: { response: constant(Number.NaN) } } }))[0]).toBe(
    '/nodes/primary_loss/forms/response/value',
  )
  expect(refusal({ ...modelA, count: { law: 'bernoulli' } })[0]).toBe('/count')
  expect(refusal({ ...modelA, count: { law: 'negative_binomial', dispersion: 0 } })[0]).toBe('/count/dispersion')
})

test('vulnerability has its known values', () => {
  const capability = lawOf(pert(0.2, 0.5, 0.9))
  expect(vulnerabilityOf(capability, lawOf(pert(0.4, 0.6, 0.95)))).toBeCloseTo(0.2660699, 6)
  expect(vulnerabilityOf(capability, lawOf(pert(0.6, 0.8, 0.98)))).toBeCloseTo(0.0320412, 6)
  const uniform = vulnerabilityOf(
    lawOf({ type: 'uniform', low: 0, high: 1 }),
    lawOf({ type: 'uniform', low: 0.5, high: 1 }),
  )
  expect(uniform).toBeCloseTo(0.25, 12)
})

test('a year’s vulnerability has its known mean and standard deviation', () => {
  const nodes = { ...modelF.nodes, contact_frequency: constant(1), probability_of_action: constant(1) }
  const { mean, variance } = ruleMoments(rateRule(planOf({ nodes, resistance_scope: 'per_year' }), 16))
  expect(mean).toBeCloseTo(0.2660699, 5)
  expect(Math.sqrt(variance)).toBeCloseTo(0.1938609, 5)
})
