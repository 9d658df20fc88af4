import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { applySchedules } from './schedule.ts'
import { basicFlag, evaluateFlag } from './testing/flags.ts'

let world: OwnWorld
let alpha: TestTenant
let beta: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  beta = await world.tenant('beta')
})
afterAll(() => world?.close())

const query = { scope: 'platform' }
const path = '/admin/feature-flags'
const make = (key: string, more: object = {}) => world.operator.post(path, { ...basicFlag, key, ...more }, { query })
const patch = (key: string, body: object) => world.operator.patch(`${path}/${key}`, body, { query })

const ask = (key: string, tenant: TestTenant, context: object = {}) => evaluateFlag(world, tenant, { key, context })

async function bulkKeys(tenant: TestTenant): Promise<readonly string[]> {
  const answer = await world.program.app.inject({
    method: 'POST',
    url: '/ofrep/v1/evaluate/flags',
    headers: { authorization: `Bearer ${tenant.admin.token}` },
    payload: { context: {} },
  })
  return answer.json().flags.map(({ key }: { key: string }) => key)
}

test('a flag of the platform serves every tenant, another variant where an override names it, and counts at once', async () => {
  expectStatus(await make('beta-console', { overrides: [{ tenant_id: alpha.id, variant: 'on' }] }), 201)
  expect(await ask('beta-console', alpha)).toMatchObject({ status: 200, variant: 'on', reason: 'TARGETING_MATCH' })
  expect(await ask('beta-console', beta)).toMatchObject({ status: 200, variant: 'off' })
  expect(await bulkKeys(beta)).toContain('beta-console')
  expectStatus(await patch('beta-console', { overrides: [{ tenant_id: beta.id, variant: 'on' }] }), 200)
  expect([(await ask('beta-console', alpha)).variant, (await ask('beta-console', beta)).variant]).toEqual(['off', 'on'])
  expectStatus(await patch('beta-console', { status: 'disabled' }), 200)
  expect(await ask('beta-console', beta)).toMatchObject({ variant: 'off', reason: 'DISABLED' })
})

test('an override may name a tenant, an environment and a targeting key together, and all of them have to fit', async () => {
  const overrides = [{ tenant_id: alpha.id, environment: 'staging', targeting_key: 'u1', variant: 'on' }]
  expectStatus(await make('narrow', { overrides }), 201)
  const fits = { environment: 'staging', targetingKey: 'u1' }
  expect((await ask('narrow', alpha, fits)).variant).toBe('on')
  for (const [tenant, context] of [
    [beta, fits],
    [alpha, { ...fits, environment: 'production' }],
    [alpha, { ...fits, targetingKey: 'u2' }],
  ] as const)
    expect((await ask('narrow', tenant, context)).variant).toBe('off')
})

test('rules know the tenant that asks, which no context can claim to be', async () => {
  const constraints = [{ attribute: '$tenant', operator: 'IN', values: [alpha.id] }]
  expectStatus(await make('by-rule', { rules: [{ id: 'a', constraints, serve: { variant: 'on' } }] }), 201)
  expect((await ask('by-rule', alpha)).variant).toBe('on')
  expect((await ask('by-rule', beta, { $tenant: alpha.id })).variant).toBe('off')
})

test('C10 tenants neither see nor change flags of the platform, and a flag of their own goes before one of its key', async () => {
  expectStatus(await make('shared'), 201)
  const { body } = expectStatus(await alpha.admin.get(path), 200)
  expect(body.data.map(({ key }: { key: string }) => key)).not.toContain('shared')
  expect((await alpha.admin.get(`${path}/shared`)).status).toBe(404)
  for (const answer of [
    await alpha.admin.get(path, { query }),
    await alpha.admin.get(`${path}/shared`, { query }),
    await alpha.admin.post(path, { ...basicFlag, key: 'mine' }, { query }),
    await alpha.admin.patch(`${path}/shared`, { status: 'disabled' }, { query }),
    await alpha.admin.delete(`${path}/shared`, { query }),
  ])
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'AUTH-004' } })
  const own = { ...basicFlag, key: 'shared', default_variant: 'on' }
  expectStatus(await alpha.admin.post(path, own), 201)
  expect([(await ask('shared', alpha)).variant, (await ask('shared', beta)).variant]).toEqual(['on', 'off'])
})

test('a tenant’s own flag tells no tenants apart', async () => {
  const answer = await alpha.admin.post(path, {
    ...basicFlag,
    key: 'apart',
    overrides: [{ tenant_id: alpha.id, variant: 'on' }],
  })
  expect(answer).toMatchObject({
    status: 422,
    body: { error_code: 'ADM-004', errors: [{ pointer: '/overrides/0/tenant_id' }] },
  })
})

test('it is counted, foretold, changed by the clock and deleted like any other', async () => {
  const at = new Date(world.kernel.clock.now() - 1000).toISOString()
  expectStatus(await make('timed', { status: 'draft', schedule: [{ at, change: { status: 'enabled' } }] }), 201)
  expect((await ask('timed', beta)).status).toBe(404)
  await applySchedules(world.kernel, platformTenant)
  expect((await ask('timed', beta)).variant).toBe('off')
  await (world.program.assembled.modules.servicesOf('admin') as AdminServices).exposures.flush()
  const shown = expectStatus(await world.operator.get(`${path}/timed`, { query }), 200).body.data
  expect(shown).toMatchObject({ status: 'enabled', exposures: [{ variant: 'off', count: 1 }], schedule: [] })
  const tried = { overrides: [{ tenant_id: beta.id, variant: 'on' }], dry_run: true }
  expect(expectStatus(await patch('timed', tried), 200).body.data.impact.moves).toMatchObject([
    { from: 'off', to: 'on' },
  ])
  for (const status of ['disabled', 'archived']) expectStatus(await patch('timed', { status }), 200)
  expectStatus(await world.operator.delete(`${path}/timed`, { query }), 200)
  expect((await ask('timed', beta)).status).toBe(404)
})
