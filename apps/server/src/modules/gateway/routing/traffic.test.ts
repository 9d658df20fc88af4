import { describe, expect, test } from 'vitest'
import { createPeakEwma } from './peak-ewma.ts'
import { createTraffic } from './traffic.ts'

function setup() {
  let now = 1000
  const traffic = createTraffic({ monotonic: () => now })
  const wait = (ms: number) => {
    now += ms
  }
  const call = (ms: number, form: 'stream' | 'whole' = 'stream') => {
    const one = traffic.begin('p/m', form)
    wait(ms)
    one.answered()
    one.ended()
  }
  return { traffic, wait, call }
}

describe('the mean that jumps', () => {
  test('is at a peak at once and comes down with time', () => {
    const mean = createPeakEwma()
    mean.observe(100, 0)
    mean.observe(500, 1)
    expect(mean.at(1)).toBe(500)
    mean.observe(100, 10_001)
    // 500/e + 100 (1 - 1/e), the weight of ten seconds.
    expect(mean.at(10_001)).toBeCloseTo(500 / Math.E + 100 * (1 - 1 / Math.E), 6)
    expect(mean.at(60_000)).toBeLessThan(2)
  })
})

describe('what is expected of a target', () => {
  test('grows with the calls under way', () => {
    const { traffic, call } = setup()
    call(100)
    const before = traffic.expectedMs('p/m', 'stream')
    const under = traffic.begin('p/m', 'stream')
    expect(traffic.expectedMs('p/m', 'stream')).toBeCloseTo(before * 2)
    expect(traffic.inFlight('p/m')).toBe(1)
    under.ended()
    under.ended()
    expect(traffic.inFlight('p/m')).toBe(0)
  })

  test('is nothing while nobody has measured it, and much while somebody does', () => {
    const { traffic } = setup()
    expect(traffic.expectedMs('p/m', 'stream')).toBe(0)
    traffic.begin('p/m', 'stream')
    expect(traffic.expectedMs('p/m', 'stream')).toBeGreaterThan(500)
  })

  test('is kept apart for streams and whole answers', () => {
    const { traffic, call } = setup()
    call(4000, 'whole')
    call(50, 'stream')
    expect(traffic.expectedMs('p/m', 'whole')).toBeGreaterThan(3000)
    expect(traffic.expectedMs('p/m', 'stream')).toBe(50)
    expect(traffic.p95Ms('p/m', 'stream')).toBe(50)
  })
})

describe('statistics', () => {
  test('are of the last fifteen minutes', () => {
    const { traffic, call, wait } = setup()
    call(9000)
    wait(15 * 60_000)
    for (let ms = 1; ms <= 20; ms += 1) call(ms)
    traffic.begin('p/m', 'stream').failed()
    traffic.begin('other/m', 'stream')
    expect(traffic.statsUnder('p/')).toEqual([{ key: 'p/m', inFlight: 1, p50Ms: 10, p95Ms: 19, calls: 21, failed: 1 }])
  })
})
