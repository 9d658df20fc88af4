import { describe, expect, test } from 'vitest'
import type { AccountOrigin } from '../access/actor.ts'
import type { PlatformKeys } from '../keys/port.ts'
import { confirmation, type Decision, mayDecideOn } from './four-eyes.ts'

const platformKeys: PlatformKeys = {
  mac: (purpose, value) => Buffer.from(`${purpose}|${String(value)}`).toString('base64url'),
  derive: () => new Uint8Array(32),
}
const decision: Decision = { purpose: 'vault-reveal-confirm', tenantId: 't1', subject: ['call-1', 'a', 'b'] }
const day = 86_400_000
const start = 100 * day
const minutes = (count: number) => start + count * 60_000
const at = (nowMs: number) => ({
  platformKeys,
  clock: { now: () => nowMs } as Parameters<typeof confirmation>[0]['clock'],
})
const person = (userId: string, origin: Partial<AccountOrigin> = {}) => ({
  userId,
  origin: { activeSinceMs: 0, credentialsSet: null, ...origin },
})
const ada = person('ada')
const bob = person('bob')

function asked(by: Parameters<typeof confirmation>[1] = ada): string {
  const answer = confirmation(at(start), by, decision, { token: null })
  return answer.kind === 'missing' ? (answer.token ?? '') : ''
}
const token = asked()
const isConfirmed = (by: Parameters<typeof confirmation>[1], given = token, over: Partial<Decision> = {}, when = 1) =>
  confirmation(at(minutes(when)), by, { ...decision, ...over }, { token: given }).kind === 'confirmed'

test('a second person confirms within a quarter of an hour', () => {
  expect(confirmation(at(minutes(14)), bob, decision, { token })).toEqual({ kind: 'confirmed', by: 'ada' })
  expect(isConfirmed(bob, token, {}, 15)).toBe(false)
})

test.each<[what: string, over: Partial<Decision>]>([
  ['another purpose', { purpose: 'kill-switch-confirm' }],
  ['another tenant', { tenantId: 't2' }],
  ['another subject', { subject: ['call-2', 'a', 'b'] }],
  ['less', { subject: ['call-1', 'a'] }],
  ['the same texts cut elsewhere', { subject: ['call-1', 'ab'] }],
])('a token confirms nothing of %s', (_what, over) => {
  expect(isConfirmed(bob, token, over)).toBe(false)
})

test('a token that was changed or made up is none', () => {
  const [digest, , ...rest] = token.split('.')
  for (const wrong of ['', '.', 'made.up', `${token}x`, [digest, 'eve', ...rest].join('.'), token.slice(0, -2)])
    expect(isConfirmed(bob, wrong)).toBe(false)
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
    expect(isConfirmed(bob, asked(person('ada', set('bob'))))).toBe(false)
    expect(isConfirmed(person('bob', set('cyn')), asked(person('ada', set('cyn'))))).toBe(false)
    expect(isConfirmed(person('bob', set('ada', start - 7 * day)))).toBe(true)
  })

  test('nor the first person again, a service account or an account of which nothing is known', () => {
    expect(isConfirmed(ada)).toBe(false)
    expect(isConfirmed({ userId: 'bob' })).toBe(false)
    expect(isConfirmed({ ...bob, agentId: 'bob' })).toBe(false)
    expect(confirmation(at(start), { ...bob, agentId: 'bob' }, decision, { token })).toEqual({
      kind: 'missing',
      token: null,
    })
  })

  test('also where what is decided on is stored', () => {
    const stored = { by: 'ada', atMs: start }
    expect(mayDecideOn(stored, bob)).toBe(true)
    expect(mayDecideOn(stored, ada)).toBe(false)
    expect(mayDecideOn(stored, person('bob', { activeSinceMs: start + 1 }))).toBe(false)
    expect(mayDecideOn(stored, person('bob', { credentialsSet: { by: 'ada', atMs: start - day } }))).toBe(false)
  })
})

test('the first confirms alone only where that is allowed', () => {
  const alone = { token, aloneToo: true }
  expect(confirmation(at(minutes(1)), ada, decision, alone)).toEqual({ kind: 'confirmed', by: 'ada' })
})
