import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { cases, constant, modelA, modelF, pert } from '../../test/oracle-cases.ts'
import { exactAnnualLoss } from '../loss/compound.ts'
import type { FairModel } from '../loss/fair-model.ts'
import { planOf } from '../loss/plan.ts'
import { type LossSummary, summarize } from '../summary/summary.ts'
import { blockYears, createSimulation, type SimulationSettings } from './simulate.ts'

const sha256 = (...parts: readonly Float64Array[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  return hash.digest('hex')
}
const settings = (model: FairModel, more: Partial<SimulationSettings> = {}): SimulationSettings => ({
  plans: [planOf(model)],
  iterations: 200_000,
  seed: '42',
  ...more,
})
function run(model: FairModel, more: Partial<SimulationSettings> = {}): LossSummary {
  const simulation = createSimulation(settings(model, more))
  return summarize(simulation.run(0, simulation.blocks), more.sampling === undefined ? undefined : blockYears)
}
const var95 = ({ tails }: LossSummary) => tails.find(({ level }) => level === 0.95)

test.each(cases)('case $name is within 4 standard errors of its known values', ({ model, expected }) => {
  const summary = run(model, { iterations: 1_000_000 })
  expect(Math.abs(summary.mean - expected.mean)).toBeLessThan(4 * summary.standardError)
  expect(Math.abs(summary.noLoss - expected.p0)).toBeLessThan(4 * Math.sqrt((expected.p0 * (1 - expected.p0)) / 1e6))
  const tail = var95(summary)
  const reach = (tail?.interval.high ?? 0) - (tail?.interval.low ?? 0)
  expect(Math.abs((tail?.var ?? 0) - expected.var95)).toBeLessThan(reach * 1.05)
  expect(Math.abs((tail?.tvar ?? 0) - expected.tvar95)).toBeLessThan(4 * (tail?.tvarStandardError ?? 0))
})

test('the standard error of the mean falls with the square root of the years, over ten seeds', () => {
  for (const iterations of [4_096, 65_536]) {
    const errors = Array.from({ length: 10 }, (_, seed) => {
      const { mean } = run(modelA, { iterations, seed: String(seed) })
      return ((mean - 191_250) / 162_500.69) * Math.sqrt(iterations)
    })
    // Sum of ten squared standard scores: 1e-4 and 1 - 1e-4 quantiles of chi square.
    const chiSquare = errors.reduce((sum, z) => sum + z * z, 0)
    expect(chiSquare).toBeGreaterThan(0.88)
    expect(chiSquare).toBeLessThan(35.6)
  }
})

test.each(['pseudo', 'latin_hypercube'] as const)('%s: any division into ranges gives the same bits', (sampling) => {
  const all = createSimulation(settings(modelF, { sampling }))
  const whole = sha256(all.run(0, all.blocks))
  for (const cut of [1, 13, 30]) {
    // Two workers: each makes its own simulation from the settings.
    const [first, second] = [
      createSimulation(settings(modelF, { sampling })),
      createSimulation(settings(modelF, { sampling })),
    ]
    const tail = second.run(cut, second.blocks)
    expect(sha256(first.run(0, cut), tail)).toBe(whole)
  }
})

test('a run stops at the next block and resumes to the same bits', () => {
  const simulation = createSimulation(settings(modelF))
  const whole = sha256(simulation.run(0, simulation.blocks))
  let asked = 0
  const done = simulation.run(0, simulation.blocks, () => {
    asked += 1
    return asked > 7
  })
  expect(done.length).toBe(7 * blockYears)
  expect(sha256(done, simulation.run(7, simulation.blocks))).toBe(whole)
})

test('the losses of a fixed seed are known, bit by bit', () => {
  const simulation = createSimulation(settings(modelA, { iterations: 8_192, seed: '7' }))
  expect(sha256(simulation.run(0, 2))).toMatchInlineSnapshot(
    `"bc6ad3cd57d7a5c539c2d6f7429418dac3fe08c776fba529f8c7d52310da0ddc"`,
  )
})

test('Latin hypercube keeps the law and lowers the error of the mean', () => {
  const model: FairModel = { nodes: { loss_event_frequency: pert(5, 40, 200), loss_magnitude: constant(1) } }
  const exact = exactAnnualLoss([planOf(model)])
  const [pseudo, stratified] = [run(model, { sampling: 'pseudo' }), run(model, { sampling: 'latin_hypercube' })]
  expect(stratified.standardError).toBeLessThan(0.4 * pseudo.standardError)
  expect(Math.abs(stratified.mean - exact.mean)).toBeLessThan(4 * stratified.standardError)
})

test.each([
  ['negative binomial', { ...modelA, count: { law: 'negative_binomial', dispersion: 0.8 } }],
  ['Bernoulli', { count: { law: 'bernoulli' }, nodes: { ...modelA.nodes, loss_event_frequency: pert(0.1, 0.3, 0.9) } }],
  ['resistance of the year', { ...modelF, resistance_scope: 'per_year' }],
  ['a wide range of rates', { nodes: { loss_event_frequency: pert(5, 40, 200), loss_magnitude: pert(1, 2, 9) } }],
  ['annual loss', { nodes: { risk: pert(1, 2, 9) } }],
  [
    'forms of loss',
    {
      nodes: {
        loss_event_frequency: constant(300),
        primary_loss: { forms: { response: pert(1, 2, 9), replacement: { type: 'gamma', shape: 2, scale: 1 } } },
      },
    },
  ],
  [
    'discrete losses',
    { nodes: { loss_event_frequency: constant(3), loss_magnitude: { type: 'empirical', sample: [1, 5, 9] } } },
  ],
] satisfies readonly (readonly [string, FairModel])[])('both engines agree: %s', (_, model) => {
  const exact = exactAnnualLoss([planOf(model)])
  const summary = run(model)
  expect(Math.abs(summary.mean - exact.mean)).toBeLessThan(4 * summary.standardError)
  expect(Math.abs(summary.sd / exact.sd - 1)).toBeLessThan(0.02)
  const error = Math.sqrt((exact.noLoss * (1 - exact.noLoss)) / 200_000)
  expect(Math.abs(summary.noLoss - exact.noLoss)).toBeLessThanOrEqual(4 * error)
  const tail = var95(summary)
  const reach = (tail?.interval.high ?? 0) - (tail?.interval.low ?? 0)
  expect(Math.abs((tail?.var ?? 0) - exact.quantile(0.95))).toBeLessThanOrEqual(1.1 * reach + exact.step)
})

test('a seed and a number of years out of range are refused', () => {
  expect(() => createSimulation(settings(modelA, { seed: '-1' }))).toThrow(RangeError)
  expect(() => createSimulation(settings(modelA, { iterations: 0 }))).toThrow(RangeError)
})
