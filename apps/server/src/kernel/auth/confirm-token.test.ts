import { expect, test } from 'vitest'
import type { PlatformKeys } from '../keys/port.ts'
import { type Confirmable, makeConfirmToken, readConfirmToken } from './confirm-token.ts'

const keys: PlatformKeys = {
  mac: (purpose, value) => Buffer.from(`${purpose}|${String(value)}`).toString('base64url'),
  derive: () => new Uint8Array(32),
}
const asked: Confirmable = { purpose: 'vault-reveal-confirm', tenantId: 't1', subject: ['call-1', 'a', 'b'] }
const token = makeConfirmToken(keys, { ...asked, by: 'ada' }, 1_000)
const minutes = (count: number) => 1_000 + count * 60_000

test('a token names who asked, for a quarter of an hour', () => {
  expect(readConfirmToken(keys, token, { ...asked, nowMs: minutes(14) })).toEqual({ by: 'ada' })
  expect(readConfirmToken(keys, token, { ...asked, nowMs: minutes(15) })).toBeNull()
})

test.each<[what: string, over: Partial<Confirmable>]>([
  ['another purpose', { purpose: 'kill-switch-confirm' }],
  ['another tenant', { tenantId: 't2' }],
  ['another subject', { subject: ['call-2', 'a', 'b'] }],
  ['less', { subject: ['call-1', 'a'] }],
  ['the same texts cut elsewhere', { subject: ['call-1', 'ab'] }],
])('a token confirms nothing of %s', (_what, over) => {
  expect(readConfirmToken(keys, token, { ...asked, ...over, nowMs: minutes(1) })).toBeNull()
})

test('a token that was changed or made up is none', () => {
  const [digest, , ends, mac] = token.split('.')
  for (const wrong of ['', '.', 'made.up', `${token}x`, [digest, 'eve', ends, mac].join('.'), token.slice(0, -2)])
    expect(readConfirmToken(keys, wrong, { ...asked, nowMs: minutes(1) })).toBeNull()
})
