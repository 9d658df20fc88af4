import fc from 'fast-check'
import { expect, test } from 'vitest'
import { betaRegularized } from './beta.ts'
import { exp, expm1, log, log1p, power } from './exp-log.ts'
import { transform } from './fft.ts'
import { gammaP, gammaQ, logGamma } from './gamma.ts'
import { normalCdf, normalQuantile } from './normal.ts'
import { betaRule, reduceRule } from './quadrature.ts'
import { cosine, sine } from './trigonometry.ts'

const ulp = (x: number): number => Math.max(Number.MIN_VALUE, Math.abs(x) * 2 ** -52)
const within = (actual: number, expected: number, tolerance: number): void =>
  expect(Math.abs(actual - expected) / Math.max(Math.abs(expected), 1e-300)).toBeLessThanOrEqual(tolerance)

test('exp and log are within 1 ulp of the engine, which is itself within 1 ulp', () => {
  fc.assert(
    fc.property(fc.double({ min: -745, max: 709, noNaN: true }), (x) => {
      expect(Math.abs(exp(x) - Math.exp(x))).toBeLessThanOrEqual(2 * ulp(Math.exp(x)))
    }),
    { numRuns: 5_000 },
  )
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, max: 1e308, noNaN: true }), (x) => {
      expect(Math.abs(log(x) - Math.log(x))).toBeLessThanOrEqual(2 * ulp(Math.log(x)))
    }),
    { numRuns: 5_000 },
  )
})

test('exp and log keep their values at the edges', () => {
  expect([exp(0), exp(-Infinity), exp(Infinity), exp(710), exp(-746), exp(Number.NaN)]).toEqual([
    1,
    0,
    Infinity,
    Infinity,
    0,
    Number.NaN,
  ])
  expect([log(1), log(0), log(Infinity), log(-1)]).toEqual([0, -Infinity, Infinity, Number.NaN])
  within(exp(-740), 4.2e-322, 0.02)
  within(exp(709.7), 1.6549840276802644e308, 1e-13)
  within(log(5e-324), -744.4400719213812, 1e-15)
})

test('log1p, expm1 and powers are accurate near zero', () => {
  fc.assert(
    fc.property(fc.double({ min: -0.999, max: 1e3, noNaN: true }), (x) => {
      within(log1p(x), Math.log1p(x), 1e-14)
      within(expm1(Math.min(x, 50)), Math.expm1(Math.min(x, 50)), 1e-14)
    }),
  )
  within(power(2.5, 3.5), 24.705294220065465, 1e-14)
})

test('sine and cosine agree with the engine', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (x) => {
      expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThan(4e-16)
      expect(Math.abs(cosine(x) - Math.cos(x))).toBeLessThan(4e-16)
    }),
    { numRuns: 3_000 },
  )
})

test('gamma functions have their known values', () => {
  within(logGamma(0.5), 0.5723649429247001, 1e-14)
  within(logGamma(10), 12.801827480081469, 1e-15)
  within(gammaP(1, 2), 1 - Math.exp(-2), 1e-14)
  within(gammaQ(3, 50), Math.exp(-50) * (1 + 50 + 1250), 1e-13)
  within(gammaP(0.5, 0.01), 0.1124629160182849, 1e-13)
  within(gammaP(1_000, 1_000) + gammaQ(1_000, 1_000), 1, 1e-13)
})

test('the incomplete beta function has its closed forms', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 20 }), (x, b) => {
      expect(betaRegularized(1, b, x)).toBeCloseTo(1 - (1 - x) ** b, 12)
      expect(betaRegularized(b, 3, x)).toBeCloseTo(1 - betaRegularized(3, b, 1 - x), 12)
    }),
  )
  within(betaRegularized(2, 3, 0.4), 0.5248, 1e-13)
})

test('the normal quantile inverts the normal distribution function', () => {
  within(normalCdf(-1.959963984540054), 0.025, 1e-13)
  within(normalCdf(-10), 7.619853024160527e-24, 1e-12)
  within(normalQuantile(0.95), 1.6448536269514722, 1e-14)
  fc.assert(
    fc.property(fc.double({ min: -37, max: 8, noNaN: true }), (z) => {
      expect(normalQuantile(normalCdf(z))).toBeCloseTo(z, z > 5 ? 1 : 9)
    }),
  )
})

test('a transform and its inverse give back the values', () => {
  const real = Float64Array.from({ length: 256 }, (_, i) => Math.sin(i * i))
  const imaginary = new Float64Array(256)
  const back = [Float64Array.from(real), imaginary] as const
  transform(back[0], back[1], 1)
  expect(back[0][0]).toBeCloseTo(
    real.reduce((sum, x) => sum + x, 0),
    12,
  )
  transform(back[0], back[1], -1)
  real.forEach((x, i) => {
    expect((back[0][i] ?? 0) / 256).toBeCloseTo(x, 13)
  })
})

test('Gauss–Jacobi rules integrate polynomials exactly, also after reduction', () => {
  const moment = (rule: ReturnType<typeof betaRule>, k: number): number =>
    rule.nodes.reduce((sum, x, i) => sum + (rule.weights[i] ?? 0) * x ** k, 0)
  fc.assert(
    fc.property(fc.double({ min: 1, max: 8, noNaN: true }), fc.double({ min: 1, max: 8, noNaN: true }), (a, b) => {
      let expected = 1
      const rule = betaRule(a, b, 12)
      const reduced = reduceRule(betaRule(a, b, 40), 12)
      for (let k = 0; k < 20; k += 1) {
        expect(moment(rule, k)).toBeCloseTo(expected, 12)
        expect(moment(reduced, k)).toBeCloseTo(expected, 10)
        expected *= (a + k) / (a + b + k)
      }
    }),
    { numRuns: 30 },
  )
})
