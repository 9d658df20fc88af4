import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases, constant, modelA, modelB, modelF, pert } from '../../test/oracle-cases.ts'
import { lawOf } from '../distributions/law.ts'
import { exactAnnualLoss, momentsOf } from './compound.ts'
import type { FairModel } from './fair-model.ts'
import { planOf } from './plan.ts'

const near = (actual: number, expected: number, tolerance = 2e-4): void => {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected))
}
const oracles = new URL('../../../../../shared/data/quant/oracles.json', import.meta.url)

test.each(cases)('the exact law of case $name is within 0.02 % of every known value', ({ model, expected }) => {
  const law = exactAnnualLoss([planOf(model)])
  near(law.mean, expected.mean)
  near(law.sd, expected.sd)
  near(law.noLoss, expected.p0)
  near(law.quantile(0.5), expected.p50 ?? 0)
  near(law.quantile(0.95), expected.var95)
  near(law.quantile(0.99), expected.var99)
  near(law.tailMean(0.95), expected.tvar95)
})

// Where the table of oracles is missing, the values above are the test.
test.skipIf(!existsSync(oracles))('the exact law agrees with every row of the table, exceedances included', () => {
  const table = JSON.parse(readFileSync(oracles, 'utf8')).aggregate_exact
  for (const { name, model } of cases) {
    const law = exactAnnualLoss([planOf(model)])
    const row = table[name]
    for (const [key, p] of [
      ['p50', 0.5],
      ['p75', 0.75],
      ['p90', 0.9],
      ['var95', 0.95],
      ['var99', 0.99],
    ] as const)
      if (row[key] !== undefined) near(law.quantile(p), row[key])
    for (const [loss, p] of Object.entries(row.lec ?? {}))
      expect(Math.abs(law.exceedance(Number(loss)) - Number(p))).toBeLessThan(2e-6)
  }
})

test('an independent portfolio is the product of transforms', () => {
  const law = exactAnnualLoss([planOf(modelA), planOf(modelB)])
  near(law.mean, 514_045.16)
  near(law.sd, 402_639.3, 1e-3)
  near(law.noLoss, 0.0194048)
  near(law.quantile(0.5), 426_582.3)
  near(law.quantile(0.95), 1_249_721.1)
  near(law.quantile(0.99), 1_907_786.9)
  near(law.tailMean(0.95), 1_677_728.4, 1e-3)
})

test('riskquant’s published annualized loss is reproduced', () => {
  const model: FairModel = {
    nodes: { loss_event_frequency: constant(0.1), loss_magnitude: { type: 'lognormal_interval', p05: 1, p95: 10 } },
  }
  near(momentsOf(planOf(model)).mean, 0.4040012827, 1e-9)
})

/** Panjer's recursion for a compound Poisson law on a lattice: another algorithm for the same law. */
function panjer(rate: number, losses: readonly number[], size: number): number[] {
  const mass = [Math.exp(-rate)]
  for (let s = 1; s < size; s += 1) {
    let sum = 0
    for (let j = 1; j <= Math.min(s, losses.length - 1); j += 1) sum += j * (losses[j] ?? 0) * (mass[s - j] ?? 0)
    mass.push((rate * sum) / s)
  }
  return mass
}

test('Panjer’s recursion gives the same distribution function', () => {
  const severity = pert(10_000, 50_000, 300_000)
  const law = exactAnnualLoss([planOf({ nodes: { loss_event_frequency: constant(2.5), loss_magnitude: severity } })])
  const { cdf } = lawOf(severity)
  const step = 500
  const lattice = Array.from({ length: 602 }, (_, i) => cdf((i + 0.5) * step) - (i === 0 ? 0 : cdf((i - 0.5) * step)))
  let sum = 0
  panjer(2.5, lattice, 2_000).forEach((mass, i) => {
    sum += mass
    if (i % 100 === 50) expect(Math.abs(law.cdf((i + 0.5) * step) - sum)).toBeLessThan(2e-6)
  })
})

test('moments follow the closed forms for each count law', () => {
  const rate = lawOf(pert(0.2, 0.5, 0.9))
  const loss = lawOf(pert(1, 4, 9))
  const second = loss.variance + loss.mean ** 2
  const expected = {
    poisson: rate.mean * second + rate.variance * loss.mean ** 2,
    bernoulli: rate.mean * second - (rate.mean * loss.mean) ** 2,
    negative_binomial: rate.mean * second + (1.5 * (rate.variance + rate.mean ** 2) - rate.mean ** 2) * loss.mean ** 2,
  }
  for (const count of [
    { law: 'poisson' },
    { law: 'bernoulli' },
    { law: 'negative_binomial', dispersion: 0.5 },
  ] as const) {
    const model: FairModel = {
      count,
      nodes: { loss_event_frequency: pert(0.2, 0.5, 0.9), loss_magnitude: pert(1, 4, 9) },
    }
    const law = exactAnnualLoss([planOf(model)])
    near(law.mean, rate.mean * loss.mean, 1e-9)
    near(law.variance, expected[count.law], 1e-9)
    // The grid gives the same mean as the closed form.
    near(law.limitedMean(1e9), law.mean, 1e-4)
    near(law.limitedMean(law.quantile(0.999999)), law.mean, 2e-4)
  }
})

test('the law is a law: rising, TVaR above VaR, starting at the years without loss', () => {
  const small = fc.double({ min: 0.05, max: 4, noNaN: true })
  fc.assert(
    fc.property(small, small, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (rate, sd, p) => {
      const law = exactAnnualLoss([
        planOf({ nodes: { loss_event_frequency: constant(rate), loss_magnitude: { type: 'lognormal', mean: 1, sd } } }),
      ])
      expect(law.noLoss).toBeCloseTo(Math.exp(-rate), 12)
      expect(law.cdf(0)).toBeCloseTo(law.noLoss, 12)
      expect(law.tailMean(p)).toBeGreaterThanOrEqual(law.quantile(p))
      const x = law.quantile(p)
      if (x > 0) expect(law.cdf(x)).toBeCloseTo(p, 9)
    }),
    { numRuns: 15 },
  )
})

test('a year’s own resistance keeps the mean and fattens the tail', () => {
  const perEvent = exactAnnualLoss([planOf(modelF)])
  const perYear = exactAnnualLoss([planOf({ ...modelF, resistance_scope: 'per_year' })])
  near(perYear.mean, perEvent.mean, 1e-4)
  expect(perYear.quantile(0.99)).toBeGreaterThan(1.05 * perEvent.quantile(0.99))
})
