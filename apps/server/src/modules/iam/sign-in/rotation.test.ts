import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bounded, graceMs, judgeRefresh, type RefreshClient, type RefreshState, rotated } from './rotation.ts'

const idleMs = 24 * 3_600_000
const fresh: RefreshState = {
  status: 'active',
  refreshJti: 't0',
  previousJti: null,
  rotatedAt: 0,
  idleExpiresAt: idleMs,
  expiresAt: 30 * idleMs,
  rotatedBy: null,
}
const clients: readonly [RefreshClient, RefreshClient, RefreshClient] = [
  { ip: '203.0.113.9', userAgent: 'console', deviceId: null },
  { ip: '198.51.100.9', userAgent: 'console', deviceId: null },
  { ip: '203.0.113.9', userAgent: null, deviceId: null },
]
const [client, elsewhere, otherAgent] = clients
const judge = (state: RefreshState, jti: string, now: number): string => judgeRefresh(state, { jti, now, client })
const successor = (jti: string): string => `t${Number(jti.slice(1)) + 1}`

test('C02 a spent token gives its unused successor for ten seconds and not a millisecond more', () => {
  const state = rotated(fresh, { jti: 't1', now: 1_000, idleMs, client })
  expect(judge(state, 't0', 1_000 + graceMs)).toBe('repeat')
  expect(judge(state, 't0', 1_000 + graceMs + 1)).toBe('reuse')
})

test('C02 a spent token gives its successor to the client that spent it: same address, same user agent', () => {
  const state = rotated(fresh, { jti: 't1', now: 1_000, idleMs, client })
  const verdicts = [client, elsewhere, otherAgent].map((who) =>
    judgeRefresh(state, { jti: 't0', now: 1_001, client: who }),
  )
  expect(verdicts).toEqual(['repeat', 'reuse', 'reuse'])
  expect(judgeRefresh(state, { jti: 't1', now: 1_001, client: elsewhere })).toBe('rotate')
})

test('C02 a browser that shows its own cookie is known from any network, another browser from its own only', () => {
  const browser = { ...client, deviceId: 'd1' }
  const state = rotated(fresh, { jti: 't1', now: 1_000, idleMs, client: browser })
  const others = [{ ...elsewhere, deviceId: 'd1' }, { ...elsewhere, deviceId: 'd2' }, elsewhere]
  const verdicts = others.map((who) => judgeRefresh(state, { jti: 't0', now: 1_001, client: who }))
  expect(verdicts).toEqual(['repeat', 'reuse', 'reuse'])
})

test('a life that became shorter binds a session that is open, a longer one does not', () => {
  const hour = 3_600_000
  const shorter = bounded(fresh, { startedAt: 0, idleMs: hour, absoluteMs: 24 * hour, most: 20 })
  expect([shorter.idleExpiresAt, shorter.expiresAt]).toEqual([hour, 24 * hour])
  expect(bounded(fresh, { startedAt: 0, idleMs: 2 * idleMs, absoluteMs: 90 * idleMs, most: 20 })).toEqual(fresh)
})

test('C02 once the successor is used its predecessor is reuse at once', () => {
  const first = rotated(fresh, { jti: 't1', now: 1_000, idleMs, client })
  const second = rotated(first, { jti: 't2', now: 1_001, idleMs, client })
  expect(judge(second, 't0', 1_002)).toBe('reuse')
})

test('a session ends at its idle limit and at its absolute limit, whichever is first', () => {
  expect(judge(fresh, 't0', idleMs - 1)).toBe('rotate')
  expect(judge(fresh, 't0', idleMs)).toBe('expired')
  const late = rotated(fresh, { jti: 't1', now: 30 * idleMs - 10, idleMs, client })
  expect(late.idleExpiresAt).toBe(fresh.expiresAt)
})

const command = fc.record({
  /** How many tokens back from the newest one the client holds. */
  age: fc.integer({ min: 0, max: 4 }),
  client: fc.constantFrom(...clients),
  wait: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constant(idleMs)),
})

interface Model {
  readonly issuedAt: readonly number[]
  /** The client that spent the newest token but one. */
  readonly spender: RefreshClient | null
  readonly ended: boolean
  readonly now: number
}

/** The rule once more in other words: over the list of all tokens ever issued. */
function expected(model: Model, index: number, who: RefreshClient): string {
  if (model.ended) return 'ended'
  const newest = model.issuedAt.length - 1
  const newestAt = model.issuedAt[newest] ?? 0
  if (model.now - newestAt >= idleMs || model.now >= fresh.expiresAt) return 'expired'
  if (index === newest) return 'rotate'
  const lost = index === newest - 1 && model.now - newestAt <= graceMs
  return lost && who === model.spender ? 'repeat' : 'reuse'
}

test('C02 any sequence of refreshes behaves as the model does, and a session never has two usable tokens', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = fresh
      let model: Model = { issuedAt: [0], spender: null, ended: false, now: 0 }
      for (const { age, wait, client: who } of commands) {
        model = { ...model, now: model.now + wait }
        const index = Math.max(0, model.issuedAt.length - 1 - age)
        const verdict = judgeRefresh(state, { jti: `t${index}`, now: model.now, client: who })
        expect(verdict).toBe(expected(model, index, who))
        if (verdict === 'rotate') {
          state = rotated(state, { jti: successor(state.refreshJti), now: model.now, idleMs, client: who })
          model = { ...model, issuedAt: [...model.issuedAt, model.now], spender: who }
        }
        if (verdict === 'reuse') {
          state = { ...state, status: 'revoked' }
          model = { ...model, ended: true }
        }
        const usable = model.issuedAt.filter((_, at) => judge(state, `t${at}`, model.now) === 'rotate')
        expect(usable.length).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 2000 },
  )
})
