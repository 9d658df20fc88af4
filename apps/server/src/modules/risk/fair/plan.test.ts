import { describe, expect, test } from 'vitest'
import type { FairModelBody } from './model-schema.ts'
import { checkControls, checkedPlan, nodeValues } from './plan.ts'

const pert = (low: number, mode: number, high: number) => ({ type: 'pert', low, mode, high }) as const
const model: FairModelBody = {
  nodes: { loss_event_frequency: pert(0.5, 2, 5), loss_magnitude: pert(10_000, 50_000, 300_000) },
}

const refusal = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

describe('a model', () => {
  test.each([
    ['a node given with its children', { ...model.nodes, risk: pert(1, 2, 3) }, 'RISK-005', '/model/nodes/risk'],
    ['a missing node', { loss_magnitude: pert(1, 2, 3) }, 'RISK-005', '/model/nodes/loss_event_frequency'],
    [
      'a low above the mode',
      { ...model.nodes, loss_magnitude: pert(3, 2, 5) },
      'RISK-006',
      '/model/nodes/loss_magnitude/low',
    ],
    [
      'a negative rate',
      { ...model.nodes, loss_event_frequency: pert(-1, 2, 5) },
      'RISK-006',
      '/model/nodes/loss_event_frequency',
    ],
    [
      'a probability above 1',
      { threat_event_frequency: pert(1, 2, 3), vulnerability: pert(0.5, 0.9, 1.5), loss_magnitude: pert(1, 2, 3) },
      'RISK-006',
      '/model/nodes/vulnerability',
    ],
  ])('with %s is refused by name', (_name, nodes, code, pointer) => {
    expect(refusal(() => checkedPlan({ nodes }, '/model'))).toMatchObject({ code, parts: [{ pointer }] })
  })

  test('tells mean and quantiles of its inputs', () => {
    const [rate, loss] = nodeValues(checkedPlan(model, ''))
    expect(rate).toMatchObject({ pointer: '/nodes/loss_event_frequency', mean: 2.25 })
    expect(rate?.sd).toBeCloseTo(0.8291561976, 8)
    expect(loss).toMatchObject({ mean: 85_000 })
    expect(loss?.p50).toBeCloseTo(76_897.2276, 2)
  })
})

test('a control acts on a node that the model gives, with shares of 0 to 1', () => {
  const share = { type: 'constant', value: 0.5 } as const
  const control = { id: 'c', efficacy: share, coverage: share, reliability: share, cost: 1 }
  const primary = { nodes: { loss_event_frequency: pert(1, 2, 3), primary_loss: pert(1, 2, 3) } }
  const check = (over: object) =>
    refusal(() => checkControls(primary, [{ ...control, node: 'primary_loss', ...over }], '/controls'))
  expect(check({})).toBeNull()
  expect(check({ node: 'contact_frequency' })).toMatchObject({
    code: 'RISK-006',
    parts: [{ pointer: '/controls/0/node' }],
  })
  expect(check({ coverage: { type: 'constant', value: 2 } })).toMatchObject({
    parts: [{ pointer: '/controls/0/coverage' }],
  })
})
