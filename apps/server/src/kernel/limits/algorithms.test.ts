import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryLimiter } from './adapters/memory.ts'

interface Arrival {
  readonly waitMs: number
  readonly cost: number
}

/** The definition itself: every granted unit with its time, searched from the start at each arrival. */
function createReference(limit: number, windowMs: number) {
  const granted: { at: number; cost: number }[] = []
  const usedAt = (now: number) => granted.reduce((sum, unit) => sum + (now - unit.at < windowMs ? unit.cost : 0), 0)
  return {
    take(now: number, cost: number): boolean {
      if (usedAt(now) + cost > limit) return false
      granted.push({ at: now, cost })
      return true
    },
    grant: (now: number, cost: number) => granted.push({ at: now, cost }),
    usedAt,
  }
}

const arrivals = (maxWaitMs: number, maxCost: number) =>
  fc.array(
    fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: maxWaitMs })),
      cost: fc.integer({ min: 0, max: maxCost }),
    }),
    { minLength: 1, maxLength: 150 },
  )

test('C26 the exact log decides every arrival as the definition does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 90_000 }), arrivals(30_000, 60), exactly),
    { numRuns: 300 },
  )

  function exactly(limit: number, windowMs: number, sequence: readonly Arrival[]): void {
    let now = 1_800_000_000_123
    const limiter = createMemoryLimiter({ now: () => now })
    const reference = createReference(limit, windowMs)
    for (const { waitMs, cost } of sequence) {
      now += waitMs
      expect(limiter.take('{t}:x', { limit, windowMs }, cost).allowed).toBe(reference.take(now, cost))
    }
  }
})

test('the ring never lets a window hold more than the limit, whatever the window and the clock', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 201, max: 600 }),
      fc.integer({ min: 1, max: 90_000 }),
      fc.integer({ min: 0, max: 1_800_000_000_000 }),
      arrivals(10_000, 250),
      neverOver,
    ),
    { numRuns: 300 },
  )

  function neverOver(limit: number, windowMs: number, start: number, sequence: readonly Arrival[]): void {
    let now = start
    const limiter = createMemoryLimiter({ now: () => now })
    const reference = createReference(limit, windowMs)
    for (const { waitMs, cost } of sequence) {
      now += waitMs
      if (limiter.take('{t}:x', { limit, windowMs }, cost).allowed) reference.grant(now, cost)
      expect(reference.usedAt(now)).toBeLessThanOrEqual(limit)
    }
  }
})

test('the ring refuses only what the definition would grant in the slot before', () => {
  // Units older than a window and one slot never count: a ring may be late, but by no more than its slot.
  fc.assert(
    fc.property(fc.integer({ min: 201, max: 600 }), arrivals(10_000, 250), (limit, sequence) => {
      const windowMs = 60_000
      let now = 1_800_000_000_123
      const limiter = createMemoryLimiter({ now: () => now })
      const wider = createReference(limit, windowMs + 1_000)
      for (const { waitMs, cost } of sequence) {
        now += waitMs
        const { allowed } = limiter.take('{t}:x', { limit, windowMs }, cost)
        if (!allowed) expect(wider.usedAt(now) + cost).toBeGreaterThan(limit)
        else wider.grant(now, cost)
      }
    }),
    { numRuns: 300 },
  )
})

test('a refused arrival is granted after exactly the wait it was told', () => {
  fc.assert(
    fc.property(fc.constantFrom(7, 150, 201, 500), arrivals(20_000, 120), (limit, sequence) => {
      const rule = { limit, windowMs: 60_000 }
      let now = 1_800_000_000_123
      const limiter = createMemoryLimiter({ now: () => now })
      for (const { waitMs, cost } of sequence) {
        now += waitMs
        const { allowed, retryAfterMs } = limiter.take('{t}:x', rule, cost)
        if (allowed || cost > limit) continue
        now += retryAfterMs - 1
        expect(limiter.peek('{t}:x', rule, cost).allowed).toBe(false)
        now += 1
        expect(limiter.peek('{t}:x', rule, cost).allowed).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

test('a full limiter drops the key idle for longest and says so', () => {
  let now = 0
  const limiter = createMemoryLimiter({ now: () => now, maxKeys: 3 })
  const rule = { limit: 1, windowMs: 1_000 }
  for (const key of ['a', 'b', 'c']) limiter.take(key, rule)
  limiter.take('a', rule)
  limiter.take('d', rule)
  expect(limiter.stats()).toEqual({ keys: 3, forgotten: 1 })
  expect(limiter.peek('a', rule).allowed).toBe(false)
  expect(limiter.peek('b', rule).allowed).toBe(true)
  now += 5_000
  limiter.take('e', rule)
  expect(limiter.stats().forgotten).toBe(1)
})

test('a flood of keys leaves no more than the bound', () => {
  const limiter = createMemoryLimiter({ now: () => 0, maxKeys: 1_000 })
  for (let key = 0; key < 100_000; key += 1) limiter.take(`k${key}`, { limit: 5, windowMs: 1_000 })
  expect(limiter.stats().keys).toBe(1_000)
})
