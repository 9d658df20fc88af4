/** Every route that changes something is called once as it should be, and what the audit log says of the call is counted. */
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import type { TestAnswer } from '../support/client.ts'
import { expectStatus, openWorld, password, type World } from '../support/world.ts'
import { type DeclaredRoute, declaredRoutes, fill, hasBody, isPublic } from './manifest.ts'
import { nextSample, sampleBody } from './samples.ts'
import { fillTenant, type TenantData } from './tenant-data.ts'

let world: World
let alpha: TenantData

beforeAll(async () => {
  world = await openWorld()
  alpha = await fillTenant(await world.tenant('alpha'))
})
afterAll(() => world.close())

/** What one caller cannot reach in a row of calls: here in a test of their own, or in those of jobs, tenants, flags and the vault. */
const unreached = new Set([
  'POST /api/v1/admin/jobs/{job_id}/retry',
  'POST /ofrep/v1/evaluate/flags/{flag_key}',
  'POST /api/v1/gateway/vault/reveal',
  // Not served, whatever is asked.
  'POST /scim/v2/Me',
  'PUT /scim/v2/Me',
  'PATCH /scim/v2/Me',
  'DELETE /scim/v2/Me',
  'DELETE /api/v1/iam/roles/{role_id}',
  'DELETE /api/v1/iam/tenants/{tenant_id}',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/mfa/recovery-codes',
])
/** What changes nothing as it is asked here: a dry run, and an evaluation. */
const unchanging = new Set(['POST /api/v1/admin/keys/rotate', 'POST /ofrep/v1/evaluate/flags'])

const changing = declaredRoutes.filter((declared) => declared.route.method !== 'GET' && !isPublic(declared))

/** Creations first; what takes the caller's own session away last; a directory's changes after ours, which it would forbid. */
function turnOf({ path, route: { method } }: DeclaredRoute): number {
  if (path.endsWith('/logout')) return 9
  if (path.includes('/auth/') || path.includes('/sessions')) return 8
  return (path.startsWith('/scim/') ? 4 : 0) + ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
}

function call(declared: DeclaredRoute): Promise<TestAnswer> {
  const { method } = declared.route
  const headers = method === 'POST' ? { 'idempotency-key': `audited-${nextSample()}` } : {}
  const body = hasBody(declared) ? sampleBody(declared, alpha.ids) : undefined
  return alpha.tenant.admin.send(method, fill(declared.path, alpha.ids), { body, options: { headers } })
}

/** Actions that a call left in the log of its tenant. */
async function actionsOf(answer: TestAnswer): Promise<readonly string[]> {
  const requestId = answer.headers['x-request-id'] ?? ''
  const entries = await world.kernel.db.read(
    alpha.tenant.id,
    sql<{ action: string }>`select action from audit_entry where request_id = ${requestId}`,
  )
  return entries.map(({ action }) => action)
}

it('C60 changes that need a story of their own leave an entry of their action', async () => {
  const { admin } = alpha.tenant
  const role = expectStatus(await admin.post('/iam/roles', { name: 'Short-lived', permissions: ['trust:read'] }), 201)
  expect(await actionsOf(await admin.delete(`/iam/roles/${role.body.data.id}`))).toEqual(['iam.role.delete'])
  const person = await alpha.tenant.as('viewer')
  const begun = expectStatus(await person.post('/auth/mfa/totp', { name: 'App' }), 200).body.data
  const code = generateSync({ secret: begun.secret_base32 })
  expectStatus(await person.post('/auth/mfa/totp/verify', { factor_id: begun.factor_id, code }), 200)
  const codes = expectStatus(await person.post('/auth/mfa/recovery-codes'), 200)
  expect(await actionsOf(codes)).toEqual(['auth.mfa.recovery_codes'])
  const change = { current_password: password, new_password: 'another long passphrase of mine 7' }
  const changed = expectStatus(await person.post('/auth/password', change), 200)
  expect(await actionsOf(changed)).toEqual(['auth.password_change'])
})

it('C60 every change that is made leaves an entry of its route’s action, and what was refused leaves none of it', async () => {
  const found: Record<'missed' | 'silent' | 'untrue', string[]> = { missed: [], silent: [], untrue: [] }
  for (const declared of changing.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const { name, route } = declared
    const answer = await call(declared)
    const isEntered = (await actionsOf(answer)).includes(route.audit ?? '')
    if (answer.status >= 300) {
      found.missed.push(name)
      if (isEntered) found.untrue.push(name)
    } else if (!isEntered) found.silent.push(name)
  }
  expect(changing.length).toBeGreaterThan(70)
  expect(found.missed.filter((name) => !unreached.has(name))).toEqual([])
  expect(new Set(found.silent)).toEqual(unchanging)
  expect(found.untrue).toEqual([])
})
