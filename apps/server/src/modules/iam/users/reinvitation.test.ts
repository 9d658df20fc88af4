import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endExpiredAccounts } from './changes.ts'

let world: World
let tenant: TestTenant
const roleIds = new Map<string, string>()

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
  for (const role of (await tenant.admin.get('/iam/roles')).body.data) roleIds.set(role.name, role.id)
})
afterAll(() => world.close())

const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const take = (url: string) => world.stranger.post('/auth/invitations/accept', { token: url.split('#')[1], password })

let count = 0
const freshEmail = (): string => `guest${++count}@acme.example`
const invite = (email: string, body: object = {}, as: TestClient = tenant.admin) =>
  as.post('/iam/users', { email, role_ids: [roleIds.get('viewer')], ...body })

async function lapsed(body: object = {}): Promise<{ id: string; email: string; url: string }> {
  const email = freshEmail()
  const { id, invitation_url } = (await invite(email, body)).body.data
  const past = new Date(Date.now() - 1_000).toISOString()
  await inTenant(sql`update iam_user set invitation_expires_at = ${past} where id = ${id}`)
  return { id, email, url: invitation_url }
}

describe('a person who never took the invitation', () => {
  test('is invited again after it ran out: the same account, with what is asked for now', async () => {
    const { id, email, url } = await lapsed({ display_name: 'Old Name', department: 'Looms' })
    const role_ids = [roleIds.get('auditor')]
    const again = await invite(email.toUpperCase(), { display_name: 'New Name', role_ids })
    expect(again.status).toBe(201)
    expect(again.headers.location).toBe(`/api/v1/iam/users/${id}`)
    expect(again.body.data).toMatchObject({
      id,
      status: 'invited',
      display_name: 'New Name',
      department: null,
      role_ids,
    })
    expect((await take(url)).body.error_code).toBe('AUTH-002')
    expect((await take(again.body.data.invitation_url)).body.data).toMatchObject({
      id,
      role: 'auditor',
      status: 'active',
    })
    expect((await (await world.signIn(email)).get('/iam/users')).status).toBe(200)
  })

  test('is invited again after the clock or an administrator closed the account', async () => {
    const swept = await lapsed()
    const iam = world.program.assembled.modules.servicesOf('iam') as IamServices
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => endExpiredAccounts(iam, tx))
    const closed = freshEmail()
    const first = (await invite(closed)).body.data
    await tenant.admin.delete(`/iam/users/${first.id}`)
    for (const { id, email } of [swept, { id: first.id, email: closed }]) {
      expect((await tenant.admin.get(`/iam/users/${id}`)).body.data.status).toBe('deactivated')
      const again = await invite(email)
      expect(again.body.data).toMatchObject({ id, status: 'invited', status_reason: null })
      expect((await take(again.body.data.invitation_url)).status).toBe(200)
    }
  })

  test('cannot be made active without a password: there would be no way in', async () => {
    const { id } = (await invite(freshEmail())).body.data
    await tenant.admin.delete(`/iam/users/${id}`)
    expect((await tenant.admin.patch(`/iam/users/${id}`, { status: 'active' })).body.error_code).toBe('IAM-004')
  })

  test('is not invited twice while the first invitation is good, nor by twenty at once', async () => {
    const { email } = await lapsed()
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(email)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error_code === 'IAM-001')).toHaveLength(19)
  })

  test('is only invited again by who may act on the account and give the roles', async () => {
    const { email } = await lapsed({ role_ids: [roleIds.get('tenant_admin')] })
    const security = await tenant.as('security_admin')
    expect((await invite(email, {}, security)).body.error_code).toBe('IAM-003')
    expect((await invite(email)).status).toBe(201)
  })
})

test('the address of somebody who once joined stays taken, also when the account is closed', async () => {
  const email = freshEmail()
  const { id, invitation_url } = (await invite(email)).body.data
  await accept(world.stranger, invitation_url)
  await tenant.admin.delete(`/iam/users/${id}`)
  expect((await invite(email)).body.error_code).toBe('IAM-001')
  expect((await tenant.admin.patch(`/iam/users/${id}`, { status: 'active' })).status).toBe(200)
})
