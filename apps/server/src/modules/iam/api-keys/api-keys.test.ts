import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { atOneMoment } from '../../../kernel/testing/moment.ts'
import type { IamServices } from '../services/iam-services.ts'

let world: OwnWorld
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
const create = (body: object, as = admin) => as.post('/iam/api-keys', { name: 'script', scopes: ['iam:read'], ...body })
const inTenant = (statement: Sql) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))

async function serviceAccount(roleName: string): Promise<string> {
  const role = (await admin.get('/iam/roles', { query: { q: roleName } })).body.data[0].id
  return (await admin.post('/iam/users', { type: 'service', display_name: 'Robot', role_ids: [role] })).body.data.id
}

describe('a new key', () => {
  test('is shown once, lives ninety days and works in both headers', async () => {
    const { id, secret, ...shown } = (await create({})).body.data
    expect(secret).toMatch(/^ppt_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect(shown).toMatchObject({ status: 'active', scopes: ['iam:read'], prefix: secret.slice(0, 16) })
    expect(Math.round((Date.parse(shown.expires_at) - Date.now()) / day)).toBe(90)
    expect((await world.stranger.with(secret).get('/iam/users')).status).toBe(200)
    expect((await world.stranger.get('/iam/users', { headers: { 'x-api-key': secret } })).status).toBe(200)
    expect((await admin.get(`/iam/api-keys/${id}`)).text).not.toContain(secret.slice(17))
    const stored = await inTenant(sql`select * from iam_api_key where id = ${id}`)
    expect(JSON.stringify(stored)).not.toContain(secret.slice(17, 60))
  })

  test('C09 has at most the rights of its maker, now and of its owner, later', async () => {
    const auditor = await tenant.as('auditor')
    expect((await create({ scopes: ['iam:write'] }, auditor)).body).toMatchObject({
      error_code: 'IAM-003',
      missing: ['iam:write'],
    })
    const { secret } = (await create({}, auditor)).body.data
    const byKey = world.stranger.with(secret)
    expect((await byKey.get('/iam/users')).status).toBe(200)
    const { id } = (await auditor.get('/auth/me')).body.data.user
    const roles = (await admin.get('/iam/roles')).body.data
    const idOf = (name: string): string => roles.find((role: { name: string }) => role.name === name).id
    await admin.patch(`/iam/users/${id}`, { role_ids: [idOf('viewer')] })
    expect((await byKey.get('/iam/users')).body.error_code).toBe('AUTH-004')
    await admin.patch(`/iam/users/${id}`, { role_ids: [idOf('auditor')] })
  })

  test.each([
    ['without scopes', { scopes: undefined }, 'API-001'],
    ['of unknown scopes', { scopes: ['iam:fly'] }, 'IAM-008'],
    ['that would have ended', { expires_at: '2020-01-01T00:00:00.000Z' }, 'IAM-012'],
    ['that lives too long', { expires_at: '2999-01-01T00:00:00.000Z' }, 'IAM-012'],
    ['for an odd network', { allowed_cidrs: ['10.0.0.0/64'] }, 'API-001'],
    ['with an overlap and nothing to replace', { overlap_hours: 1 }, 'IAM-012'],
  ])('%s is refused', async (_name, change, code) => {
    expect((await create(change)).body.error_code).toBe(code)
  })

  test('for a service account needs iam:admin, for another person it is not made at all', async () => {
    const owner_id = await serviceAccount('viewer')
    expect((await create({ owner_id, scopes: ['risk:read'] })).body.data.owner_id).toBe(owner_id)
    const security = await tenant.as('security_admin')
    expect((await create({ owner_id, scopes: ['risk:read'] }, security)).body.error_code).toBe('AUTH-004')
    const person = (await security.get('/auth/me')).body.data.user.id
    expect((await create({ owner_id: person })).body.error_code).toBe('IAM-012')
  })

  test('counts against the quota of the tenant, also when made side by side', async () => {
    const made = await world.operator.post('/iam/tenants', {
      name: 'Small',
      slug: 'small',
      admin_email: 'a@small.example',
      quotas: { api_keys: 3 },
    })
    const operator = (body: object) =>
      world.operator.post('/iam/api-keys', body, { headers: { 'x-tenant-id': made.body.data.id } })
    const role = (await world.operator.get('/iam/roles?q=viewer', { headers: { 'x-tenant-id': made.body.data.id } }))
      .body.data[0].id
    const robot = await world.operator.post(
      '/iam/users',
      { type: 'service', role_ids: [role] },
      { headers: { 'x-tenant-id': made.body.data.id } },
    )
    const wish = { name: 'k', scopes: ['risk:read'], owner_id: robot.body.data.id }
    const answers = await Promise.all(Array.from({ length: 8 }, () => operator(wish)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ body }) => body.error_code === 'IAM-009')).toHaveLength(5)
  })
})

describe('a key in use', () => {
  test('C09 works from its networks only', async () => {
    const { secret } = (await create({ allowed_cidrs: ['203.0.113.0/24'] })).body.data
    const from = (ip: string) => world.stranger.with(secret).get('/iam/users', { headers: { 'x-forwarded-for': ip } })
    expect((await from('203.0.113.9')).status).toBe(200)
    expect((await from('198.51.100.9')).body.error_code).toBe('AUTH-011')
  })

  test('that changes answers what reading answers, under the same ETag', async () => {
    const { id } = (await create({})).body.data
    const changed = await admin.patch(`/iam/api-keys/${id}`, { name: 'renamed' })
    const read = await admin.get(`/iam/api-keys/${id}`)
    expect(changed.body.data).toEqual(read.body.data)
    expect(changed.headers.etag).toBe(read.headers.etag)
  })

  test('is counted by day and remembers its last use', async () => {
    const { id, secret } = (await create({})).body.data
    const { keyUse } = world.program.assembled.modules.servicesOf('iam') as IamServices
    await atOneMoment(async () => {
      for (let uses = 0; uses < 3; uses += 1) await world.stranger.with(secret).get('/iam/users')
    })
    await keyUse.flush()
    const { usage, created_at, last_used_ip, last_used_at } = (await admin.get(`/iam/api-keys/${id}`)).body.data
    expect(usage).toEqual([{ day: last_used_at.slice(0, 10), requests: 3 }])
    expect(last_used_at >= created_at).toBe(true)
    expect([last_used_ip, last_used_at === null]).toEqual(['127.0.0.1', false])
  })

  test('C09 tells of networks that a key with a past was never used from', async () => {
    const { id, secret } = (await create({})).body.data
    const use = async (ip: string) => {
      keyUse.used({ ...stored, id }, ip)
      await keyUse.flush()
    }
    const { keyUse } = world.program.assembled.modules.servicesOf('iam') as IamServices
    const stored = { tenantId: tenant.id } as Parameters<typeof keyUse.used>[0]
    expectStatus(await world.stranger.with(secret).get('/iam/users'), 200)
    for (const ip of ['127.0.0.77', '203.0.113.9', '203.0.113.200', '2001:db8::1', '2001:db8::ffff']) await use(ip)
    const told = () =>
      inTenant(sql`
      select data->>'network' as network from event_log
      where channel = 'iam.api_key.used_from_new_network' and subject = ${`api-key/${id}`} order by id`)
    await expect.poll(told).toEqual([{ network: '203.0.113.0/24' }, { network: '2001:db8::/64' }])
    expect((await admin.get(`/iam/api-keys/${id}`)).body.data).not.toHaveProperty('used_networks')
  })

  test('past its end is refused as expired', async () => {
    const { id, secret } = (await create({})).body.data
    await inTenant(sql`update iam_api_key set expires_at = ${at(-1_000)} where id = ${id}`)
    expect((await world.stranger.with(secret).get('/iam/users')).body.error_code).toBe('AUTH-003')
  })

  test('makes no key that outlives it and cannot widen itself', async () => {
    const { id, secret } = (await create({ scopes: ['iam:admin'], expires_at: at(2 * day) })).body.data
    const byKey = world.stranger.with(secret)
    expect((await create({ expires_at: at(3 * day) }, byKey)).body.error_code).toBe('IAM-012')
    expect((await create({ expires_at: at(day) }, byKey)).status).toBe(201)
    expect((await byKey.patch(`/iam/api-keys/${id}`, { expires_at: at(9 * day) })).body.error_code).toBe('IAM-012')
  })

  test("does not touch its owner's other keys", async () => {
    const auditor = await tenant.as('auditor')
    const leaked = world.stranger.with((await create({}, auditor)).body.data.secret)
    const other = (await create({}, auditor)).body.data.id
    expect((await leaked.delete(`/iam/api-keys/${other}`)).body.error_code).toBe('AUTH-004')
    expect((await leaked.post('/auth/logout', { everywhere: true })).body.error_code).toBe('AUTH-009')
  })
})

describe('changing a key', () => {
  test('C14 narrows freely, and widening needs the rights', async () => {
    const security = await tenant.as('security_admin')
    const { id, secret } = (await create({ scopes: ['iam:write'] }, security)).body.data
    expect((await security.patch(`/iam/api-keys/${id}`, { scopes: ['iam:read'] })).body.data.scopes).toEqual([
      'iam:read',
    ])
    expect((await world.stranger.with(secret).post('/iam/users', {})).body.error_code).toBe('AUTH-004')
    expect((await security.patch(`/iam/api-keys/${id}`, { scopes: ['iam:write'] })).status).toBe(200)
    expect((await security.patch(`/iam/api-keys/${id}`, { scopes: ['iam:admin'] })).body.error_code).toBe('IAM-003')
  })

  test('takes effect on the next request', async () => {
    const { id, secret } = (await create({})).body.data
    const byKey = world.stranger.with(secret)
    expect((await byKey.get('/iam/users')).status).toBe(200)
    await admin.patch(`/iam/api-keys/${id}`, { scopes: ['risk:read'] })
    expect((await byKey.get('/iam/users')).body.error_code).toBe('AUTH-004')
  })
})

describe('rotation', () => {
  test('takes the settings over and lets the old key live for the overlap', async () => {
    const old = (await create({ allowed_cidrs: ['127.0.0.0/8'], rate_limit_per_minute: 600 })).body.data
    const made = await admin.post('/iam/api-keys', { replaces_id: old.id, overlap_hours: 2 })
    expect(made.body.data).toMatchObject({
      name: 'script',
      scopes: ['iam:read'],
      allowed_cidrs: ['127.0.0.0/8'],
      rate_limit_per_minute: 600,
      replaces_id: old.id,
    })
    const seen = (await admin.get(`/iam/api-keys/${old.id}`)).body.data
    expect(seen).toMatchObject({ status: 'rotating', replaced_by_id: made.body.data.id })
    expect(Math.round((Date.parse(seen.expires_at) - Date.now()) / 3_600_000)).toBe(2)
    for (const secret of [old.secret, made.body.data.secret])
      expect((await world.stranger.with(secret).get('/iam/users')).status).toBe(200)
    expect((await admin.post('/iam/api-keys', { replaces_id: old.id })).body.error_code).toBe('IAM-012')
  })

  test('without overlap ends the old key at once', async () => {
    const old = (await create({})).body.data
    await admin.post('/iam/api-keys', { replaces_id: old.id, overlap_hours: 0 })
    expect((await world.stranger.with(old.secret).get('/iam/users')).status).toBe(401)
  })
})

describe('revoking', () => {
  test('works at once, again and again, and the row stays', async () => {
    const { id, secret } = (await create({})).body.data
    expect((await admin.delete(`/iam/api-keys/${id}`)).body.data).toEqual({ id, deleted: true })
    expect((await world.stranger.with(secret).get('/iam/users')).body.error_code).toBe('AUTH-002')
    expect((await admin.delete(`/iam/api-keys/${id}`)).status).toBe(200)
    expect((await admin.get(`/iam/api-keys/${id}`)).body.data).toMatchObject({
      status: 'revoked',
      revoked_reason: 'owner',
    })
  })
})

describe('who sees which keys', () => {
  test('own ones always, all with iam:read, none of another tenant', async () => {
    const viewer = await tenant.as('viewer')
    const own = (await create({ scopes: ['risk:read'] }, viewer)).body.data.id
    const foreign = (await create({})).body.data.id
    const ids = async (client: TestClient): Promise<string[]> =>
      (await client.get('/iam/api-keys', { query: { limit: '200' } })).body.data.map((key: { id: string }) => key.id)
    expect(await ids(viewer)).toEqual([own])
    expect(await ids(admin)).toEqual(expect.arrayContaining([own, foreign]))
    expect((await viewer.get(`/iam/api-keys/${foreign}`)).body.error_code).toBe('API-013')
    const adminId = (await admin.get('/auth/me')).body.data.user.id
    expect((await viewer.get('/iam/api-keys', { query: { owner_id: adminId } })).body.error_code).toBe('AUTH-004')
    const other = await world.tenant('other')
    expect((await other.admin.delete(`/iam/api-keys/${own}`)).body.error_code).toBe('API-013')
  })

  test('finds a key by the beginning of its name, and by what somebody has found of the key itself', async () => {
    const { id, secret, prefix } = (await create({ name: 'Billing 100% robot' })).body.data
    await create({ name: 'Another' })
    const found = async (q: string): Promise<readonly string[]> =>
      expectStatus(await admin.get('/iam/api-keys', { query: { q } }), 200).body.data.map(
        (key: { id: string }) => key.id,
      )
    for (const q of ['billing 100%', prefix, prefix.slice(0, 10), secret]) expect(await found(q)).toEqual([id])
    for (const q of ['illing', `${prefix.slice(0, -1)}!`, '%']) expect(await found(q)).toEqual([])
  })

  test('filters by status and by disuse', async () => {
    const { id } = (await create({ name: 'unused' })).body.data
    const list = async (query: Record<string, string>): Promise<string> =>
      (await admin.get('/iam/api-keys', { query: { limit: '200', ...query } })).text
    expect(await list({ status: 'active', unused_since: at(0) })).toContain(id)
    for (const status of ['revoked', 'expired', 'rotating']) expect(await list({ status })).not.toContain(id)
    expect(await list({ expires_before: at(day) })).not.toContain(id)
  })
})

describe('a key without an end', () => {
  const settings = (own: object) => admin.patch(`/iam/tenants/${tenant.id}`, { settings: own })
  test('is made where the tenant allows it, works, and is shown, counted and rotated as such', async () => {
    const refused = (await create({ expires_at: null })).body
    expect([refused.error_code, refused.detail]).toEqual(['IAM-012', expect.stringContaining('365 days')])
    const ending = (await create({})).body.data
    expect((await admin.patch(`/iam/api-keys/${ending.id}`, { expires_at: null })).body.error_code).toBe('IAM-012')
    expectStatus(await settings({ api_key_without_expiry: true }), 200)
    const made = expectStatus(await create({ expires_at: null, scopes: ['iam:admin'] }), 201).body.data
    expect([made.expires_at, made.status]).toEqual([null, 'active'])
    const byKey = world.stranger.with(made.secret)
    expect((await byKey.get(`/iam/api-keys/${made.id}`)).body.data.expires_at).toBeNull()
    // It may make keys, and none outlives it; one that ends makes none that does not.
    expectStatus(await create({ expires_at: null }, byKey), 201)
    const short = expectStatus(await create({ scopes: ['iam:admin'], expires_at: at(day) }), 201).body.data
    const byShort = world.stranger.with(short.secret)
    expect((await create({ expires_at: null }, byShort)).body.error_code).toBe('IAM-012')
    expect((await byShort.patch(`/iam/api-keys/${short.id}`, { expires_at: null })).body.error_code).toBe('IAM-012')
    const listed = await admin.get('/iam/api-keys', { query: { status: 'active', expires_before: at(366 * day) } })
    expect(listed.body.data.map(({ id }: { id: string }) => id)).not.toContain(made.id)
    expectStatus(await admin.patch(`/iam/api-keys/${ending.id}`, { expires_at: null }), 200)
    const next = expectStatus(await admin.post('/iam/api-keys', { replaces_id: made.id, overlap_hours: 1 }), 201)
    expect(Math.round((Date.parse(next.body.data.expires_at) - Date.now()) / day)).toBe(90)
    const old = (await admin.get(`/iam/api-keys/${made.id}`)).body.data
    expect(Math.round((Date.parse(old.expires_at) - Date.now()) / 60_000)).toBe(60)
  })

  test('goes on when the tenant bounds days again, is given an end freely, and never loses it', async () => {
    expectStatus(await settings({ api_key_without_expiry: true }), 200)
    const { id, secret } = (await create({ expires_at: null })).body.data
    expectStatus(await settings({ api_key_max_days: 30 }), 200)
    expect((await create({ expires_at: null })).body.error_code).toBe('IAM-012')
    expect((await world.stranger.with(secret).get('/iam/users')).status).toBe(200)
    expectStatus(await admin.patch(`/iam/api-keys/${id}`, { name: 'renamed' }), 200)
    expectStatus(await admin.patch(`/iam/api-keys/${id}`, { expires_at: at(day) }), 200)
    expect((await admin.patch(`/iam/api-keys/${id}`, { expires_at: null })).body.error_code).toBe('IAM-012')
    expectStatus(await settings({ api_key_max_days: null, api_key_without_expiry: null }), 200)
  })
})
