import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endExpiredAccounts } from './changes.ts'

let world: OwnWorld
let tenant: TestTenant
let admin: TestClient
const roleIds = new Map<string, string>()

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
  admin = tenant.admin
  for (const role of (await admin.get('/iam/roles')).body.data) roleIds.set(role.name, role.id)
})
afterAll(() => world.close())

const role = (name: string): string => roleIds.get(name) ?? name
const create = (body: object, as = admin) => as.post('/iam/users', { role_ids: [role('viewer')], ...body })
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

let count = 0
const freshEmail = (): string => `person${++count}@acme.example`

/** An active person and their client. */
async function person(role_ids = [role('viewer')]): Promise<{ id: string; email: string; client: TestClient }> {
  const email = freshEmail()
  const made = await create({ email, role_ids })
  await accept(world.stranger, made.body.data.invitation_url)
  return { id: made.body.data.id, email, client: await world.signIn(email) }
}

describe('changing', () => {
  test('C12 roles works on the next request and is told', async () => {
    const { id, client } = await person([role('auditor')])
    expect((await client.get('/iam/users')).status).toBe(200)
    await admin.patch(`/iam/users/${id}`, { role_ids: [role('viewer')] })
    expect((await client.get('/iam/users')).body.error_code).toBe('AUTH-004')
    const told =
      await inTenant(sql`select data from outbox where channel = 'iam.user.role_changed' and subject = ${`user/${id}`}
      union all select data from event_log where channel = 'iam.user.role_changed' and subject = ${`user/${id}`}`)
    expect(told[0]?.data).toMatchObject({ before: [role('auditor')], after: [role('viewer')] })
  })

  test('suspending ends sessions at once, and coming back needs a new sign-in', async () => {
    const { id, email, client } = await person()
    await admin.patch(`/iam/users/${id}`, { status: 'suspended', status_reason: 'left the building' })
    expect((await client.get('/auth/me')).body.error_code).toBe('AUTH-002')
    await admin.patch(`/iam/users/${id}`, { status: 'active' })
    expect((await client.get('/auth/me')).status).toBe(401)
    expect((await (await world.signIn(email)).get('/auth/me')).status).toBe(200)
  })

  test('a move the table does not have is refused', async () => {
    const made = await create({ email: freshEmail() })
    const refused = await admin.patch(`/iam/users/${made.body.data.id}`, { status: 'active' })
    expect(refused.body).toMatchObject({
      status: 409,
      error_code: 'IAM-004',
      detail: 'A user that is invited cannot become active.',
    })
  })

  test('with an old version is refused', async () => {
    const { id } = await person()
    const before = await admin.get(`/iam/users/${id}`)
    await admin.patch(`/iam/users/${id}`, { department: 'Engines' })
    const headers = { 'if-match': before.headers.etag ?? '' }
    expect((await admin.patch(`/iam/users/${id}`, { department: 'Looms' }, { headers })).body.error_code).toBe(
      'API-012',
    )
  })

  test('answers what reading answers, under the same ETag', async () => {
    const { id } = await person()
    const changed = await admin.patch(`/iam/users/${id}`, { department: 'Engines' })
    const read = await admin.get(`/iam/users/${id}`, { headers: { 'if-none-match': '"0-x"' } })
    expect(changed.body.data).toEqual(read.body.data)
    expect(changed.headers.etag).toBe(read.headers.etag)
    const again = await admin.get(`/iam/users/${id}`, { headers: { 'if-none-match': changed.headers.etag ?? '' } })
    expect(again.status).toBe(304)
  })

  test('clears a field with null and refuses a circle of managers', async () => {
    const boss = await person()
    const { id } = await person()
    await admin.patch(`/iam/users/${id}`, { department: 'Engines', manager_id: boss.id })
    expect((await admin.patch(`/iam/users/${id}`, { department: null })).body.data).toMatchObject({
      department: null,
      manager_id: boss.id,
    })
    const circle = await admin.patch(`/iam/users/${boss.id}`, { manager_id: id })
    expect(circle.body.errors[0].pointer).toBe('/manager_id')
    expect((await admin.patch(`/iam/users/${id}`, { manager_id: id })).status).toBe(400)
  })

  test('C60 leaves one audit entry with before and after and no secret', async () => {
    const { id } = await person()
    await admin.patch(`/iam/users/${id}`, { display_name: 'Grace' })
    const entries = await inTenant(
      sql<{ id: string }>`select * from audit_entry where target = ${`user:${id}`} and action = 'iam.user.change'`,
    )
    expect(entries).toHaveLength(1)
    const beside = await inTenant(sql`select opened from audit_personal where entry_id = ${entries[0]?.id ?? ''}`)
    expect(JSON.stringify(beside)).toContain('Grace')
    expect(JSON.stringify(entries)).not.toContain('Grace')
    expect(JSON.stringify(entries)).not.toContain('argon2')
  })
})

describe('deactivating', () => {
  test('ends sessions and keys in the same moment and keeps the row', async () => {
    const { id, client } = await person([role('auditor')])
    const key = (await client.post('/iam/api-keys', { name: 'script', scopes: ['iam:read'] })).body.data
    const byKey = world.stranger.with(key.secret)
    expect((await byKey.get('/iam/users')).status).toBe(200)
    expect((await admin.delete(`/iam/users/${id}`)).body.data).toEqual({ id, deleted: true, mode: 'deactivate' })
    expect((await client.get('/auth/me')).status).toBe(401)
    expect((await byKey.get('/iam/users')).status).toBe(401)
    expect((await admin.get(`/iam/users/${id}`)).body.data).toMatchObject({
      status: 'deactivated',
      active_sessions: 0,
      active_api_keys: 0,
    })
    expect((await admin.delete(`/iam/users/${id}`)).body.error_code).toBe('IAM-004')
  })

  test('the last administrator is refused in every way', async () => {
    const lonely = await world.tenant('lonely')
    const { id } = (await lonely.admin.get('/auth/me')).body.data.user
    const viewer = (await lonely.admin.get('/iam/roles?q=viewer')).body.data[0].id
    const ways = [
      lonely.admin.delete(`/iam/users/${id}`),
      lonely.admin.patch(`/iam/users/${id}`, { status: 'suspended' }),
      lonely.admin.patch(`/iam/users/${id}`, { role_ids: [viewer] }),
      lonely.admin.patch(`/iam/users/${id}`, { expires_at: '2999-01-01T00:00:00.000Z' }),
    ]
    for (const answer of await Promise.all(ways)) expect(answer.body.error_code).toBe('IAM-005')
  })

  test('of two last administrators by twenty demotions at once leaves one', async () => {
    const pair = await world.tenant('pair')
    const roles = (await pair.admin.get('/iam/roles')).body.data
    const idOf = (name: string): string => roles.find((candidate: { name: string }) => candidate.name === name).id
    const second = await pair.as('tenant_admin')
    const ids = [(await pair.admin.get('/auth/me')).body.data.user.id, (await second.get('/auth/me')).body.data.user.id]
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        world.operator.patch(
          `/iam/users/${ids[turn % 2]}`,
          { role_ids: [idOf('viewer')] },
          { headers: { 'x-tenant-id': pair.id } },
        ),
      ),
    )
    const left = (
      await world.operator.get('/iam/users', {
        headers: { 'x-tenant-id': pair.id },
        query: { role_id: idOf('tenant_admin') },
      })
    ).body.data
    expect(left).toHaveLength(1)
  })
})

describe('time', () => {
  const runJob = () => {
    const iam = world.program.assembled.modules.servicesOf('iam') as IamServices
    return world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => endExpiredAccounts(iam, tx))
  }

  test('ends accounts at their date and invitations after seven days', async () => {
    const { id } = await person()
    const invited = (await create({ email: freshEmail() })).body.data
    expect(Date.parse(invited.invitation_expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const past = new Date(Date.now() - 1_000).toISOString()
    await inTenant(sql`update iam_user set expires_at = ${past} where id = ${id}`)
    await inTenant(sql`update iam_user set invitation_expires_at = ${past} where id = ${invited.id}`)
    await runJob()
    expect((await admin.get(`/iam/users/${id}`)).body.data).toMatchObject({
      status: 'deactivated',
      status_reason: 'expired',
    })
    expect((await admin.get(`/iam/users/${invited.id}`)).body.data).toMatchObject({
      status: 'deactivated',
      status_reason: 'invitation_expired',
    })
  })
})
