import fc from 'fast-check'
import { expect, test } from 'vitest'
import { constant, modelA, modelF, pert } from '../../test/oracle-cases.ts'
import { ModelError } from '../distributions/specification.ts'
import { exactAnnualLoss, momentsOf } from '../loss/compound.ts'
import { planOf } from '../loss/plan.ts'
import { type Control, createControlSimulation, summarizeControls } from './control-effect.ts'
import { sobolIndices } from './sobol-indices.ts'
import { tornado } from './tornado.ts'

test('Sobol indices of rate times magnitude are within 4 standard errors of their closed form', () => {
  const [rate, magnitude] = sobolIndices({ plan: planOf(modelA), samples: 100_000, seed: '1' })
  const expected = [
    [rate?.first, rate?.firstStandardError, 0.2727317],
    [magnitude?.first, magnitude?.firstStandardError, 0.6403123],
    [rate?.total, rate?.totalStandardError, 0.3596877],
    [magnitude?.total, magnitude?.totalStandardError, 0.7272683],
  ] as const
  for (const [value = 0, error = 0, known] of expected) {
    expect(error).toBeLessThan(0.01)
    expect(Math.abs(value - known)).toBeLessThan(4 * error)
  }
})

test('a tornado has the closed-form ends, widest first', () => {
  const bars = tornado(planOf(modelA))
  expect(bars.map(({ pointer }) => pointer)).toEqual(['/nodes/loss_magnitude', '/nodes/loss_event_frequency'])
  for (const bar of bars) {
    const other = bar.pointer === '/nodes/loss_magnitude' ? 2.25 : 85_000
    expect(bar.atLow).toBeCloseTo(bar.low * other, 4)
    expect(bar.atHigh).toBeCloseTo(bar.high * other, 4)
  }
  expect(tornado(planOf(modelF), 'var95').every(({ atLow, atHigh }) => atHigh > atLow)).toBe(true)
})

const control = (more: Partial<Control>): Control => ({
  id: 'c',
  node: 'contact_frequency',
  efficacy: pert(0.4, 0.6, 0.9),
  coverage: constant(0.9),
  reliability: constant(0.95),
  cost: 20_000,
  ...more,
})
const nodes = [
  'contact_frequency',
  'probability_of_action',
  'resistance_strength',
  'primary_loss',
  'secondary_loss_event_frequency',
  'secondary_loss_magnitude',
] as const

test('a control never raises the loss of any year, and a stronger one lowers every year further', () => {
  fc.assert(
    fc.property(fc.constantFrom(...nodes), fc.double({ min: 0, max: 1, noNaN: true }), (node, share) => {
      const run = (efficacy: number) =>
        createControlSimulation({
          model: modelF,
          controls: [control({ node, efficacy: constant(efficacy) })],
          iterations: 4_096,
          seed: '3',
        }).run(0, 1)
      const [weak, strong] = [run(0.5 * share), run(share)]
      expect(strong.without).toEqual(weak.without)
      for (let i = 0; i < 4_096; i += 1) {
        const [none = 0, some = 0, most = 0] = [weak.without[i], weak.with[i], strong.with[i]]
        // Sums in another order may differ in the last bit.
        if (some > none * (1 + 1e-12) || most > some * (1 + 1e-12)) expect.unreachable(`year ${i}`)
      }
    }),
    { numRuns: 24 },
  )
})

test('losses without controls follow the model, and those with one the model with the control in it', () => {
  const model = { ...modelF, nodes: { ...modelF.nodes } }
  const simulation = createControlSimulation({
    model,
    controls: [control({ efficacy: constant(0.5), coverage: constant(1), reliability: constant(1) })],
    iterations: 200_000,
    seed: '3',
  })
  const effect = summarizeControls(simulation.run(0, simulation.blocks), 20_000)
  const halved = { nodes: { ...modelF.nodes, contact_frequency: pert(5, 12, 30) } }
  for (const [summary, known] of [
    [effect.without, modelF],
    [effect.with, halved],
  ] as const) {
    expect(Math.abs(summary.mean - momentsOf(planOf(known)).mean)).toBeLessThan(4 * summary.standardError)
    const exact = exactAnnualLoss([planOf(known)]).quantile(0.95)
    const tail = summary.tails[1]
    const reach = (tail?.interval.high ?? 0) - (tail?.interval.low ?? 0)
    expect(Math.abs((tail?.var ?? 0) - exact)).toBeLessThan(1.1 * reach)
  }
  expect(effect.roi).toBeCloseTo((effect.avoided.mean - 20_000) / 20_000, 12)
  expect(effect.var95Change).toBeLessThan(0)
  expect(effect.probabilityOfGain).toBeGreaterThan(0)
})

test('a control of resistance leaves the vulnerability of the moved resistance', () => {
  const simulation = createControlSimulation({
    model: {
      nodes: {
        ...modelF.nodes,
        threat_capability: { type: 'uniform', low: 0, high: 1 },
        resistance_strength: { type: 'uniform', low: 0.5, high: 1 },
      },
    },
    controls: [
      control({
        node: 'resistance_strength',
        efficacy: constant(0.5),
        coverage: constant(1),
        reliability: constant(1),
      }),
    ],
    iterations: 200_000,
    seed: '3',
  })
  const { without, with: after } = summarizeControls(simulation.run(0, simulation.blocks), 0)
  // U(0.5, 1) moved half way to 1 is U(0.75, 1): vulnerability 0.125 instead of 0.25.
  expect(Math.abs(after.mean / without.mean - 0.5)).toBeLessThan(0.01)
})

test('controls that the model cannot carry are refused', () => {
  const make = (model: typeof modelF, more: Partial<Control>) => () =>
    createControlSimulation({ model, controls: [control(more)], iterations: 10, seed: '1' })
  expect(make(modelA, {})).toThrow(ModelError)
  expect(make(modelF, { efficacy: constant(1.5) })).toThrow(ModelError)
  expect(make(modelF, { cost: -1 })).toThrow(ModelError)
  expect(make({ ...modelF, resistance_scope: 'per_year' }, { node: 'resistance_strength' })).toThrow(ModelError)
})
