import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'

let world: World
let tenant: TestTenant
let admin: TestClient
const roleIds = new Map<string, string>()

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('acme')
  admin = tenant.admin
  for (const role of (await admin.get('/iam/roles')).body.data) roleIds.set(role.name, role.id)
})
afterAll(() => world.close())

const role = (name: string): string => roleIds.get(name) ?? name
const create = (body: object, as = admin) => as.post('/iam/users', { role_ids: [role('viewer')], ...body })

let count = 0
const freshEmail = (): string => `person${++count}@${tenant.slug}.example`

/** An active person and their client. */
async function person(role_ids = [role('viewer')]): Promise<{ id: string; email: string; client: TestClient }> {
  const email = freshEmail()
  const made = await create({ email, role_ids })
  await accept(world.stranger, made.body.data.invitation_url)
  return { id: made.body.data.id, email, client: await world.signIn(email) }
}

describe('creating', () => {
  test('an invited person answers the link once and shows no secret afterwards', async () => {
    const email = freshEmail()
    const made = await create({ email, display_name: 'Ada', department: 'Engines' })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`/api/v1/iam/users/${made.body.data.id}`)
    expect(made.body.data).toMatchObject({
      email,
      status: 'invited',
      role: 'viewer',
      type: 'human',
      must_change_password: false,
    })
    expect(made.body.data.invitation_url).toMatch(/\/invite#[\w-]{43}$/)
    expect((await admin.get(`/iam/users/${made.body.data.id}`)).text).not.toContain('invitation_url')
  })

  test('a person with a first password may do nothing until it is changed', async () => {
    const email = freshEmail()
    await create({ email, role_ids: [role('auditor')], delivery: 'password', password: 'first password for ada' })
    const tokens = (await world.stranger.post('/auth/login', { email, password: 'first password for ada' })).body.data
    const client = world.stranger.with(tokens.access_token)
    expect((await client.get('/iam/users')).body.error_code).toBe('AUTH-004')
    expect((await client.get('/auth/me')).body.data).toMatchObject({
      permissions: [],
      user: { must_change_password: true },
    })
    const user = (await admin.get('/iam/users', { query: { q: email } })).body.data[0]
    expect(Date.parse(user.password_expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const changed = await client.post('/auth/password', {
      current_password: 'first password for ada',
      new_password: password,
    })
    expect(changed.status).toBe(200)
    expect((await client.get('/iam/users')).status).toBe(200)
  })

  test('a first password that nobody changed in a week opens nothing, until an administrator gives another while', async () => {
    const email = freshEmail()
    const first = 'first password for lou'
    const made = await create({ email, delivery: 'password', password: first })
    const { id } = made.body.data
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update iam_user set password_expires_at = ${at(-1)} where id = ${id}`),
    )
    expect((await world.stranger.post('/auth/login', { email, password: first })).body.error_code).toBe('AUTH-007')
    expect((await admin.post(`/iam/users/${id}/reset-credentials`, { password: true })).status).toBe(200)
    const tokens = (await world.stranger.post('/auth/login', { email, password: first })).body.data
    const body = { current_password: first, new_password: password }
    expect((await world.stranger.with(tokens.access_token).post('/auth/password', body)).status).toBe(200)
    expect((await admin.get(`/iam/users/${id}`)).body.data.password_expires_at).toBeNull()
  })

  test('with a first password keeps nobody waiting while it is hashed', async () => {
    const { passwords } = world.program.assembled.modules.servicesOf('iam') as IamServices
    let done = false
    const queue = Array.from({ length: 40 }, (_, turn) => passwords.hash(`somebody else's password ${turn}`))
    const made = create({ email: freshEmail(), delivery: 'password', password: 'first password for eve' }).then(
      (answer) => {
        done = true
        return answer
      },
    )
    for (let turn = 0; turn < 5; turn += 1) expect((await admin.get('/iam/users')).status).toBe(200)
    expect(done).toBe(false)
    expect((await made).status).toBe(201)
    await Promise.all(queue)
  })

  test('the role may be given by its name, alone', async () => {
    const wish = { type: 'service', display_name: 'Robot' }
    const made = await admin.post('/iam/users', { ...wish, role: 'Viewer' })
    expect(made.body.data).toMatchObject({ role: 'viewer', role_ids: [role('viewer')] })
    const refused = [{ role: 'no such role' }, { role: 'viewer', role_ids: [role('viewer')] }, {}]
    for (const roles of refused)
      expect((await admin.post('/iam/users', { ...wish, ...roles })).body.error_code).toBe('API-001')
  })

  test('a service account has no address and no password', async () => {
    const made = await create({ type: 'service', display_name: 'Deploy' })
    expect(made.body.data).toMatchObject({ type: 'service', status: 'active', email: null })
    expect((await create({ type: 'service', email: freshEmail() })).body.errors[0].pointer).toBe('/email')
    expect((await create({ type: 'service', delivery: 'invite' })).body.errors[0].pointer).toBe('/delivery')
  })

  test.each([
    ['no address', {}, '/email'],
    ['a password without its delivery', { email: 'x@acme.example', password: 'something long enough' }, '/password'],
    ['its delivery without a password', { email: 'x@acme.example', delivery: 'password' }, '/password'],
    ['an unknown role', { email: 'x@acme.example', role_ids: ['01890000-0000-7000-8000-000000000000'] }, '/role_ids/0'],
    [
      'an unknown manager',
      { email: 'x@acme.example', manager_id: '01890000-0000-7000-8000-000000000000' },
      '/manager_id',
    ],
    ['an end in the past', { email: 'x@acme.example', expires_at: '2020-01-01T00:00:00.000Z' }, '/expires_at'],
  ])('with %s is refused and says where', async (_name, body, pointer) => {
    const refused = await create(body)
    expect(refused.body).toMatchObject({ status: 400, error_code: 'API-001' })
    expect(refused.body.errors[0].pointer).toBe(pointer)
  })

  test('an address in use is refused, whatever its case', async () => {
    const email = freshEmail()
    await create({ email })
    expect((await create({ email: email.toUpperCase() })).body.error_code).toBe('IAM-001')
  })

  test('of one address by twenty at once makes one user', async () => {
    const email = freshEmail()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ email })))
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error_code === 'IAM-001')).toHaveLength(19)
  })
})

describe('C14 nobody gives more than they have', () => {
  test('a security administrator creates and promotes viewers, not administrators', async () => {
    const client = await tenant.as('security_admin')
    expect((await create({ email: freshEmail(), role_ids: [role('viewer')] }, client)).status).toBe(201)
    const refused = await create({ email: freshEmail(), role_ids: [role('tenant_admin')] }, client)
    expect(refused.body).toMatchObject({ status: 403, error_code: 'IAM-003' })
    expect(refused.body.missing).toContain('iam:admin')
    const { id } = await person()
    expect(
      (await client.patch(`/iam/users/${id}`, { role_ids: [role('viewer'), role('tenant_admin')] })).body.error_code,
    ).toBe('IAM-003')
  })

  test("a tenant's administrator cannot make an operator of the platform", async () => {
    const refused = await create({ email: freshEmail(), role_ids: [role('super_admin')] })
    expect(refused.body).toMatchObject({ error_code: 'IAM-003', missing: ['super_admin'] })
  })

  test('nothing of somebody greater can be changed, not even a name, and no role be taken away', async () => {
    const client = await tenant.as('security_admin')
    const { id } = await person([role('tenant_admin')])
    const before = (await admin.get(`/iam/users/${id}`)).text
    const manager_id = (await person()).id
    const changes: object[] = [
      { status: 'suspended' },
      { expires_at: '2999-01-01T00:00:00.000Z' },
      { role_ids: [role('viewer')] },
      { display_name: 'Nobody' },
      { department: 'Nowhere' },
      { locale: 'de', time_zone: 'Europe/Berlin' },
      { manager_id },
      {},
    ]
    for (const change of changes) {
      const refused = await client.patch(`/iam/users/${id}`, change)
      expect(refused.body).toMatchObject({ status: 403, error_code: 'IAM-003' })
    }
    const data = (text: string) => JSON.parse(text).data
    expect(data((await admin.get(`/iam/users/${id}`)).text)).toEqual(data(before))
  })

  test('of somebody within one’s own rights roles can be taken away, and one’s own name is one’s own', async () => {
    const client = await tenant.as('security_admin')
    const { id } = await person([role('viewer'), role('security_analyst')])
    expect((await client.patch(`/iam/users/${id}`, { role_ids: [role('viewer')] })).status).toBe(200)
    const own = (await client.get('/auth/me')).body.data.user.id
    expect((await client.patch(`/iam/users/${own}`, { display_name: 'Sam' })).body.data.display_name).toBe('Sam')
    const { secret } = (await client.post('/iam/api-keys', { name: 'narrow', scopes: ['iam:write'] })).body.data
    const byKey = await world.stranger.with(secret).patch(`/iam/users/${own}`, { display_name: 'Key' })
    expect(byKey.body.error_code).toBe('IAM-003')
  })
})

describe('listing', () => {
  test('filters by status, role, type and the start of address or name, literally', async () => {
    const { id, email } = await person([role('risk_manager')])
    await admin.patch(`/iam/users/${id}`, { display_name: '50%_Zuse' })
    const ids = async (query: Record<string, string>): Promise<string[]> =>
      (await admin.get('/iam/users', { query })).body.data.map((user: { id: string }) => user.id)
    expect(await ids({ q: email.slice(0, 10).toUpperCase(), role_id: role('risk_manager') })).toEqual([id])
    expect(await ids({ q: '50%_z' })).toEqual([id])
    expect(await ids({ q: '%' })).toEqual([])
    expect(await ids({ role_id: role('risk_manager'), status: 'suspended' })).toEqual([])
    expect(await ids({ type: 'service', role_id: role('risk_manager') })).toEqual([])
  })

  test("never shows another tenant's users, whose ids do not exist here", async () => {
    const other = await world.tenant('other')
    const { id } = await person()
    expect((await other.admin.get('/iam/users')).text).not.toContain(id)
    for (const answer of [
      await other.admin.get(`/iam/users/${id}`),
      await other.admin.patch(`/iam/users/${id}`, {}),
      await other.admin.delete(`/iam/users/${id}`),
    ]) {
      expect(answer.body.error_code).toBe('API-013')
    }
  })
})
