import { expect, test } from 'vitest'
import { createTextPool, longestPool, measureLatency } from './latency.ts'

test('every size is measured on texts of its length, and the pool is repeated where it is too short', () => {
  const lengths: number[] = []
  let clock = 0
  const report = measureLatency(
    'harmless text\n',
    [{ name: 'count', run: (text) => lengths.push(text.length) }],
    () => clock++,
  )
  expect(report.count?.map(({ characters }) => characters)).toEqual([500, 2_000, 10_000, 100_000, 1_000_000])
  expect([...new Set(lengths)]).toEqual([500, 2_000, 10_000, 100_000, 1_000_000])
  // The clock of this test moves by one at each look.
  expect(report.count?.every(({ p50, p99 }) => p50 === 1 && p99 === 1)).toBe(true)
})

test('nothing is measured without text', () => {
  expect(measureLatency('', [{ name: 'count', run: () => 0 }], () => 0)).toEqual({ count: [] })
})

test('a pool stops growing', () => {
  const pool = createTextPool()
  for (let i = 0; i < 30; i += 1) pool.add('x'.repeat(100_000))
  expect(pool.text().length).toBeLessThanOrEqual(longestPool + 1)
})
