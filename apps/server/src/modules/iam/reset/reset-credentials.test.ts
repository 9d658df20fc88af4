import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import {
  accept,
  expectStatus,
  openWorld,
  password,
  type TestTenant,
  type World,
} from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let roles: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  const listed: readonly { name: string; id: string }[] = (await tenant.admin.get('/iam/roles')).body.data
  roles = Object.fromEntries(listed.map(({ name, id }) => [name, id]))
})
afterAll(() => world.close())

const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const login = (email: string, secret = password) => world.stranger.post('/auth/login', { email, password: secret })

async function person(name: string, role = 'viewer') {
  const email = `${name}@${tenant.slug}.example`
  const made = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [roles[role]] }), 201).body.data
  await accept(world.stranger, made.invitation_url)
  const token: string = expectStatus(await login(email), 200).body.data.access_token
  return { id: String(made.id), email, client: world.stranger.with(token) }
}

async function enroll(client: TestClient): Promise<void> {
  const { factor_id, secret_base32 } = expectStatus(await client.post('/auth/mfa/totp', {}), 200).body.data
  expectStatus(
    await client.post('/auth/mfa/totp/verify', { factor_id, code: generateSync({ secret: secret_base32 }) }),
    200,
  )
}

const reset = (client: TestClient, id: string, body: unknown) => client.post(`/iam/users/${id}/reset-credentials`, body)

test('an administrator removes factors, forces a new password, ends sessions and unlocks, in one step', async () => {
  const ada = await person('ada', 'tenant_admin')
  await enroll(ada.client)
  const body = { factors: ['totp', 'passkey'], password: true, sessions: true }
  const done = expectStatus(await reset(tenant.admin, ada.id, body), 200).body.data
  expect(done).toEqual({ id: ada.id, password: true, factors_removed: 1, sessions_ended: 1, unlocked: false })
  expect((await ada.client.get('/auth/me')).status).toBe(401)
  // No grace again: the next sign-in enrolls.
  expect((await login(ada.email)).body).toMatchObject({ error_code: 'AUTH-006', mfa: { enrollment_required: true } })
  const view = await person('view')
  expectStatus(await reset(tenant.admin, view.id, { password: true }), 200)
  expect((await view.client.get('/auth/me')).body.data).toMatchObject({
    permissions: [],
    user: { must_change_password: true },
  })
  await inTenant(sql`update iam_user set status = 'locked' where id = ${view.id}`)
  expectStatus(await reset(tenant.admin, view.id, { unlock: true }), 200)
  expect((await login(view.email)).status).toBe(200)
})

test('an invitation is sent again, and its first link is dead', async () => {
  const email = `guest@${tenant.slug}.example`
  const first = expectStatus(await tenant.admin.post('/iam/users', { email, role_ids: [roles.viewer] }), 201).body.data
  const again = expectStatus(await reset(tenant.admin, first.id, { invitation: true }), 200).body.data
  const [, dead] = first.invitation_url.split('#')
  expect((await world.stranger.post('/auth/invitations/accept', { token: dead, password })).body.error_code).toBe(
    'AUTH-002',
  )
  await accept(world.stranger, again.invitation_url)
  expect((await login(email)).status).toBe(200)
})

test('it takes a fresh session, a person within one’s own rights, and a state that has it', async () => {
  const boss = await person('boss', 'tenant_admin')
  const chief = (await tenant.admin.post('/iam/roles', { name: 'Desk', permissions: ['iam:admin'] })).body.data.id
  const desk = await tenant.admin.post('/iam/users', { email: `desk@${tenant.slug}.example`, role_ids: [chief] })
  await accept(world.stranger, desk.body.data.invitation_url)
  const { access_token, refresh_token } = (await login(`desk@${tenant.slug}.example`)).body.data
  const client = world.stranger.with(access_token)
  expect((await reset(client, boss.id, { factors: ['totp'] })).body.error_code).toBe('IAM-003')
  expect((await reset(tenant.admin, boss.id, { unlock: true })).body.error_code).toBe('IAM-004')
  expect((await reset(tenant.admin, boss.id, { invitation: true })).body.error_code).toBe('IAM-004')
  expect((await reset(tenant.admin, boss.id, {})).body.error_code).toBe('API-001')
  expect((await reset(tenant.admin, tenant.id, { unlock: true })).body.error_code).toBe('API-013')
  await inTenant(sql`update iam_session set auth_time = now() - interval '1 hour' where user_id = ${desk.body.data.id}`)
  const stale = (await world.stranger.post('/auth/refresh', { refresh_token })).body.data.access_token
  expect((await reset(world.stranger.with(stale), desk.body.data.id, { sessions: true })).body.error_code).toBe(
    'AUTH-009',
  )
  const key = (await tenant.admin.post('/iam/api-keys', { name: 'Robot', scopes: ['iam:admin'] })).body.data.secret
  expect((await reset(world.stranger.with(key), boss.id, { sessions: true })).body.error_code).toBe('AUTH-009')
})
