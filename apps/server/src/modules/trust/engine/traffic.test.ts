import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_DECAY_CONFIG } from './config-defaults.ts'
import { daysAgo, NOW } from './score.arbitraries.ts'
import { callsUntilMove, gatewayMoved } from './traffic.ts'

const term = (good: number, n: number, observed_at = NOW) => ({ id: 'enforced', good, n, observed_at })
const others = (n: number, observed_at = NOW) =>
  ['fail_open', 'protected', 'budgeted'].map((id) => ({ id, good: n, n, observed_at }))
const terms = (before: readonly ReturnType<typeof term>[], now = before) => ({
  before,
  now,
  config: DEFAULT_DECAY_CONFIG,
  at: NOW,
})

test('a term that moved by half a point has moved, one that moved less has not', () => {
  expect(gatewayMoved(terms([term(90, 100)], [term(91, 101)]))).toBe(false)
  expect(gatewayMoved(terms([term(90, 100)], [term(95, 105)]))).toBe(true)
  expect(gatewayMoved(terms([term(90, 100)], [term(90, 101)]))).toBe(true)
})

test('the first call of a tenant may move a term, and the next one after a long silence', () => {
  expect(callsUntilMove(terms([]))).toBe(1)
  const aged = [term(100_000, 100_000, daysAgo(3)), ...others(100_000, daysAgo(3))]
  expect(callsUntilMove(terms(aged))).toBe(1)
})

test('fewer calls than that never move a term by half a point, however they end', () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (n, share, good) => {
      const before = [term(Math.floor(n * share), n), ...others(1_000_000)]
      const calls = callsUntilMove(terms(before)) - 1
      const after = [term(Math.floor(n * share) + (good ? calls : 0), n + calls), ...others(1_000_000)]
      expect(gatewayMoved(terms(before, after))).toBe(false)
    }),
  )
})

test('a busy tenant needs hundreds of calls', () => {
  expect(callsUntilMove(terms([term(100_000, 100_000), ...others(100_000)]))).toBe(493)
})
