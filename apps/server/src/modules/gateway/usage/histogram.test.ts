import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Buckets, bucketOf, quantile } from './histogram.ts'

function counted(values: readonly number[]): Buckets {
  const buckets = new Map<number, number>()
  for (const value of values) buckets.set(bucketOf(value), (buckets.get(bucketOf(value)) ?? 0) + 1)
  return buckets
}

function merged(a: Buckets, b: Buckets): Buckets {
  const sum = new Map(a)
  for (const [bucket, count] of b) sum.set(bucket, (sum.get(bucket) ?? 0) + count)
  return sum
}

const durations = fc.array(fc.double({ min: 0.01, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 200 })
const shares = fc.constantFrom(0.5, 0.95, 0.99, 1)

test('a quantile is within two percent of the exact one', () => {
  fc.assert(
    fc.property(durations, shares, (values, share) => {
      const sorted = [...values].sort((a, b) => a - b)
      const exact = sorted[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0
      const read = quantile(counted(values), share) ?? 0
      // The result is rounded to a microsecond.
      expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.02 + 0.0006)
    }),
  )
})

test('adding up the counts of two hours is counting them together', () => {
  fc.assert(
    fc.property(durations, durations, shares, (a, b, share) => {
      expect(quantile(merged(counted(a), counted(b)), share)).toBe(quantile(counted([...a, ...b]), share))
    }),
  )
})

test('nothing has no quantile', () => {
  expect(quantile(new Map(), 0.5)).toBe(null)
})
