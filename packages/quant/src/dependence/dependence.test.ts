import { expect, test } from 'vitest'
import { modelA, modelB } from '../../test/oracle-cases.ts'
import { ModelError } from '../distributions/specification.ts'
import { exactAnnualLoss } from '../loss/compound.ts'
import { planOf } from '../loss/plan.ts'
import { seedKey } from '../random/stream.ts'
import { blockYears } from '../sampling/simulate.ts'
import { summarize } from '../summary/summary.ts'
import { createAnnualLossCopula } from './annual-loss-copula.ts'
import { createCorrelatedSimulation } from './correlated-portfolio.ts'
import { CorrelationError, factorCorrelation, pearsonOfSpearman } from './correlation.ts'
import { eigenOf } from './eigen.ts'
import { ScoreSampler } from './score-sampler.ts'

const pair = (rho: number) => [
  [1, rho],
  [rho, 1],
]
const indefinite = [
  [1, 0.9, 0.1],
  [0.9, 1, 0.9],
  [0.1, 0.9, 1],
]
const rate = '/nodes/loss_event_frequency'

function spearmanOf(a: Float64Array, b: Float64Array): number {
  const ranks = (values: Float64Array): number[] => {
    const order = Array.from(values, (_, i) => i).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0))
    const result = new Array<number>(values.length)
    order.forEach((i, rank) => {
      result[i] = rank
    })
    return result
  }
  const [x, y] = [ranks(a), ranks(b)]
  const n = a.length
  const squares = x.reduce((sum, rank, i) => sum + (rank - (y[i] ?? 0)) ** 2, 0)
  return 1 - (6 * squares) / (n * (n * n - 1))
}

test('a Spearman correlation becomes the copula’s, and comes back from its scores', () => {
  expect(pearsonOfSpearman(0.4825837)).toBeCloseTo(0.5, 6)
  expect(pearsonOfSpearman(0.7859393)).toBeCloseTo(0.8, 6)
  const { factor } = factorCorrelation({ spearman: pair(0.4825837) })
  const sampler = new ScoreSampler(factor, seedKey('3'))
  const [a, b] = [new Float64Array(8 * blockYears), new Float64Array(8 * blockYears)]
  for (let block = 0; block < 8; block += 1) {
    sampler.fill(block, blockYears)
    a.set(sampler.scores[0] ?? [], block * blockYears)
    b.set(sampler.scores[1] ?? [], block * blockYears)
  }
  expect(Math.abs(spearmanOf(a, b) - 0.4825837)).toBeLessThan(4 / Math.sqrt(a.length))
})

test('a matrix that no variables can have is refused with its smallest eigenvalue, or repaired with the distance', () => {
  const pearson = indefinite.map((row) => row.map(pearsonOfSpearman))
  const smallest = Math.min(...eigenOf(pearson).values)
  expect(smallest).toBeLessThan(0)
  try {
    factorCorrelation({ spearman: indefinite })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(CorrelationError)
    expect(error).toMatchObject({ smallestEigenvalue: smallest })
  }
  const { correlation, distance } = factorCorrelation({ spearman: indefinite, repair: true })
  expect(distance).toBeGreaterThan(0)
  expect(Math.min(...eigenOf(correlation).values)).toBeGreaterThan(-1e-9)
  expect(correlation.map((row, i) => row[i])).toEqual([1, 1, 1])
})

test('Higham’s example is repaired to his nearest matrix', () => {
  // Higham 2002, page 334: nearest correlation matrix of the tridiagonal 3 × 3 matrix of ones.
  const given = [
    [1, 1, 0],
    [1, 1, 1],
    [0, 1, 1],
  ]
  const { correlation, distance } = factorCorrelation({ spearman: given, repair: true })
  expect(correlation[0]?.[1]).toBeCloseTo(0.7607, 4)
  expect(correlation[0]?.[2]).toBeCloseTo(0.1573, 4)
  expect(distance).toBeCloseTo(0.5278, 3)
})

test('what is no correlation matrix is refused where it is wrong', () => {
  for (const [spearman, pointer] of [
    [
      [
        [1, 2],
        [2, 1],
      ],
      '/0/1',
    ],
    [
      [
        [1, 0.5],
        [0.4, 1],
      ],
      '/0/1',
    ],
    [[[1, 0]], '/0'],
    [[[0.9]], '/0/0'],
  ] as const)
    expect(() => factorCorrelation({ spearman })).toThrow(expect.objectContaining({ pointer }))
})

test('comonotone annual losses have the sum of their values at risk', () => {
  const laws = [modelA, modelB].map((model) => exactAnnualLoss([planOf(model)]))
  const simulation = createAnnualLossCopula({ laws, spearman: pair(1), iterations: 400_000, seed: '1' })
  const tail = summarize(simulation.run(0, simulation.blocks)).tails[1]
  expect(tail?.interval.low).toBeLessThan(1_513_000.1)
  expect(tail?.interval.high).toBeGreaterThan(1_513_000.1)
})

test('correlated rates keep every scenario’s law and raise the tail of their sum', () => {
  const plans = [modelA, modelA, modelA, modelA].map((model) => planOf(model))
  const variables = plans.map((_, scenario) => ({ scenario, pointer: rate }))
  const run = (rho: number) => {
    const spearman = plans.map((_, i) => plans.map((__, j) => (i === j ? 1 : rho)))
    const simulation = createCorrelatedSimulation({ plans, variables, spearman, iterations: 200_000, seed: '9' })
    const parts = plans.map(() => new Float64Array(200_000))
    const total = summarize(simulation.run(0, simulation.blocks, () => false, parts))
    return { total, parts: parts.map((part) => summarize(part)) }
  }
  const [independent, correlated] = [run(0), run(0.9)]
  for (const part of correlated.parts) {
    expect(Math.abs(part.mean - 191_250)).toBeLessThan(4 * part.standardError)
    expect(part.tails[1]?.interval.low).toBeLessThan(502_302.6 * 1.01)
    expect(part.tails[1]?.interval.high).toBeGreaterThan(502_302.6 * 0.99)
  }
  expect(correlated.total.sd).toBeGreaterThan(1.15 * independent.total.sd)
})

test('any division of a correlated run gives the same bits', () => {
  const settings = {
    plans: [planOf(modelA), planOf(modelA)],
    variables: [
      { scenario: 0, pointer: rate },
      { scenario: 1, pointer: rate },
    ],
    spearman: pair(0.5),
    iterations: 50_000,
    seed: '9',
  }
  const whole = createCorrelatedSimulation(settings).run(0, 13)
  const second = createCorrelatedSimulation(settings)
  const tail = second.run(5, 13)
  expect([...second.run(0, 5), ...tail]).toEqual([...whole])
})

test('a variable without uncertainty, or named twice, is refused', () => {
  const base = { plans: [planOf(modelA), planOf(modelB)], spearman: pair(0.5), iterations: 5_000, seed: '1' }
  const twice = [0, 0].map((scenario) => ({ scenario, pointer: rate }))
  const certain = [0, 1].map((scenario) => ({ scenario, pointer: rate }))
  for (const variables of [twice, certain])
    expect(() => createCorrelatedSimulation({ ...base, variables })).toThrow(ModelError)
})

test('correlated losses keep every scenario’s law and raise the tail of their sum', () => {
  const plans = [modelB, modelB].map((model) => planOf(model))
  const variables = plans.map((_, scenario) => ({ scenario, pointer: '/nodes/loss_magnitude' }))
  const run = (rho: number) => {
    const settings = { plans, variables, spearman: pair(rho), iterations: 200_000, seed: '9' }
    const simulation = createCorrelatedSimulation(settings)
    const parts = plans.map(() => new Float64Array(200_000))
    const total = simulation.run(0, simulation.blocks, () => false, parts)
    expect([...createCorrelatedSimulation(settings).run(20, 30)]).toEqual([...total.subarray(20 * 4_096, 30 * 4_096)])
    return { total: summarize(total), parts: parts.map((part) => summarize(part)) }
  }
  const [independent, correlated] = [run(0), run(0.95)]
  for (const part of correlated.parts) {
    expect(Math.abs(part.mean - 322_795.158)).toBeLessThan(4 * part.standardError)
    expect(Math.abs(part.sd / 368_391.016 - 1)).toBeLessThan(0.03)
    expect(Math.abs((part.tails[1]?.var ?? 0) / 1_010_697.5 - 1)).toBeLessThan(0.03)
  }
  expect(correlated.total.sd).toBeGreaterThan(1.1 * independent.total.sd)
})

test('a rate that goes with its own loss raises the mean', () => {
  const run = (rho: number) => {
    const simulation = createCorrelatedSimulation({
      plans: [planOf(modelA)],
      variables: ['/nodes/loss_magnitude', rate].map((pointer) => ({ scenario: 0, pointer })),
      spearman: pair(rho),
      iterations: 100_000,
      seed: '9',
    })
    return summarize(simulation.run(0, simulation.blocks))
  }
  const independent = run(0)
  expect(Math.abs(independent.mean - 191_250)).toBeLessThan(4 * independent.standardError)
  // Near E[Λ]E[X] + sd(Λ) sd(X) for a correlation near 1.
  const strong = run(0.99)
  expect(Math.abs(strong.mean - (191_250 + 0.829 * 47_996))).toBeLessThan(4 * strong.standardError + 2_000)
})
