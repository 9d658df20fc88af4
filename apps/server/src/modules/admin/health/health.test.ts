import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: OwnWorld
let alpha: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
})
afterAll(() => world.close())

const look = async (client: TestTenant['admin'], query: Record<string, string> = {}) =>
  expectStatus(await client.get('/admin/health', { query }), 200).body.data

test('an operator sees every dependency with what was measured, the keys and the instances', async () => {
  const failing = async () =>
    Object.entries((await look(world.operator, { max_age_ms: '0' })).checks)
      .filter(([name, check]) => name !== 'disk' && (check as { status: string }).status !== 'pass')
      .map(([name]) => name)
  // On a machine under load the first looks may take longer than a check has.
  await expect.poll(failing, { timeout: 20_000 }).toEqual([])
  const { status, checks, keys, nodes } = await look(world.operator)
  expect(Object.keys(checks)).toEqual([
    ...[
      'audit_checkpoints',
      'audit_seal',
      'backups',
      'breached_passwords',
      'cache',
      'change_feed',
      'clock',
      'database',
      'disk',
      'event_bus',
      'event_relay',
      'gateway_spool',
      'ip_countries',
      'job_queues',
    ],
    ...[
      'jobs',
      'key_encryption_key',
      'license',
      'provider_breakers',
      'providers',
      'row_level_security',
      'settings',
      'signing_keys',
      'sso_connections',
    ],
  ])
  expect(['pass', 'warn', 'fail']).toContain(status)
  expect(checks.row_level_security.observed).toMatchObject({ rows_of_others_seen: 0 })
  expect(checks.row_level_security.observed.rows_of_others).toBeGreaterThan(1)
  expect(checks.disk.observed.free_bytes).toBeGreaterThan(0)
  expect(keys.map(({ purpose }: { purpose: string }) => purpose)).toContain('token')
  expect(nodes).toEqual([{ node: world.kernel.node, version: expect.any(Number) }])
})

test('a tenant sees its own part alone', async () => {
  const { checks, nodes, keys } = await look(alpha.admin)
  expect(Object.keys(checks)).toEqual(['jobs', 'license', 'providers', 'sso_connections'])
  expect(checks.license.observed).toMatchObject({ plan: 'open-source', standing: 'active', days_left: null })
  expect(nodes).toEqual([])
  expect(keys.every(({ purpose }: { purpose: string }) => purpose === 'data')).toBe(true)
  // A data key is replaced after 365 days.
  expect(Date.parse(keys[0].rotates_at) - Date.parse(keys[0].activates_at)).toBe(365 * 86_400_000)
})

test('a check that is asked for by a name nobody has fails, and one of the operators does for others', async () => {
  const asked = await look(world.operator, { checks: 'databse,settings' })
  expect([asked.status, Object.keys(asked.checks)]).toEqual(['fail', ['databse', 'settings']])
  expect(asked.checks.databse).toMatchObject({ status: 'fail', error_class: 'UnknownCheck' })
  const { checks } = await look(alpha.admin, { checks: 'database,jobs' })
  expect([checks.database.error_class, checks.jobs.error_class]).toEqual(['UnknownCheck', null])
})

test('the certificate that ends first is told in days, and warned of before nobody comes in any more', async () => {
  const add = (name: string, days: number) =>
    world.kernel.db.tenant({ tenantId: alpha.id }, (tx) => {
      const ends = new Date(world.kernel.clock.now() + (days + 0.5) * 86_400_000).toISOString()
      return tx.execute(sql`
        insert into iam_sso_connection (id, name, type, saml, status, domains, link_policy, created_at, updated_at, certificate_expires_at)
        values (${world.kernel.random.uuid()}, ${name}, 'saml', '{}', 'active', '[]', 'never', ${world.kernel.clock.iso()},
          ${world.kernel.clock.iso()}, ${ends})`)
    })
  const state = async () =>
    (await look(alpha.admin, { max_age_ms: '0', checks: 'sso_connections' })).checks.sso_connections
  await add('Far', 200)
  expect(await state()).toMatchObject({ last_status: 'pass', observed: { active: 1, certificate_days_left: 200 } })
  await add('Near', 12)
  expect(await state()).toMatchObject({
    last_status: 'warn',
    observed: { active: 2, certificate_days_left: 12, ends_first: 'Near' },
  })
  await add('Over', -3)
  expect(await state()).toMatchObject({ last_status: 'fail', observed: { certificate_days_left: -3 } })
})

test('what fails is found after three looks and told, and the answer stays 200', async () => {
  const { cache } = world.kernel
  const get = cache.get
  Object.assign(cache, { get: () => Promise.reject(new RangeError('gone')) })
  const seen: string[] = []
  for (let looks = 0; looks < 3; looks += 1)
    seen.push((await look(world.operator, { max_age_ms: '0', checks: 'cache' })).status)
  Object.assign(cache, { get })
  expect(seen).toEqual(['pass', 'pass', 'fail'])
  const { checks, status } = await look(world.operator, { checks: 'cache' })
  expect([status, checks.cache.error_class]).toEqual(['fail', 'RangeError'])
  for (let looks = 0; looks < 2; looks += 1) await look(world.operator, { max_age_ms: '0' })
  expect((await look(world.operator, { checks: 'cache' })).status).toBe('pass')
})
