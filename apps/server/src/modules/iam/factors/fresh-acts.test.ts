import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
/** An administrator's session whose proof of identity is an hour old. */
let stale: TestClient

const email = 'admin@acme.example'
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const login = async () =>
  expectStatus(
    await world.stranger.post('/auth/login', { email, password }, { headers: { 'x-tenant-id': tenant.id } }),
    200,
  ).body.data

beforeAll(async () => {
  world = await openWorld({})
  tenant = await world.tenant('acme')
  const { refresh_token } = await login()
  await inTenant(sql`update iam_session set auth_time = now() - interval '1 hour'`)
  const renewed = expectStatus(await world.stranger.post('/auth/refresh', { refresh_token }), 200)
  stale = world.stranger.with(renewed.body.data.access_token)
})
afterAll(() => world.close())

const roleId = async (name: string): Promise<string> =>
  (await tenant.admin.get('/iam/roles', { query: { q: name } })).body.data[0].id
const newKey = { name: 'script', scopes: ['iam:read'] }

describe('an old proof of identity', () => {
  test('C18 enrolls no authenticator app, also where the account has no factor yet', async () => {
    expect((await stale.post('/auth/mfa/totp', {})).body.error_code).toBe('AUTH-009')
  })

  test('C18 makes no account, no tenant, no role and no key', async () => {
    const role_ids = [await roleId('tenant_admin')]
    const acts: readonly (readonly [string, object])[] = [
      ['/iam/users', { email: 'puppet@acme.example', role_ids }],
      ['/iam/users', { type: 'service', display_name: 'Robot', role_ids }],
      ['/iam/users', { import: { format: 'csv', document: 'email\na@acme.example\n', default_role: 'viewer' } }],
      ['/iam/tenants', { name: 'Below', slug: 'below', admin_email: 'a@below.example' }],
      ['/iam/roles', { name: 'Spare', permissions: ['iam:admin'] }],
      ['/iam/api-keys', newKey],
    ]
    for (const [path, body] of acts) expect((await stale.post(path, body)).body.error_code, path).toBe('AUTH-009')
  })

  test('C18 raises no account, no role and no key', async () => {
    const viewer = await tenant.as('viewer')
    const { id } = (await viewer.get('/auth/me')).body.data.user
    const raised = await stale.patch(`/iam/users/${id}`, { role_ids: [await roleId('tenant_admin')] })
    expect(raised.body.error_code).toBe('AUTH-009')
    const role = (await tenant.admin.post('/iam/roles', { name: 'Small', permissions: ['risk:read'] })).body.data.id
    expect((await stale.patch(`/iam/roles/${role}`, { permissions: ['iam:admin'] })).body.error_code).toBe('AUTH-009')
    const key = (await tenant.admin.post('/iam/api-keys', newKey)).body.data.id
    expect((await stale.patch(`/iam/api-keys/${key}`, { scopes: ['iam:admin'] })).body.error_code).toBe('AUTH-009')
    expect((await stale.patch(`/iam/api-keys/${key}`, { allowed_cidrs: ['10.0.0.0/8'] })).status).toBe(200)
  })
})

describe('keys made in sessions', () => {
  test('C18 end with them where one signs out everywhere', async () => {
    const session = world.stranger.with((await login()).access_token)
    const made = (await session.post('/iam/api-keys', newKey)).body.data
    const other = world.stranger.with((await login()).access_token)
    const ended = await other.post('/auth/logout', { everywhere: true })
    expect(ended.body.data.api_keys_ended).toBeGreaterThanOrEqual(1)
    expect((await world.stranger.with(made.secret).get('/iam/users')).status).toBe(401)
  })

  test('C18 end with a change of the password that asks for those made since a moment', async () => {
    const session = world.stranger.with((await login()).access_token)
    const before = (await session.post('/iam/api-keys', newKey)).body.data
    await inTenant(sql`update iam_api_key set created_at = now() - interval '1 day' where id = ${before.id}`)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const later = (await session.post('/iam/api-keys', newKey)).body.data
    const changed = await session.post('/auth/password', {
      current_password: password,
      new_password: `${password} anew`,
      revoke_api_keys_since: since,
    })
    expect(changed.body.data.api_keys_ended).toBe(1)
    expect((await world.stranger.with(later.secret).get('/iam/users')).status).toBe(401)
    expect((await world.stranger.with(before.secret).get('/iam/users')).status).toBe(200)
  })
})
