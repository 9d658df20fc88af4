import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
const roleIds = new Map<string, string>()

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  for (const role of (await tenant.admin.get('/iam/roles')).body.data) roleIds.set(role.name, role.id)
})
afterAll(() => world.close())

let count = 0
async function invited(as = tenant.admin, role = 'viewer'): Promise<{ id: string; email: string; token: string }> {
  const email = `guest${++count}@${tenant.slug}.example`
  const { id, invitation_url } = (await as.post('/iam/users', { email, role_ids: [roleIds.get(role)] })).body.data
  return { id, email, token: invitation_url.split('#')[1] }
}
const take = (token: string, secret = password) =>
  world.stranger.post('/auth/invitations/accept', { token, password: secret })
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

describe('an invitation', () => {
  test('makes the account active with the password and the name given', async () => {
    const { id, email, token } = await invited()
    const taken = await world.stranger.post('/auth/invitations/accept', { token, password, display_name: 'Guest' })
    expect(taken.body.data).toEqual({ id, tenant_id: tenant.id, email, role: 'viewer', status: 'active' })
    expect((await (await world.signIn(email)).get('/auth/me')).body.data.user.display_name).toBe('Guest')
  })

  test('works once, also when used fifty times at once', async () => {
    const { token } = await invited()
    const answers = await Promise.all(Array.from({ length: 50 }, () => take(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error_code === 'AUTH-002')).toHaveLength(49)
    expect((await take(token)).body.error_code).toBe('AUTH-002')
  })

  test('that was never taken elsewhere does not keep a person from signing in here', async () => {
    const others = await Promise.all(['one', 'two', 'three'].map((slug) => world.tenant(slug)))
    const email = 'shared@person.example'
    for (const other of others) {
      const role = (await other.admin.get('/iam/roles')).body.data.find(
        ({ name }: { name: string }) => name === 'viewer',
      ).id
      expect((await other.admin.post('/iam/users', { email, role_ids: [role] })).status).toBe(201)
    }
    const { invitation_url } = (await tenant.admin.post('/iam/users', { email, role_ids: [roleIds.get('viewer')] }))
      .body.data
    await accept(world.stranger, invitation_url)
    expect((await (await world.signIn(email)).get('/auth/me')).body.data.tenant.id).toBe(tenant.id)
  })

  test('that nobody made is refused like one that was used', async () => {
    expect((await take('a'.repeat(43))).body).toMatchObject({ status: 401, error_code: 'AUTH-002' })
  })

  test('ends after its time and when the account is deactivated', async () => {
    const late = await invited()
    await inTenant(
      sql`update iam_user set invitation_expires_at = ${new Date(Date.now() - 1).toISOString()} where id = ${late.id}`,
    )
    expect((await take(late.token)).body.error_code).toBe('AUTH-003')
    const withdrawn = await invited()
    await tenant.admin.delete(`/iam/users/${withdrawn.id}`)
    expect((await take(withdrawn.token)).body.error_code).toBe('AUTH-002')
  })

  test('survives a password that is refused', async () => {
    const { token, email } = await invited()
    expect((await take(token, `${email.split('@')[0]}-acme-2026`)).body).toMatchObject({
      error_code: 'IAM-002',
      reasons: ['context'],
    })
    expect((await take(token)).status).toBe(200)
  })

  test('C14 does not give what its inviter has lost since', async () => {
    const inviter = await invited(tenant.admin, 'tenant_admin')
    await accept(world.stranger, `#${inviter.token}`)
    const client = await world.signIn(inviter.email)
    const guest = await invited(client, 'security_admin')
    await tenant.admin.patch(`/iam/users/${inviter.id}`, { role_ids: [roleIds.get('viewer')] })
    expect((await take(guest.token)).body.error_code).toBe('IAM-003')
    await tenant.admin.patch(`/iam/users/${inviter.id}`, { role_ids: [roleIds.get('tenant_admin')] })
    expect((await take(guest.token)).status).toBe(200)
  })

  test('is stored as a digest only', async () => {
    const { token } = await invited()
    const rows = await inTenant(sql`select * from iam_directory where kind = 'invitation'`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})
