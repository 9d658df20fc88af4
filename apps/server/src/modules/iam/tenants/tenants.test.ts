import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: OwnWorld
let tenant: TestTenant
let sibling: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('acme')
  sibling = await world.tenant('umbra')
})
afterAll(() => world.close())

let count = 0
const create = (as: TestClient, body: object = {}) => {
  const slug = `child-${++count}`
  return as.post('/iam/tenants', { name: slug, slug, admin_email: `admin@${slug}.example`, ...body })
}
const slugs = async (client: TestClient): Promise<string[]> =>
  (await client.get('/iam/tenants', { query: { limit: '200' } })).body.data.map((row: { slug: string }) => row.slug)

test('the time zone of people who chose none is that of the nearest tenant that names one', async () => {
  const below = await world.tenant('zones')
  const zone = async () => expectStatus(await below.admin.get('/auth/me'), 200).body.data.time_zone
  const say = (id: string, time_zone: string | null) =>
    world.operator.patch(`/iam/tenants/${id}`, { settings: { time_zone } })
  expect(await zone()).toBe('UTC')
  expectStatus(await say(world.root.id, 'Europe/Berlin'), 200)
  expect(await zone()).toBe('Europe/Berlin')
  expectStatus(await say(below.id, 'America/Lima'), 200)
  expect(await zone()).toBe('America/Lima')
  expectStatus(await below.admin.patch('/auth/me', { time_zone: 'Asia/Tokyo' }), 200)
  expect(await zone()).toBe('Asia/Tokyo')
  const refused = await say(below.id, 'Mars/Olympus')
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/settings/time_zone'])
  expectStatus(await say(world.root.id, null), 200)
})

describe('a child', () => {
  test('is made whole: keys, roles, an invited administrator and entries in both logs', async () => {
    const made = await create(tenant.admin)
    expect(made.status).toBe(201)
    const { id, path, administrator_id, invitation_url } = made.body.data
    expect(path).toEqual([world.root.id, tenant.id, id])
    await accept(world.stranger, invitation_url)
    const client = await world.signIn(made.body.data.slug.replace(/^/, 'admin@').concat('.example'))
    expect((await client.get('/auth/me')).body.data).toMatchObject({
      role: 'tenant_admin',
      user: { id: administrator_id },
      tenant: { id },
    })
    expect((await client.get('/iam/roles')).body.meta.pagination.total_count).toBe(9)
    for (const tenantId of [tenant.id, id]) {
      const entries = await world.kernel.db.read(
        tenantId,
        sql`select id from audit_entry where action = 'iam.tenant.create' and target = ${`tenant:${id}`}`,
      )
      expect(entries).toHaveLength(1)
    }
  })

  test('of somebody who may not grant its administration is not made', async () => {
    const role = (await tenant.admin.post('/iam/roles', { name: 'Tenant maker', permissions: ['iam:admin'] })).body.data
    const made = await tenant.admin.post('/iam/users', { email: 'maker@acme.example', role_ids: [role.id] })
    await accept(world.stranger, made.body.data.invitation_url)
    const maker = await world.signIn('maker@acme.example')
    expect((await create(maker)).body.error_code).toBe('IAM-003')
  })

  test('below a tenant one cannot see, or of none, is refused', async () => {
    expect((await create(tenant.admin, { parent_id: sibling.id })).body.error_code).toBe('IAM-011')
    expect((await create(tenant.admin, { parent_id: null })).body).toMatchObject({
      error_code: 'IAM-003',
      missing: ['super_admin'],
    })
    expect((await create(world.operator, { parent_id: null })).body.data.parent_id).toBeNull()
  })

  test('deeper than five is refused', async () => {
    let parent_id: string = tenant.id
    for (let depth = 3; depth <= 5; depth += 1) parent_id = (await create(tenant.admin, { parent_id })).body.data.id
    expect((await create(tenant.admin, { parent_id })).body.error_code).toBe('IAM-011')
  })

  test('takes a slug nobody has, also when two ask at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create(tenant.admin, { slug: 'wanted' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error_code).toBe('API-011')
    expect((await slugs(tenant.admin)).filter((slug) => slug === 'wanted')).toHaveLength(1)
  })

  test('shares the quota of its parent with its siblings', async () => {
    const parent = (await create(world.operator, { quotas: { users: 10 } })).body.data
    const below = (quotas: object) => create(world.operator, { parent_id: parent.id, quotas })
    expect((await below({ users: 6 })).body.data.quotas).toEqual({ users: 6 })
    expect((await below({ users: 5 })).body.error_code).toBe('IAM-009')
    expect((await below({})).body.data.quotas).toEqual({ users: 4 })
  })

  test('cannot be without requests, nor ask for more tokens than its parent has left', async () => {
    const quotas = { requests_per_minute: 1000, llm_tokens_per_day: 5000 }
    const parent = (await create(world.operator, { quotas })).body.data
    const below = (wanted: object) => create(world.operator, { parent_id: parent.id, quotas: wanted })
    expect((await below({ llm_tokens_per_day: 5001 })).body.error_code).toBe('IAM-009')
    expect((await below({ requests_per_minute: 0 })).body.error_code).toBe('API-001')
    expect((await below({})).body.data.quotas).toEqual(quotas)
    const last = await below({})
    expect([last.status, last.body.error_code, last.body.detail]).toEqual([
      422,
      'IAM-009',
      'The quota requests_per_minute allows 0.',
    ])
  })

  test('tightens settings and never loosens them', async () => {
    const parent = (await create(world.operator, { settings: { api_key_max_days: 30, session_idle_minutes: 60 } })).body
      .data
    const child = (
      await create(world.operator, {
        parent_id: parent.id,
        settings: { api_key_max_days: 90, session_idle_minutes: 10 },
      })
    ).body.data
    expect((await world.operator.get(`/iam/tenants/${child.id}`)).body.data).toMatchObject({
      settings: { api_key_max_days: 90, session_idle_minutes: 10 },
      inherited_settings: { api_key_max_days: 30, session_idle_minutes: 60, session_absolute_hours: 720 },
      effective_settings: { api_key_max_days: 30, session_idle_minutes: 10, session_absolute_hours: 720 },
      usage: {
        users: 1,
        service_accounts: 0,
        api_keys: 0,
        requests_per_minute: 0,
        llm_tokens_per_day: 0,
        storage_mb: 0,
      },
    })
  })
})

describe('a quota of requests', () => {
  test('refuses its tenant, shows what is used, and is taken back from above', async () => {
    const bounded = await world.tenant('bounded')
    const path = `/iam/tenants/${bounded.id}`
    expectStatus(await world.operator.patch(path, { quotas: { requests_per_minute: 2 } }), 200)
    await expect.poll(async () => (await bounded.admin.get('/auth/me')).body.error_code).toBe('API-007')
    expect((await world.operator.get('/auth/me')).status).toBe(200)
    expect((await world.operator.get('/iam/users', { headers: { 'x-tenant-id': bounded.id } })).status).toBe(200)
    const usage = async () => (await world.operator.get(path)).body.data.usage.requests_per_minute
    await expect
      .poll(async () => {
        await bounded.admin.get('/auth/me')
        return usage()
      })
      .toBe(2)
    const freed = expectStatus(await world.operator.patch(path, { quotas: { requests_per_minute: null } }), 200)
    expect(freed.body.data.quotas).toEqual({})
    await expect.poll(async () => (await bounded.admin.get('/auth/me')).status).toBe(200)
  })
})

describe('a tenant sees', () => {
  test('itself and what is below it, and nothing else', async () => {
    const child = (await create(tenant.admin)).body.data
    const seen = await slugs(tenant.admin)
    expect(seen).toEqual(expect.arrayContaining(['acme', child.slug]))
    expect(seen.filter((slug) => ['root', 'umbra'].includes(slug))).toEqual([])
    for (const id of [world.root.id, sibling.id])
      expect((await tenant.admin.get(`/iam/tenants/${id}`)).body.error_code).toBe('API-013')
    expect((await tenant.admin.get(`/iam/tenants/${child.id}`)).status).toBe(200)
  })

  test('everything when its caller operates the platform', async () => {
    expect(await slugs(world.operator)).toEqual(expect.arrayContaining(['root', 'acme', 'umbra']))
  })
})

describe('acting in another tenant', () => {
  test('C11 is an operator’s alone, and what they are stays theirs', async () => {
    const there = { headers: { 'x-tenant-id': tenant.id } }
    expect((await world.operator.get('/iam/users', there)).text).toContain('admin@acme.example')
    expect((await world.operator.get('/auth/me', there)).body.data).toMatchObject({
      tenant: { id: tenant.id },
      home_tenant_id: world.root.id,
      user: { email: 'operator@root.example' },
    })
    expect((await tenant.admin.get('/iam/users', { headers: { 'x-tenant-id': sibling.id } })).body.error_code).toBe(
      'AUTH-005',
    )
  })
})
