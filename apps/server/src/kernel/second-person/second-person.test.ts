import { describe, expect, test } from 'vitest'
import type { AccountOrigin } from '../access/actor.ts'
import { apiErrors } from '../errors/errors.ts'
import type { PlatformKeys } from '../keys/port.ts'
import { repeatableCall } from './call.ts'
import { needOtherPerson } from './people.ts'
import { type ConfirmableDecision, confirmation } from './second-person.ts'

const platformKeys: PlatformKeys = {
  mac: (purpose, value) => Buffer.from(`${purpose}|${String(value)}`).toString('base64url'),
  derive: () => new Uint8Array(32),
}
type Caller = Parameters<typeof confirmation>[1]

const route = 'POST /api/v1/gateway/vault/reveal'
const body = { request_id: 'call-1', placeholders: ['a', 'b'] }
const decision = { tenantId: 't1', call: repeatableCall({ route, query: {}, body }), state: ['call-1', 1] }
const day = 86_400_000
const start = 100 * day
const at = (minutes: number) => ({
  platformKeys,
  clock: { now: () => start + minutes * 60_000 },
})
const person = (userId: string, origin: Partial<AccountOrigin> = {}) => ({
  userId,
  origin: { activeSinceMs: 0, credentialsSet: null, ...origin },
})
const ada = person('ada')
const bob = person('bob')

function asked(by: Caller = ada): string {
  const answer = confirmation(at(0), by, decision)
  return answer.kind === 'missing' ? (answer.token ?? '') : ''
}
const token = asked()

interface Again extends Partial<Omit<ConfirmableDecision, 'call'>> {
  readonly token?: string
  readonly route?: string
  readonly query?: object
  readonly body?: object
  readonly minutes?: number
}

function answerTo(by: Caller, again: Again = {}) {
  const { token: given = token, minutes = 1, ...over } = again
  const input = { route, query: {}, body, ...over }
  const call = repeatableCall({ ...input, body: { ...input.body, confirm_token: given } })
  return confirmation(at(minutes), by, { ...decision, ...over, call })
}
const isConfirmed = (by: Caller, again: Again = {}) => answerTo(by, again).kind === 'confirmed'

test('a second person confirms within a quarter of an hour', () => {
  expect(answerTo(bob, { minutes: 14 })).toEqual({ kind: 'confirmed', by: 'ada', token })
  expect(isConfirmed(bob, { minutes: 15 })).toBe(false)
})

test('the members of the body may stand in another order', () => {
  expect(isConfirmed(bob, { body: { placeholders: ['a', 'b'], request_id: 'call-1' } })).toBe(true)
})

test.each<[name: string, again: Again]>([
  ['another route', { route: 'POST /api/v1/gateway/vault/shred' }],
  ['another tenant', { tenantId: 't2' }],
  ['another state', { state: ['call-1', 2] }],
  ['another query', { query: { dry_run: true } }],
  ['another body', { body: { ...body, request_id: 'call-2' } }],
  ['a body with more', { body: { ...body, reason: 'other' } }],
  ['another order of a list', { body: { ...body, placeholders: ['b', 'a'] } }],
])('a token confirms nothing of %s', (_name, again) => {
  expect(isConfirmed(bob, again)).toBe(false)
})

test('a token that was changed or made up is none', () => {
  const [digest, , ...rest] = token.split('.')
  for (const wrong of ['', '.', 'made.up', `${token}x`, [digest, 'eve', ...rest].join('.'), token.slice(0, -2)])
    expect(isConfirmed(bob, { token: wrong })).toBe(false)
})

describe('C19 the second person is no puppet', () => {
  test('of an account that became active after the first call', () => {
    expect(isConfirmed(person('bob', { activeSinceMs: start + 1 }))).toBe(false)
    expect(isConfirmed(person('bob', { activeSinceMs: start }))).toBe(true)
  })

  test('whose credentials the first set or reset, or the other way round', () => {
    const set = (by: string, atMs = start - day) => ({ credentialsSet: { by, atMs } })
    expect(isConfirmed(person('bob', set('ada')))).toBe(false)
    expect(isConfirmed(person('bob', set('cyn')))).toBe(true)
    expect(isConfirmed(bob, { token: asked(person('ada', set('bob'))) })).toBe(false)
    expect(isConfirmed(person('bob', set('cyn')), { token: asked(person('ada', set('cyn'))) })).toBe(false)
    expect(isConfirmed(person('bob', set('ada', start - 7 * day)))).toBe(true)
  })

  test('nor the first person again, a service account or an account of which nothing is known', () => {
    expect(isConfirmed(ada)).toBe(false)
    expect(isConfirmed({ userId: 'bob' })).toBe(false)
    expect(isConfirmed({ ...bob, agentId: 'bob' })).toBe(false)
    expect(isConfirmed({ ...bob, job: { kind: 'platform.workflow', id: '1' } })).toBe(false)
    expect(answerTo({ ...bob, agentId: 'bob' })).toEqual({ kind: 'missing', token: null })
  })

  test('also where the request is stored', () => {
    const decide = (by: Caller) => () =>
      needOtherPerson({ by: 'ada', atMs: start }, by, () => apiErrors.notFound({ what: 'x' }))
    expect(decide(bob)).not.toThrow()
    for (const wrong of [
      ada,
      { ...bob, agentId: 'bob' },
      person('bob', { activeSinceMs: start + 1 }),
      person('bob', { credentialsSet: { by: 'ada', atMs: start - day } }),
    ])
      expect(decide(wrong)).toThrow('x')
  })
})

test('the first confirms alone only where that is allowed', () => {
  expect(answerTo(ada, { aloneToo: true })).toEqual({ kind: 'confirmed', by: 'ada', token })
})
