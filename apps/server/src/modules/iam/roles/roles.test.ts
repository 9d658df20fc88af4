import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
let admin: TestClient

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  admin = tenant.admin
})
afterAll(() => world.close())

const roleNamed = async (name: string): Promise<string> =>
  (await admin.get('/iam/roles', { query: { q: name } })).body.data[0].id
const create = (name: string, permissions: readonly string[], as = admin) =>
  as.post('/iam/roles', { name, permissions })

let count = 0
async function holder(roleId: string): Promise<{ id: string; client: TestClient }> {
  const email = `holder${++count}@${tenant.slug}.example`
  const made = await admin.post('/iam/users', { email, role_ids: [roleId] })
  await accept(world.stranger, made.body.data.invitation_url)
  return { id: made.body.data.id, client: await world.signIn(email) }
}

describe('built-in roles', () => {
  test('are nine, say what they give and cannot be changed or deleted', async () => {
    const roles = (await admin.get('/iam/roles', { query: { builtin: 'true' } })).body.data
    expect(roles).toHaveLength(9)
    const auditor = roles.find((role: { name: string }) => role.name === 'auditor')
    expect(auditor.permissions).toContain('gateway:read')
    expect((await admin.patch(`/iam/roles/${auditor.id}`, { permissions: ['iam:admin'] })).body.error_code).toBe(
      'IAM-006',
    )
    expect((await admin.delete(`/iam/roles/${auditor.id}`)).body.error_code).toBe('IAM-006')
  })
})

describe('a custom role', () => {
  test('is created, shown and found', async () => {
    const made = await create('Prompt reader', ['gateway:read'])
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Prompt reader',
      permissions: ['gateway:read'],
      builtin: false,
      user_count: 0,
    })
    expect((await admin.get(`/iam/roles/${made.body.data.id}`)).headers.etag).toMatch(/^"1-/)
  })

  test('has a name of its own, whatever the case', async () => {
    await create('Taken', ['gateway:read'])
    expect((await create('TAKEN', ['gateway:read'])).body.error_code).toBe('API-011')
    const other = (await create('Free', ['gateway:read'])).body.data
    expect((await admin.patch(`/iam/roles/${other.id}`, { name: 'taken' })).body.error_code).toBe('API-011')
  })

  test('of unknown permissions is refused by name', async () => {
    const refused = await create('Odd', ['gateway:read', 'gateway:fly', 'moon:read'])
    expect(refused.body).toMatchObject({ status: 422, error_code: 'IAM-008' })
    expect(refused.body.detail).toContain('gateway:fly, moon:read')
  })

  test('C14 never gives more than its author has', async () => {
    const maker = (await create('Role maker', ['iam:admin', 'risk:write'])).body.data
    const { client } = await holder(maker.id)
    expect((await create('Within', ['risk:write'], client)).status).toBe(201)
    expect((await create('Beyond', ['risk:admin', 'gateway:read'], client)).body).toMatchObject({
      error_code: 'IAM-003',
      missing: ['gateway:read', 'risk:admin'],
    })
    expect(
      (await client.patch(`/iam/roles/${maker.id}`, { permissions: ['iam:admin', 'gateway:read'] })).body.error_code,
    ).toBe('IAM-003')
  })

  test('shows whom a change would touch without making it', async () => {
    const role = (await create('Analyst', ['risk:read', 'trust:read'])).body.data
    const { client } = await holder(role.id)
    await client.post('/iam/api-keys', { name: 'script', scopes: ['risk:read'] })
    const shown = await admin.patch(`/iam/roles/${role.id}`, { permissions: ['risk:write'], dry_run: true })
    expect(shown.body.data).toMatchObject({
      permissions: ['risk:read', 'trust:read'],
      impact: { users: 1, keys: 1, gains: ['risk:write'], loses: ['trust:read'] },
    })
  })

  test('that changes works for its holders on their next request', async () => {
    const role = (await create('Changing', ['iam:read'])).body.data
    const { client } = await holder(role.id)
    expect((await client.get('/iam/roles')).status).toBe(200)
    await admin.patch(`/iam/roles/${role.id}`, { permissions: ['risk:read'] })
    expect((await client.get('/iam/roles')).body.error_code).toBe('AUTH-004')
  })

  test('that changes answers what reading answers, under the same ETag', async () => {
    const role = (await create('Mirrored', ['risk:read'])).body.data
    const changed = await admin.patch(`/iam/roles/${role.id}`, { permissions: ['risk:write'] })
    const read = await admin.get(`/iam/roles/${role.id}`)
    expect(changed.body.data).toEqual(read.body.data)
    expect(changed.headers.etag).toBe(read.headers.etag)
    const preview = await admin.patch(`/iam/roles/${role.id}`, { name: 'Not yet', dry_run: true })
    expect(preview.headers.etag).toBeUndefined()
  })

  test('C14 held by somebody greater is neither changed, renamed nor deleted by a lesser one', async () => {
    const shared = (await create('Shared', ['risk:write'])).body.data
    const maker = (await create('Lesser maker', ['iam:admin', 'risk:write'])).body.data
    const { client } = await holder(maker.id)
    const greater = (await create('Greater', ['gateway:admin'])).body.data
    const { id } = await holder(shared.id)
    expect((await client.patch(`/iam/roles/${shared.id}`, { permissions: ['risk:read'] })).status).toBe(200)
    await admin.patch(`/iam/users/${id}`, { role_ids: [shared.id, greater.id] })
    const ways = [
      () => client.patch(`/iam/roles/${shared.id}`, { permissions: ['risk:write'] }),
      () => client.patch(`/iam/roles/${shared.id}`, { permissions: ['iam:read'] }),
      () => client.patch(`/iam/roles/${shared.id}`, { name: 'Renamed' }),
      () => client.delete(`/iam/roles/${shared.id}`, { query: { replace_with: maker.id } }),
    ]
    for (const way of ways) {
      expect((await way()).body).toMatchObject({
        error_code: 'IAM-003',
        missing: expect.arrayContaining(['gateway:admin']),
      })
    }
    expect((await admin.get(`/iam/roles/${shared.id}`)).body.data).toMatchObject({
      name: 'Shared',
      permissions: ['risk:read'],
    })
  })

  test('in use is deleted only with one that takes its place', async () => {
    const role = (await create('Leaving', ['iam:read'])).body.data
    const { id } = await holder(role.id)
    expect((await admin.delete(`/iam/roles/${role.id}`)).body.error_code).toBe('IAM-007')
    const viewer = await roleNamed('viewer')
    expect((await admin.delete(`/iam/roles/${role.id}`, { query: { replace_with: viewer } })).body.data).toEqual({
      id: role.id,
      deleted: true,
    })
    expect((await admin.get(`/iam/users/${id}`)).body.data).toMatchObject({ role: 'viewer', role_ids: [viewer] })
    expect((await admin.get(`/iam/roles/${role.id}`)).body.error_code).toBe('API-013')
  })

  test('that the only administrator stands on keeps its administration', async () => {
    const only = await world.tenant('only')
    const role = (await only.admin.post('/iam/roles', { name: 'Root', permissions: ['iam:admin', 'risk:admin'] })).body
      .data
    const { id } = (await only.admin.get('/auth/me')).body.data.user
    await only.admin.patch(`/iam/users/${id}`, { role_ids: [role.id] })
    expect((await only.admin.patch(`/iam/roles/${role.id}`, { permissions: ['risk:admin'] })).body.error_code).toBe(
      'IAM-005',
    )
    expect((await only.admin.patch(`/iam/roles/${role.id}`, { permissions: ['iam:admin'] })).status).toBe(200)
  })
})

describe('the permission catalogue', () => {
  test('names the routes that need each permission', async () => {
    const [entry] = (await admin.get('/iam/permissions', { query: { permission: 'iam:admin' } })).body.data
    expect(entry.implies).toEqual(['iam:read', 'iam:write'])
    expect(entry.routes).toContainEqual({ method: 'POST', path: '/api/v1/iam/roles' })
    expect((await admin.get('/iam/permissions')).body.data).toHaveLength(36)
  })

  test('explains through which role somebody has it, or why not', async () => {
    const role = (await create('Explained', ['risk:write'])).body.data
    const { id } = await holder(role.id)
    const explain = async (permission: string) =>
      (await admin.get('/iam/permissions', { query: { permission, subject_type: 'user', subject_id: id } })).body
        .data[0]
    expect(await explain('risk:read')).toMatchObject({
      granted: true,
      reason: 'granted',
      via: [{ role: 'Explained', permission: 'risk:write' }],
    })
    expect(await explain('risk:admin')).toMatchObject({ granted: false, reason: 'no_role_grants_it', via: [] })
  })

  test('explains a key by its scopes and its owner', async () => {
    const key = (await admin.post('/iam/api-keys', { name: 'narrow', scopes: ['risk:read'] })).body.data
    const explain = async (permission: string) =>
      (await admin.get('/iam/permissions', { query: { permission, subject_type: 'api_key', subject_id: key.id } })).body
        .data[0].reason
    expect(await explain('risk:read')).toBe('granted')
    expect(await explain('risk:write')).toBe('not_in_key_scopes')
    await admin.delete(`/iam/api-keys/${key.id}`)
    expect(await explain('risk:read')).toBe('key_not_active')
  })

  test('needs both halves of a subject', async () => {
    expect((await admin.get('/iam/permissions', { query: { subject_type: 'user' } })).body.error_code).toBe('API-001')
  })
})
