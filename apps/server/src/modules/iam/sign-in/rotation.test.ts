import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graceMs, judgeRefresh, type RefreshState, rotated } from './rotation.ts'

const idleMs = 24 * 3_600_000
const fresh: RefreshState = {
  status: 'active',
  refreshJti: 't0',
  previousJti: null,
  rotatedAt: 0,
  idleExpiresAt: idleMs,
  expiresAt: 30 * idleMs,
}
const successor = (jti: string): string => `t${Number(jti.slice(1)) + 1}`

test('a spent token gives its unused successor for ten seconds and not a millisecond more', () => {
  const state = rotated(fresh, { jti: 't1', now: 1_000, idleMs })
  expect(judgeRefresh(state, 't0', 1_000 + graceMs)).toBe('repeat')
  expect(judgeRefresh(state, 't0', 1_000 + graceMs + 1)).toBe('reuse')
})

test('once the successor is used its predecessor is reuse at once', () => {
  const first = rotated(fresh, { jti: 't1', now: 1_000, idleMs })
  const second = rotated(first, { jti: 't2', now: 1_001, idleMs })
  expect(judgeRefresh(second, 't0', 1_002)).toBe('reuse')
})

test('a session ends at its idle limit and at its absolute limit, whichever is first', () => {
  expect(judgeRefresh(fresh, 't0', idleMs - 1)).toBe('rotate')
  expect(judgeRefresh(fresh, 't0', idleMs)).toBe('expired')
  const late = rotated(fresh, { jti: 't1', now: 30 * idleMs - 10, idleMs })
  expect(late.idleExpiresAt).toBe(fresh.expiresAt)
})

const command = fc.record({
  /** How many tokens back from the newest one the client holds. */
  age: fc.integer({ min: 0, max: 4 }),
  wait: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constant(idleMs)),
})

interface Model {
  readonly issuedAt: readonly number[]
  readonly ended: boolean
  readonly now: number
}

/** The rule once more in other words: over the list of all tokens ever issued. */
function expected(model: Model, index: number): string {
  if (model.ended) return 'ended'
  const newest = model.issuedAt.length - 1
  const newestAt = model.issuedAt[newest] ?? 0
  if (model.now - newestAt >= idleMs || model.now >= fresh.expiresAt) return 'expired'
  if (index === newest) return 'rotate'
  return index === newest - 1 && model.now - newestAt <= graceMs ? 'repeat' : 'reuse'
}

test('any sequence of refreshes behaves as the model does, and a session never has two usable tokens', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = fresh
      let model: Model = { issuedAt: [0], ended: false, now: 0 }
      for (const { age, wait } of commands) {
        model = { ...model, now: model.now + wait }
        const index = Math.max(0, model.issuedAt.length - 1 - age)
        const verdict = judgeRefresh(state, `t${index}`, model.now)
        expect(verdict).toBe(expected(model, index))
        if (verdict === 'rotate') {
          state = rotated(state, { jti: successor(state.refreshJti), now: model.now, idleMs })
          model = { ...model, issuedAt: [...model.issuedAt, model.now] }
        }
        if (verdict === 'reuse') {
          state = { ...state, status: 'revoked' }
          model = { ...model, ended: true }
        }
        const usable = model.issuedAt.filter((_, at) => judgeRefresh(state, `t${at}`, model.now) === 'rotate')
        expect(usable.length).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 2000 },
  )
})
