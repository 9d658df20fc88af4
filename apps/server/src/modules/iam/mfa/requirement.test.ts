import { expect, test } from 'vitest'
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { graceMs, graceOf, isDemanded, showedSecondFactor } from './requirement.ts'

const reader = permissionSet(['iam:write'])
const administrator = permissionSet(['trust:admin'])

test('a policy demands a second factor of nobody, of those who administer anything, or of everybody', () => {
  const demanded = (mfa_policy: 'off' | 'admins' | 'all') =>
    [reader, administrator].map((permissions) => isDemanded({ mfa_policy }, permissions))
  expect(demanded('off')).toEqual([false, false])
  expect(demanded('admins')).toEqual([false, true])
  expect(demanded('all')).toEqual([true, true])
})

test('the grace begins with the first sign-in and no token outlives it', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const hour = 3_600_000
  expect(graceOf(false, null, now)).toEqual({ state: 'not_demanded' })
  const first = graceOf(true, null, now)
  expect(first).toEqual({ state: 'running', deadline: now + graceMs, sessionEnds: now + graceMs - hour })
  const deadline = new Date(now + graceMs).toISOString()
  expect(graceOf(true, deadline, now + graceMs - hour - 1)).toMatchObject({ state: 'running' })
  expect(graceOf(true, deadline, now + graceMs - hour)).toEqual({ state: 'over' })
})

test('a code, a passkey and a provider that says so count, a password and a silent provider do not', () => {
  const shown = (created_via: string, ...amr: string[]) => showedSecondFactor({ created_via, amr })
  expect(shown('password', 'pwd')).toBe(false)
  expect(shown('password', 'pwd', 'otp', 'mfa')).toBe(true)
  expect(shown('passkey', 'hwk', 'user')).toBe(true)
  expect(shown('sso:01890000-0000-7000-8000-000000000000', 'sso', 'pwd')).toBe(false)
  expect(shown('sso:01890000-0000-7000-8000-000000000000', 'sso', 'mfa')).toBe(true)
})
