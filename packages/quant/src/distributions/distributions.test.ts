import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawOf } from './law.ts'
import { type Distribution, ModelError } from './specification.ts'
import { quantileAt, tableOf } from './table.ts'

const each: readonly Distribution[] = [
  { type: 'uniform', low: -1, high: 3 },
  { type: 'triangular', low: 0, mode: 1, high: 3 },
  { type: 'triangular', low: 0, mode: 0, high: 3 },
  { type: 'pert', low: 0, mode: 0, high: 1 },
  { type: 'pert', low: 10_000, mode: 50_000, high: 300_000, shape: 7 },
  { type: 'pert', low: 1, mode: 2, high: 5, variant: 'sigma6' },
  { type: 'beta', alpha: 0.5, beta: 2.5, low: 0, high: 2 },
  { type: 'truncated_normal', mean: 1, sd: 1, low: 0, high: 9 },
  { type: 'truncated_normal', mean: 0, sd: 1, low: 2, high: 9 },
  { type: 'lognormal', mean: 5, sd: 9 },
  { type: 'lognormal_interval', p05: 20_000, p95: 500_000 },
  { type: 'gamma', shape: 0.4, scale: 3 },
  { type: 'gamma', shape: 30, scale: 3 },
  { type: 'exponential', mean: 5 },
  { type: 'weibull', shape: 0.8, scale: 2 },
  { type: 'pareto', minimum: 2, shape: 3.5 },
  { type: 'generalized_pareto', location: 1, scale: 2, shape: 0 },
  { type: 'generalized_pareto', location: 1, scale: 2, shape: -0.3 },
]

test.each(each)('$type: quantile and distribution function invert each other, tails included', (distribution) => {
  const law = lawOf(distribution)
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (p) => {
      expect(Math.abs(law.cdf(law.quantile(p)) - p)).toBeLessThan(2e-9)
      expect(Math.abs(1 - law.cdf(law.upperQuantile(p)) - p)).toBeLessThan(2e-9)
    }),
    { numRuns: 50 },
  )
})

test.each(each)('$type: the table keeps mean and standard deviation, and follows the quantile', (distribution) => {
  const law = lawOf(distribution)
  const table = tableOf(distribution)
  expect(table.accuracy.within).toBe(true)
  for (const p of [1e-6, 0.001, 0.0039, 0.01, 0.3, 0.5, 0.9, 0.995, 0.9999, 1 - 1e-7]) {
    const word = p * 2 ** 32
    const value = quantileAt(table, Math.floor(word), Math.floor((word % 1) * 2 ** 32))
    expect(Math.abs(value - law.quantile(p))).toBeLessThan(1e-3 * Math.sqrt(law.variance) + 1e-4 * Math.abs(value))
  }
})

test('the table never falls by more than rounding of its cells', () => {
  const table = tableOf({ type: 'lognormal', mean: 5, sd: 9 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (a, b) => {
      const [low, high] = [quantileAt(table, Math.min(a, b), 0), quantileAt(table, Math.max(a, b), 0)]
      expect(low).toBeLessThanOrEqual(high * (1 + 1e-4))
    }),
  )
})

test('PERT has its known moments and quantiles', () => {
  const known = [
    [0.5, 2, 5, 2.25, 0.8291561976, 0.992745764, 2.1911562815, 3.7097932395],
    [10_000, 50_000, 300_000, 85_000, 47_995.535507, 21_599.656724, 76_897.227593, 176_262.253792],
    [1, 5, 15, 6, 2.5354627642, 2.2603173067, 5.7651772028, 10.547842987],
    [0, 0, 1, 0.1666666667, 0.1408590425, 0.0102062183, 0.1294494367, 0.4507197283],
  ] as const
  for (const [low, mode, high, mean, sd, p05, p50, p95] of known) {
    const law = lawOf({ type: 'pert', low, mode, high })
    const actual = [law.mean, Math.sqrt(law.variance), law.quantile(0.05), law.quantile(0.5), law.quantile(0.95)]
    ;[mean, sd, p05, p50, p95].forEach((value, i) => {
      expect(Math.abs((actual[i] ?? 0) / value - 1)).toBeLessThan(1e-8)
    })
  }
})

test('a lognormal law from its 90 % interval has the known parameters', () => {
  expect(lawOf({ type: 'lognormal_interval', p05: 20_000, p95: 500_000 }).mean).toBeCloseTo(161_397.57924286195, 6)
})

test('discrete laws and samples keep their atoms, in table and quantile', () => {
  const distribution: Distribution = { type: 'discrete', values: [5, 1, 5], probabilities: [0.25, 0.5, 0.25] }
  const law = lawOf(distribution)
  expect([law.mean, law.variance, law.cdf(0.9), law.cdf(1), law.cdf(5), law.quantile(0.5), law.quantile(0.51)]).toEqual(
    [3, 4, 0, 0.5, 1, 1, 5],
  )
  const table = tableOf(distribution)
  expect([quantileAt(table, 0, 0), quantileAt(table, 2 ** 31 - 1, 0), quantileAt(table, 2 ** 31, 0)]).toEqual([1, 1, 5])
  expect(lawOf({ type: 'empirical', sample: [1, 2, 3, 4] }).mean).toBe(2.5)
})

test('invalid parameters are refused with the pointer of the field', () => {
  const refused: readonly (readonly [Distribution, string])[] = [
    [{ type: 'pert', low: 3, mode: 2, high: 5 }, '/x/low'],
    [{ type: 'pert', low: 1, mode: 6, high: 5 }, '/x/mode'],
    [{ type: 'pert', low: 1, mode: 1, high: 1 }, '/x/high'],
    [{ type: 'pert', low: 1, mode: 2, high: 3, shape: -1 }, '/x/shape'],
    [{ type: 'uniform', low: Number.NaN, high: 1 }, '/x/low'],
    [{ type: 'exponential', mean: -1 }, '/x/mean'],
    [{ type: 'lognormal_interval', p05: 0, p95: 1 }, '/x/p05'],
    [{ type: 'pareto', minimum: 1, shape: 1 }, '/x/shape'],
    [{ type: 'generalized_pareto', location: 0, scale: 1, shape: 1 }, '/x/shape'],
    [{ type: 'discrete', values: [1, 2], probabilities: [0.5, 1.5] }, '/x/probabilities/1'],
    [{ type: 'discrete', values: [1, 2], probabilities: [0.5, 0.4] }, '/x/probabilities'],
    [{ type: 'empirical', sample: [] }, '/x/sample'],
    [{ type: 'empirical', sample: [1, Number.POSITIVE_INFINITY] }, '/x/sample/1'],
  ]
  for (const [distribution, pointer] of refused) {
    expect(() => lawOf(distribution, '/x')).toThrow(ModelError)
    try {
      lawOf(distribution, '/x')
    } catch (error) {
      expect(error).toMatchObject({ pointer })
    }
  }
})
