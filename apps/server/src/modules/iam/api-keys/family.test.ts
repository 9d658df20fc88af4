import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
let admin: TestClient

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  tenant = await world.tenant('acme')
  admin = tenant.admin
})
afterAll(() => world.close())

const day = 86_400_000
const at = (ms: number): string => new Date(Date.now() + ms).toISOString()
const limits = { allowed_cidrs: ['127.0.0.0/8'], rate_limit_per_minute: 5, expires_at: at(2 * day) }

/** A key of a person, and the client that calls with it. */
async function keyOf(body: object, as = admin) {
  const made = await as.post('/iam/api-keys', { name: 'parent', scopes: ['iam:write', 'gateway:write'], ...body })
  if (made.status !== 201) throw new Error(made.text)
  const { id, secret } = made.body.data
  return { id, client: world.stranger.with(secret), view: made.body.data }
}
const mint = (as: TestClient, body: object) =>
  as.post('/iam/api-keys', { name: 'child', scopes: ['gateway:read'], ...body })

describe('a key made with a key', () => {
  test('C17 is not made without a scope of identities', async () => {
    const { client } = await keyOf({ scopes: ['gateway:write'] })
    expect((await mint(client, {})).body.error_code).toBe('AUTH-004')
    const reader = await keyOf({ scopes: ['iam:read', 'gateway:write'] })
    expect((await mint(reader.client, {})).body.error_code).toBe('AUTH-004')
  })

  test('C17 takes over the limits of its parent where it names none', async () => {
    const { id, client } = await keyOf(limits)
    const child = (await mint(client, {})).body.data
    expect(child).toMatchObject({ ...limits, parent_id: id })
  })

  test.each([
    ['no network', { allowed_cidrs: [] }],
    ['a wider network', { allowed_cidrs: ['0.0.0.0/0'] }],
    ['no rate limit', { rate_limit_per_minute: null }],
    ['a higher rate limit', { rate_limit_per_minute: 6 }],
    ['a later end', { expires_at: at(3 * day) }],
    ['another scope', { scopes: ['gateway:admin'] }],
    ['the kind scim', { kind: 'scim', scopes: undefined }],
  ])('C17 with %s is refused', async (_name, body) => {
    const { client } = await keyOf(limits)
    expect(['IAM-003', 'IAM-012', 'AUTH-004']).toContain((await mint(client, body)).body.error_code)
  })

  test('C17 ends with its parent, over generations', async () => {
    const parent = await keyOf({})
    const child = (await mint(parent.client, { scopes: ['iam:write'] })).body.data
    const grandchild = (await mint(world.stranger.with(child.secret), { scopes: ['iam:read'] })).body.data
    const calls = world.stranger.with(grandchild.secret)
    expect((await calls.get('/iam/users')).status).toBe(200)
    await admin.delete(`/iam/api-keys/${parent.id}`)
    expect((await calls.get('/iam/users')).body.error_code).toBe('AUTH-002')
    expect((await admin.get(`/iam/api-keys/${grandchild.id}`)).body.data.status).toBe('revoked')
  })

  test('C17 is narrowed when its parent is', async () => {
    const parent = await keyOf({})
    const child = (await mint(parent.client, { scopes: ['iam:read', 'gateway:read'] })).body.data
    const calls = world.stranger.with(child.secret)
    expect((await calls.get('/iam/users')).status).toBe(200)
    await admin.patch(`/iam/api-keys/${parent.id}`, { scopes: ['gateway:read'] })
    expect((await calls.get('/iam/users')).body.error_code).toBe('AUTH-004')
    await admin.patch(`/iam/api-keys/${parent.id}`, { allowed_cidrs: ['203.0.113.0/24'] })
    expect((await calls.get('/iam/users')).body.error_code).toBe('AUTH-011')
    const later = await admin.patch(`/iam/api-keys/${child.id}`, { scopes: ['iam:write'] })
    expect(later.body.error_code).toBe('IAM-012')
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update iam_api_key set expires_at = ${at(-1_000)} where id = ${parent.id}`),
    )
    await admin.patch(`/iam/api-keys/${parent.id}`, { name: 'read anew' })
    const from = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    expect((await calls.get('/iam/users', from)).body.error_code).toBe('AUTH-003')
  })

  test('C17 spends the rate limit of its parent', async () => {
    const parent = await keyOf({ rate_limit_per_minute: 4 })
    const child = (await mint(parent.client, { scopes: ['iam:read'] })).body.data
    const calls = world.stranger.with(child.secret)
    const answers = []
    for (let call = 0; call < 4; call += 1) answers.push((await calls.get('/iam/users')).status)
    expect(answers).toEqual([200, 200, 200, 429])
    expect((await parent.client.get('/iam/users')).status).toBe(429)
  })
})

describe('a key that acts on other keys', () => {
  test('C17 sheds no limit by replacing itself, and the replacement ends when it is revoked', async () => {
    const { id, client } = await keyOf(limits)
    const wide = await client.post('/iam/api-keys', { replaces_id: id, allowed_cidrs: [] })
    expect(wide.body.error_code).toBe('IAM-012')
    const next = (await client.post('/iam/api-keys', { replaces_id: id, overlap_hours: 0 })).body.data
    expect(next).toMatchObject({ ...limits, parent_id: id })
    const calls = world.stranger.with(next.secret)
    expect((await calls.get('/iam/users')).status).toBe(200)
    await admin.delete(`/iam/api-keys/${id}`)
    expect((await calls.get('/iam/users')).status).toBe(401)
  })

  test('C17 neither replaces nor widens one that reaches further', async () => {
    const wide = await keyOf({})
    const scopes = (await admin.get('/auth/me')).body.data.permissions
    const narrow = await keyOf({ ...limits, scopes, rate_limit_per_minute: 50 })
    const replaced = await narrow.client.post('/iam/api-keys', { replaces_id: wide.id })
    expect(replaced.body.error_code).toBe('IAM-012')
    const bound = await keyOf({ allowed_cidrs: ['203.0.113.0/24'] })
    const widened = await narrow.client.patch(`/iam/api-keys/${bound.id}`, { allowed_cidrs: [] })
    expect(widened.body.error_code).toBe('IAM-012')
  })
})
