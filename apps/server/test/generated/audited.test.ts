/** Calls every changing route once, validly, and counts its entries in the audit log. */
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPermission, type Permission } from '../../src/kernel/access/permissions.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { held } from '../support/matrices.ts'
import { expectStatus, openWorld, password, type World } from '../support/world.ts'
import { keyWithout } from './keys.ts'
import { type DeclaredRoute, declaredRoutes, fill, isPublic } from './manifest.ts'
import { casesAmong } from './module-cases.ts'
import { nextSample, sampleBody } from './samples.ts'
import { fillTenant, type TenantData } from './tenant-data.ts'

let world: World
let alpha: TenantData

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
})
afterAll(() => world.close())

/** Routes that one caller cannot reach in a row of calls: tested below, or by jobs, tenants, flags or the vault. */
const unreached = casesAmong('unreached')
/** Routes that change nothing in this suite: a dry run, and an evaluation. */
const unchanging = casesAmong('unchanging')

/** Read-only routes that are audited because they show sensitive data. */
const looking = casesAmong('looking')

const changing = declaredRoutes.filter((declared) => declared.route.method !== 'GET' && !isPublic(declared))

/** Creations first; ends of the caller's own session last; a directory's changes after ours, which it would forbid. */
function turnOf({ path, route: { method } }: DeclaredRoute): number {
  if (path.endsWith('/logout')) return 9
  if (path.includes('/auth/') || path.includes('/sessions')) return 8
  return (path.startsWith('/scim/') ? 4 : 0) + ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
}

function call(declared: DeclaredRoute): Promise<TestAnswer> {
  const { method } = declared.route
  const headers = method === 'POST' ? { 'idempotency-key': `audited-${nextSample()}` } : {}
  const body = sampleBody(declared, alpha.ids)
  return alpha.tenant.admin.send(method, fill(declared.path, alpha.ids), { body, options: { headers } })
}

interface Entry {
  readonly action: string
  readonly target: string
  readonly reason: string | null
  readonly result: string
  readonly has_before: boolean
  readonly has_after: boolean
}

/** Entries that a call left in the log of its tenant. */
function entriesOf(answer: TestAnswer): Promise<readonly Entry[]> {
  const requestId = answer.headers['x-request-id'] ?? ''
  return world.kernel.db.read(
    alpha.tenant.id,
    sql<Entry>`
      select action, target, reason, result, before is not null as has_before, after is not null as has_after
      from audit_entry where request_id = ${requestId}`,
  )
}

const actionsOf = async (answer: TestAnswer): Promise<readonly string[]> =>
  (await entriesOf(answer)).map(({ action }) => action)

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

it('C60 every refused right leaves one entry that names the route, the code and the caller’s tenant', async () => {
  const keys = new Map<Permission, TestClient>()
  const refused: { readonly declared: DeclaredRoute; readonly answer: TestAnswer }[] = []
  for (const declared of declaredRoutes) {
    const { permission, method } = declared.route
    if (!isPermission(permission)) continue
    const client = keys.get(permission) ?? (await keyWithout(alpha.tenant.admin, world, permission))
    keys.set(permission, client)
    const answer = await client.send(method, fill(declared.path, alpha.ids), {
      body: sampleBody(declared, alpha.ids),
    })
    expect([declared.name, answer.status]).toEqual([declared.name, 403])
    refused.push({ declared, answer })
  }
  const faults: string[] = []
  for (const { declared, answer } of refused) {
    // Written after the answer has left.
    await expect.poll(async () => (await entriesOf(answer)).length).toBeGreaterThan(0)
    const [entry, ...others] = await entriesOf(answer)
    const told = `${entry?.action} ${entry?.result} ${entry?.reason}`
    if (others.length > 0) faults.push(`${declared.name} leaves ${others.length + 1} entries`)
    if (told !== 'access.refuse refused AUTH-004') faults.push(`${declared.name} leaves ${told}`)
    if (entry?.target !== `route:${fill(declared.path, alpha.ids)}`) faults.push(`${declared.name}: ${entry?.target}`)
  }
  held('refusals held against the audit log', refused.length)
  expect(faults).toEqual([])
})

it('C60 every change that is made leaves an entry of its route’s action, and what was refused leaves none of it', async () => {
  const found: Record<'missed' | 'silent' | 'untrue' | 'repeated' | 'empty', string[]> = {
    ...{ missed: [], silent: [], untrue: [], repeated: [], empty: [] },
  }
  for (const declared of changing.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const { name, route } = declared
    const answer = await call(declared)
    const own = (await entriesOf(answer)).filter(({ action }) => action === route.audit)
    const isEntered = own.length > 0
    if (own.length > 1) found.repeated.push(name)
    if (answer.status < 300 && own.some((entry) => !saysEnough(declared, entry))) found.empty.push(name)
    if (answer.status >= 300) {
      found.missed.push(name)
      if (isEntered) found.untrue.push(name)
    } else if (!isEntered) found.silent.push(name)
  }
  expect(changing.length).toBeGreaterThan(70)
  expect(found.missed.filter((name) => !unreached.has(name))).toEqual([])
  expect(new Set(found.silent)).toEqual(unchanging)
  expect(found.untrue).toEqual([])
  expect(found.repeated).toEqual([])
  expect(new Set(found.empty)).toEqual(looking)
  held('changes held against the audit log', changing.length - found.missed.length)
})

/** States before and after a change; a creation or removal has only one of them. */
function saysEnough({ route: { method } }: DeclaredRoute, { has_before: before, has_after: after }: Entry): boolean {
  if (method === 'PATCH' || method === 'PUT') return before && after
  return before || after
}
