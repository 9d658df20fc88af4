import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { rateLimits } from '../../../kernel/settings/kernel-settings.ts'

let world: OwnWorld
let alpha: TestTenant
let beta: TestTenant

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_RATE_LIMIT_API: '', PARAPET_RATE_LIMIT_INFERENCE: '' } })
  alpha = await world.tenant('alpha')
  beta = await world.tenant('beta')
})
afterAll(() => world.close())

const comment = 'A change for the test'
const change = (values: object, more: object = {}) => alpha.admin.patch('/admin/config', { values, comment, ...more })
const ofPlatform = (values: object, more: object = {}) =>
  world.operator.patch('/admin/config', { scope: 'platform', values, comment, ...more })

async function entry(tenant: Pick<TestTenant, 'admin'>, key: string) {
  const answer = expectStatus(await tenant.admin.get('/admin/config', { query: { key } }), 200)
  return answer.body.data[0]
}

async function layer(): Promise<object> {
  const answer = expectStatus(await alpha.admin.get('/admin/config', { query: { only_overridden: 'true' } }), 200)
  const own = answer.body.data.filter(({ source }: { source: string }) => source === 'tenant')
  return Object.fromEntries(own.map(({ key, value }: { key: string; value: unknown }) => [key, value]))
}

describe('the settings that count', () => {
  test('come from the tenant before the platform before the default, and readers see the same', async () => {
    expect(await entry(alpha, 'rate_limits.api')).toMatchObject({ value: 6000, source: 'default', version: 0 })
    expectStatus(await ofPlatform({ 'rate_limits.api': 900_000 }), 200)
    expectStatus(await change({ 'rate_limits.api': 800_000 }), 200)
    expect(await entry(alpha, 'rate_limits.api')).toMatchObject({ value: 800_000, source: 'tenant' })
    expect(await entry(beta, 'rate_limits.api')).toMatchObject({ value: 900_000, source: 'platform' })
    expect(world.kernel.settings.get(rateLimits.api, alpha.id)).toBe(800_000)
    const called = await alpha.admin.get('/admin/config')
    expect(called.headers['x-ratelimit-limit']).toBe('800000')
    expect((await beta.admin.get('/admin/config')).headers['x-ratelimit-limit']).toBe('900000')
    expectStatus(await change({ 'rate_limits.api': null }), 200)
    expect(await entry(alpha, 'rate_limits.api')).toMatchObject({ value: 900_000, source: 'platform' })
  })

  test('that the environment fixes are shown with its name and refused', async () => {
    expect(await entry(alpha, 'rate_limits.expensive')).toMatchObject({
      value: 1_000_000,
      source: 'env',
      fixed_by: 'PARAPET_RATE_LIMIT_EXPENSIVE',
    })
    const refused = await change({ 'rate_limits.expensive': 5 })
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'ADM-003' } })
  })

  test('of the settings file hold below the platform’s and above the default, also as the ceiling of tenants', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'parapet-config-')), 'settings.json')
    await writeFile(file, JSON.stringify({ 'rate_limits.inference': 40, 'flags.stale_days': 7 }))
    const other = await openWorld({ environment: { PARAPET_SETTINGS_FILE: file, PARAPET_RATE_LIMIT_INFERENCE: '' } })
    try {
      const gamma = await other.tenant('gamma')
      expect(await entry(gamma, 'flags.stale_days')).toMatchObject({ value: 7, source: 'file', is_default: false })
      expect(await entry(gamma, 'rate_limits.inference')).toMatchObject({ value: 40, default: 3000, source: 'file' })
      const set = (values: object) => gamma.admin.patch('/admin/config', { values, comment })
      expect((await set({ 'rate_limits.inference': 41 })).body.error_code).toBe('ADM-001')
      expectStatus(await set({ 'rate_limits.inference': 39 }), 200)
      const body = { scope: 'platform', values: { 'flags.stale_days': 9 }, comment }
      expectStatus(await other.operator.patch('/admin/config', body), 200)
      expect(await entry(gamma, 'flags.stale_days')).toMatchObject({ value: 9, source: 'platform' })
    } finally {
      await other.close()
    }
  })

  test('of the platform are an operator’s only', async () => {
    expect(await entry(alpha, 'maintenance')).toBeUndefined()
    expect((await alpha.admin.get('/admin/config', { query: { scope: 'platform' } })).body.error_code).toBe('AUTH-004')
    const shown = expectStatus(await world.operator.get('/admin/config', { query: { scope: 'platform' } }), 200).body
    expect(shown.data.map(({ key }: { key: string }) => key)).toContain('maintenance')
    expect(shown.meta.nodes).toEqual([{ node: world.kernel.node, version: expect.any(Number) }])
    expect(shown.meta.nodes[0].version).toBeGreaterThanOrEqual(shown.meta.config_version)
    const answer = await alpha.admin.patch('/admin/config', { scope: 'platform', values: {}, comment })
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'AUTH-004' } })
  })
})

describe('a change-set', () => {
  test('C26 cannot lock a tenant out of its own console', async () => {
    expect((await change({ 'rate_limits.api': 1 })).body.error_code).toBe('ADM-001')
  })

  test('is refused as a whole, and every value that is wrong is named', async () => {
    const before = await layer()
    const refused = await change({ 'rate_limits.api': 'many', 'rate_limits.inference': 0, maintenance: null })
    expect(refused).toMatchObject({ status: 422, body: { error_code: 'ADM-001' } })
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/values/rate_limits.api',
      '/values/rate_limits.inference',
      '/values/maintenance',
    ])
    expect(await change({ 'rate_limits.api': 60, no_such: 1 })).toMatchObject({
      status: 422,
      body: { error_code: 'ADM-002', errors: [{ pointer: '/values/no_such' }] },
    })
    expect(await layer()).toEqual(before)
  })

  test('cannot raise a limit above the platform’s, unless an operator does it', async () => {
    const above = { 'rate_limits.inference': 3001 }
    expect((await change(above)).body.error_code).toBe('ADM-001')
    const headers = { 'x-tenant-id': alpha.id }
    expectStatus(await world.operator.patch('/admin/config', { values: above, comment }, { headers }), 200)
    expect(await entry(alpha, 'rate_limits.inference')).toMatchObject({ value: 3001, source: 'tenant' })
    expectStatus(await change({ 'rate_limits.inference': null }), 200)
  })

  test('shows with dry_run what it would do, and does not', async () => {
    const tried = expectStatus(await change({ 'rate_limits.api': 77 }, { dry_run: true }), 200).body.data
    expect(tried).toMatchObject({ id: null, dry_run: true, entries: [{ key: 'rate_limits.api', after: 77 }] })
    expect(await layer()).not.toHaveProperty(['rate_limits.api'])
  })

  test('based on an older version is refused, and of several at once one wins', async () => {
    const read = expectStatus(await alpha.admin.get('/admin/config'), 200)
    const headers = { 'if-match': read.headers.etag ?? '' }
    const send = (n: number) =>
      alpha.admin.patch('/admin/config', { values: { 'rate_limits.api': n }, comment }, { headers })
    const answers = await Promise.all([send(101), send(102), send(103)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expectStatus(await change({ 'rate_limits.api': null }), 200)
  })

  test('is in the history, in the audit log and, without its values, among the events', async () => {
    const made = expectStatus(await change({ 'rate_limits.api': 4321 }, { comment: 'For the history' }), 200).body.data
    const history = async (query: Record<string, string>) =>
      expectStatus(await alpha.admin.get('/admin/config/changes', { query }), 200).body.data
    expect((await history({ key: 'rate_limits.api' }))[0]).toMatchObject({
      id: made.id,
      comment: 'For the history',
      entries: [{ key: 'rate_limits.api', before: null, after: 4321, secret: false }],
      nodes: [{ node: world.kernel.node, version: expect.any(Number) }],
    })
    // A revision of all tenants, which is never behind that of one change once it counts here.
    const [shown] = await history({ key: 'rate_limits.api' })
    expect(shown.nodes[0].version).toBeGreaterThanOrEqual(shown.version)
    expect(await history({ since: '2999-01-01T00:00:00.000Z' })).toEqual([])
    expect(await history({ author: made.author })).not.toEqual([])
    expect(expectStatus(await beta.admin.get('/admin/config/changes'), 200).body.data).toEqual([])
    expectStatus(await change({ 'rate_limits.api': null }), 200)
  })

  test('C16 C63 with a secret stores it encrypted and shows a digest at most', async () => {
    const secret = 'a-token-for-metrics-that-nobody-sees'
    const made = expectStatus(await ofPlatform({ 'metrics.token': secret }), 200)
    const listed = await world.operator.get('/admin/config', { query: { scope: 'platform', key: 'metrics.token' } })
    const history = await world.operator.get('/admin/config/changes', { query: { scope: 'platform' } })
    for (const { text } of [made, listed, history]) expect(text).not.toContain(secret)
    expect(listed.body.data[0]).toMatchObject({ value: null, redacted: true, source: 'platform' })
    const bare = (token: string) =>
      world.program.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    expect((await bare(secret)).statusCode).toBe(200)
    expect((await bare('another')).statusCode).toBe(401)
    expectStatus(await ofPlatform({ 'metrics.token': null }), 200)
    expect((await bare('another')).statusCode).toBe(200)
    const back = { scope: 'platform', comment, rollback_to: history.body.data[0].id }
    expectStatus(await ofPlatform({ 'metrics.token': 'another-token-in-between' }), 200)
    const later = expectStatus(await world.operator.get('/admin/config/changes', { query: { scope: 'platform' } }), 200)
    const removal = later.body.data[1]
    expectStatus(await world.operator.patch('/admin/config', { ...back, rollback_to: removal.id }), 200)
    expect((await bare(secret)).statusCode).toBe(200)
    expectStatus(await world.operator.patch('/admin/config', back), 200)
    expect((await bare('another')).statusCode).toBe(200)
  })
})

test('any sequence of change-sets and rollbacks, rolled back to its start, gives the start', async () => {
  const start = await layer()
  const value = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null })
  const values = fc.record({ api: value(100_000, 800_000), inference: value(1, 3000) }, { requiredKeys: [] })
  const step = fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: fc.nat(20) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const ids: string[] = []
      for (const one of steps) {
        const body =
          typeof one === 'number' && ids.length > 0
            ? { rollback_to: ids[one % ids.length], comment }
            : { values: keyed(typeof one === 'number' ? {} : one), comment }
        ids.push(expectStatus(await alpha.admin.patch('/admin/config', body), 200).body.data.id)
      }
      expectStatus(await alpha.admin.patch('/admin/config', { rollback_to: ids[0], comment }), 200)
      expect(await layer()).toEqual(start)
    }),
    { numRuns: 12 },
  )
  const all = expectStatus(await alpha.admin.get('/admin/config/changes', { query: { limit: '200' } }), 200).body.data
  expect(all[0]).toMatchObject({ origin: 'rollback', rolled_back_by: null })
  expect(all[1].rolled_back_by).not.toBeNull()
})

test('a change says whether a person at a page, a program or a rollback made it', async () => {
  const values = { 'rate_limits.inference': 1234 }
  const atPage = { headers: { 'sec-fetch-site': 'same-origin' } }
  const made = { name: 'Settings', scopes: ['admin:admin'] }
  const { secret } = expectStatus(await alpha.admin.post('/iam/api-keys', made), 201).body.data
  const origin = async (client: TestClient, body: object, options: object = {}) =>
    expectStatus(await client.patch('/admin/config', { comment, ...body }, options), 200).body.data
  const byPerson = await origin(alpha.admin, { values }, atPage)
  expect(byPerson.origin).toBe('console')
  expect((await origin(alpha.admin, { values })).origin).toBe('api')
  const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } }
  expect((await origin(alpha.admin, { values }, elsewhere)).origin).toBe('api')
  // A key is a program, even if it claims otherwise.
  expect((await origin(world.stranger.with(secret), { values }, atPage)).origin).toBe('api')
  expect((await origin(alpha.admin, { rollback_to: byPerson.id }, atPage)).origin).toBe('rollback')
  const found = await alpha.admin.get('/admin/config/changes', { query: { origin: 'console' } })
  expect(expectStatus(found, 200).body.data.map(({ id }: { id: string }) => id)).toEqual([byPerson.id])
})

function keyed(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`rate_limits.${name}`, value]))
}

test('every setting, given anything, is taken or refused with a pointer to it, and never breaks', {
  timeout: 60_000,
}, async () => {
  const scopes = [
    [alpha.admin, 'tenant'],
    [world.operator, 'platform'],
  ] as const
  for (const [client, scope] of scopes) {
    const { data } = expectStatus(await client.get('/admin/config', { query: { scope } }), 200).body
    const keys: string[] = data.flatMap(({ key, source }: { key: string; source: string }) =>
      source === 'env' ? [] : [key],
    )
    expect(keys.length).toBeGreaterThan(3)
    const values = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const answer = await client.patch('/admin/config', { scope, values: given, comment, dry_run: true })
        expect([200, 400, 422]).toContain(answer.status)
        if (answer.status === 422)
          for (const { pointer } of answer.body.errors)
            expect(Object.keys(given).some((key) => pointer.startsWith(`/values/${key}`))).toBe(true)
      }),
      { numRuns: 150 },
    )
  }
})
