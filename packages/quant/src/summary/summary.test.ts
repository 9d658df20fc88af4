import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelA, modelB } from '../../test/oracle-cases.ts'
import { planOf } from '../loss/plan.ts'
import { createSimulation } from '../sampling/simulate.ts'
import { allocateTail } from './allocation.ts'
import { orderSample } from './order-statistics.ts'
import { relativeError, stopCheckpoints, summarize } from './summary.ts'

const losses = fc
  .array(fc.oneof(fc.constant(0), fc.constant(5), fc.double({ min: 0, max: 1e12, noNaN: true })), {
    minLength: 1,
    maxLength: 300,
  })
  .map((values) => Float64Array.from(values, (value) => (value < 1e-300 ? 0 : value)))

test('order statistics and counts are those of the sorted sample', () => {
  fc.assert(
    fc.property(losses, fc.double({ min: 0, max: 1e12, noNaN: true }), (values, threshold) => {
      const sorted = values.slice().sort()
      const ordered = orderSample(values)
      expect(ordered.valuesAt(Array.from(values, (_, i) => i))).toEqual(Array.from(sorted))
      const thresholds = [0, threshold, ...values]
      expect(ordered.countsAbove(thresholds)).toEqual(thresholds.map((x) => values.filter((v) => v > x).length))
    }),
  )
})

test('the curve falls, starts at the years with loss and has its band', () => {
  fc.assert(
    fc.property(losses, (values) => {
      const { curve, noLoss, tails, histogram } = summarize(values)
      expect(curve[0]?.probability).toBeCloseTo(1 - noLoss, 12)
      curve.forEach((point, i) => {
        expect(point.probability).toBeLessThanOrEqual(curve[i - 1]?.probability ?? 1)
        expect(point.band.low).toBeLessThanOrEqual(point.probability)
        expect(point.band.high).toBeGreaterThanOrEqual(point.probability)
      })
      for (const tail of tails) expect(tail.tvar).toBeGreaterThanOrEqual(tail.var)
      const counted = histogram.reduce((sum, { years }) => sum + years, 0)
      expect(counted).toBe(values.filter((value) => value > 0).length)
    }),
  )
  const hundred = summarize(Float64Array.from({ length: 100 }, (_, i) => i + 1))
  expect(hundred.curve).toHaveLength(200)
  expect((hundred.curve[50]?.probability ?? 0) - (hundred.curve[50]?.band.low ?? 0)).toBeCloseTo(
    Math.sqrt(Math.log(2 / 0.05) / 200),
    12,
  )
  expect(hundred.tails.map((tail) => tail.var)).toEqual([90, 95, 99, 100])
  expect(hundred.tails[1]?.tvar).toBeCloseTo(98, 10)
  expect(hundred.trace.at(-1)).toMatchObject({ years: 100, mean: 50.5 })
})

function portfolio() {
  const plans = [planOf(modelA), planOf(modelB)]
  const simulation = createSimulation({ plans, iterations: 200_000, seed: '5' })
  const parts = plans.map(() => new Float64Array(200_000))
  return { total: simulation.run(0, simulation.blocks, () => false, parts), parts }
}

test('Euler parts add up to the TVaR, which is at most the sum of the TVaRs alone', () => {
  const { total, parts } = portfolio()
  const allocation = allocateTail(parts, total, 0.95)
  const tail = summarize(total).tails[1]
  expect(allocation.var).toBe(tail?.var)
  expect(allocation.contributions.reduce((sum, part) => sum + part, 0)).toBe(allocation.tvar)
  expect(Math.abs(allocation.tvar / (tail?.tvar ?? 0) - 1)).toBeLessThan(1e-12)
  const alone = parts.reduce((sum, part) => sum + (summarize(part).tails[1]?.tvar ?? 0), 0)
  expect(allocation.tvar).toBeLessThan(alone)
  // Exact: 1,513,000 less 1,249,721.
  expect(Math.abs(allocation.diversificationBenefit - 263_279)).toBeLessThan(15_000)
})

test('relative errors fall with the years, and checkpoints end at the maximum', () => {
  const { total } = portfolio()
  for (const statistic of ['mean', 'var90', 'var95', 'var99', 'tvar95'] as const)
    expect(relativeError(summarize(total), statistic)).toBeLessThan(
      relativeError(summarize(total.subarray(0, 20_000)), statistic),
    )
  expect(relativeError(summarize(new Float64Array(5)), 'mean')).toBe(Number.POSITIVE_INFINITY)
  expect(stopCheckpoints(4_096, 300_000)).toEqual([65_536, 131_072, 262_144, 300_000])
})
