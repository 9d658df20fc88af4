import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let alpha: TestTenant

beforeAll(async () => {
  world = await openWorld()
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
    ...['audit_seal', 'cache', 'change_feed', 'clock', 'database', 'disk', 'event_relay', 'job_queues', 'jobs'],
    ...['provider_breakers', 'providers', 'row_level_security', 'settings', 'signing_keys'],
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
  expect(Object.keys(checks)).toEqual(['jobs', 'providers'])
  expect(nodes).toEqual([])
  expect(keys.every(({ purpose }: { purpose: string }) => purpose === 'data')).toBe(true)
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
