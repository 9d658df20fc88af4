import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTDigest, restoreTDigest } from './t-digest.ts'

const uniform = (n: number) => Array.from({ length: n }, (_, i) => ((i * 7_919) % n) / n)

function filled(values: readonly number[]) {
  const digest = createTDigest()
  for (const value of values) digest.add(value)
  return digest
}

test('quantiles of 100,000 uniform values: tails within 0.0005, middle within 0.005', () => {
  const digest = filled(uniform(100_000))
  for (const q of [0.0001, 0.001, 0.999, 0.9999]) expect(Math.abs(digest.quantile(q) - q)).toBeLessThan(0.0005)
  for (const q of [0.1, 0.25, 0.5, 0.75, 0.9]) expect(Math.abs(digest.quantile(q) - q)).toBeLessThan(0.005)
  expect(digest.state().means.length).toBeLessThanOrEqual(200)
})

test('the scale of the values does not matter: log-uniform p99.9 within 2 %', () => {
  const digest = filled(uniform(100_000).map((u) => Math.exp(2 * u)))
  expect(Math.abs(digest.quantile(0.999) / Math.exp(2 * 0.999) - 1)).toBeLessThan(0.02)
})

test('few values are kept as they are', () => {
  const digest = filled([5, 1, 3])
  expect([digest.quantile(0), digest.quantile(0.5), digest.quantile(1)]).toEqual([1, 3, 5])
  expect(digest.count()).toBe(3)
  expect(Number.isNaN(createTDigest().quantile(0.5))).toBe(true)
})

test('parts merged equal the whole within the accuracy of the sketch', () => {
  const values = uniform(20_000)
  const merged = createTDigest()
  for (let part = 0; part < 10; part++) merged.merge(filled(values.filter((_, index) => index % 10 === part)))
  expect(merged.count()).toBe(20_000)
  for (const q of [0.001, 0.5, 0.999]) expect(Math.abs(merged.quantile(q) - q)).toBeLessThan(0.005)
})

test('state survives JSON, and a restored digest goes on', () => {
  const digest = filled(uniform(5_000))
  const restored = restoreTDigest(JSON.parse(JSON.stringify(digest.state())))
  expect(restored.state()).toEqual(digest.state())
  restored.add(2)
  expect(restored.quantile(1)).toBe(2)
  const empty = restoreTDigest(JSON.parse(JSON.stringify(createTDigest().state())))
  empty.add(7)
  expect(empty.quantile(0.5)).toBe(7)
})

test('quantile is monotone, inside the range, and cdf undoes it', () => {
  const samples = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 2_000 })
  fc.assert(
    fc.property(samples, (values) => {
      const digest = filled(values)
      let last = Number.NEGATIVE_INFINITY
      for (let q = 0; q <= 1; q += 0.05) {
        const value = digest.quantile(q)
        expect(value).toBeGreaterThanOrEqual(last)
        last = value
      }
      expect(digest.quantile(0)).toBe(Math.min(...values))
      expect(digest.quantile(1)).toBe(Math.max(...values))
      expect(digest.cdf(Math.max(...values))).toBe(1)
      expect(digest.cdf(Math.min(...values) - 1)).toBe(0)
    }),
  )
})

test('invalid values, weights and states are refused', () => {
  expect(() => createTDigest(5)).toThrow(RangeError)
  expect(() => createTDigest().add(Number.NaN)).toThrow(RangeError)
  expect(() => createTDigest().add(1, 0)).toThrow(RangeError)
  expect(() => filled([1]).quantile(1.5)).toThrow(RangeError)
  const state = { compression: 100, min: 0, max: 2, means: [1, 2], weights: [1, 1] }
  for (const wrong of [{ means: [2, 1] }, { weights: [1] }, { weights: [1, -1] }, { min: 5 }, { compression: 1 }]) {
    expect(() => restoreTDigest({ ...state, ...wrong })).toThrow(RangeError)
  }
})
