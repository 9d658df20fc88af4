/**
 * Every fact that a module declares, read in a whole program through the port: in its declared form, with its permission
 * and not without, and of the reader's tenant alone.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { everyPermission, listPermissions, permissionSet } from '../../src/kernel/access/permissions.ts'
import { type FactCaller, type Facts, factsPort, systemCaller } from '../../src/kernel/facts/facts.ts'
import type { Module } from '../../src/kernel/module/module.ts'
import { fits } from '../../src/kernel/schema/fits.ts'
import { modules } from '../../src/modules.ts'
import { type OwnWorld, openWorld, type TestTenant } from '../support/world.ts'
import { casesAmong } from './module-cases.ts'
import { fillTenant, type TenantData } from './tenant-data.ts'

const declared = modules.flatMap(({ name: owner, facts }) => facts.map((fact) => ({ ...fact, owner })))

let facts: () => Facts
/** The modules, of which the last one reads facts too. */
const withReader: readonly Module[] = modules.map((module, place) => ({
  ...module,
  ...(place === modules.length - 1 && {
    needs: [...module.needs, factsPort],
    services: (kernel, use, need) => {
      facts = need(factsPort)
      return module.services(kernel, use, need)
    },
  }),
}))

let world: OwnWorld
let filled: TenantData
let quiet: TestTenant
/** Of the tenant in which nothing happens, before anything happened in the other one. */
let before: ReadonlyMap<string, unknown>

beforeAll(async () => {
  world = await openWorld({ own: true, modules: withReader })
  quiet = await world.tenant('quiet')
  await vi.waitFor(async () => expect(await pending(quiet.id)).toBe(0))
  await vi.waitFor(scoredAfterChecks, { timeout: 60_000 })
  before = await lasting(quiet.id)
  filled = await fillTenant(await world.tenant('filled'))
})
afterAll(() => world?.close())

function read(tenantId: TenantId, name: string, caller: FactCaller = systemCaller) {
  return world.kernel.db.tenant({ tenantId, readOnly: true }, (tx) => facts().read(tx, name, { caller }))
}

const pending = async (tenantId: TenantId) => (await read(tenantId, 'admin.audit_chain')).data.pending

/** The first checks of a tenant move its score, which is calculated again behind them. */
async function scoredAfterChecks(): Promise<void> {
  const { checks } = (await read(quiet.id, 'compliance.checks')).data as { checks: { run_at: string }[] }
  const { score } = (await read(quiet.id, 'trust.score')).data as { score: { last_recalculated_at: string } | null }
  const newest = checks
    .map(({ run_at: at }) => at)
    .sort()
    .at(-1)
  expect(newest !== undefined && score !== null && score.last_recalculated_at > newest).toBe(true)
}

/** Every fact without what moves by the clock alone. */
async function lasting(tenantId: TenantId): Promise<ReadonlyMap<string, unknown>> {
  const readings = new Map<string, unknown>()
  for (const { name } of declared) {
    const text = JSON.stringify((await read(tenantId, name)).data, (key, value) =>
      /(?:_at|_seconds)$|^from$/.test(key) ? undefined : value,
    )
    readings.set(name, JSON.parse(text))
  }
  return readings
}

const outcome = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: { readonly status?: number; readonly code?: string }) => `${error.status} ${error.code}`,
  )

test('the reader lists what the modules declare', () => {
  expect([...facts().all.values()].map(({ name, owner }) => [name, owner])).toEqual(
    declared.map(({ name, owner }) => [name, owner]),
  )
})

describe.each(declared)('$name', ({ name, owner, permission, schema }) => {
  test('is as it is declared, in a tenant with data and in one without', async () => {
    for (const tenantId of [filled.tenant.id, quiet.id]) {
      const reading = await read(tenantId, name)
      expect(reading).toMatchObject({ name, owner, at: expect.stringMatching(/^\d{4}-.*Z$/) })
      expect(fits(schema, JSON.parse(JSON.stringify(reading.data)))).toBe(true)
    }
  })

  test('C13 is read with its permission and not with all others', async () => {
    const tenantId = filled.tenant.id
    const [module = ''] = permission.split(':')
    const others = listPermissions(everyPermission).filter((one) => !one.startsWith(`${module}:`))
    expect(permission).toMatch(new RegExp(`^${owner}:`))
    expect(await outcome(read(tenantId, name, { tenantId, permissions: permissionSet([permission]) }))).toBe('read')
    expect(await outcome(read(tenantId, name, { tenantId, permissions: permissionSet(others) }))).toBe('403 AUTH-004')
  })

  test('C10 tells of its own tenant: nothing of another one, whose callers do not read it', async () => {
    const { tenant, everyId } = filled
    const stranger = { tenantId: quiet.id, permissions: everyPermission }
    expect(await outcome(read(tenant.id, name, stranger))).toBe('403 AUTH-004')
    const text = JSON.stringify(await read(quiet.id, name))
    expect([...everyId, tenant.slug].filter((mark) => text.includes(mark))).toEqual([])
  })
})

test('C10 what happens in one tenant changes no fact of another', async () => {
  const readings = await lasting(quiet.id)
  expect([...readings]).toEqual([...before])
  const own = await lasting(filled.tenant.id)
  const same = [...own].filter(([name, data]) => JSON.stringify(data) === JSON.stringify(readings.get(name)))
  // A fact that is the same in both tenants proves nothing about isolation.
  const unmoved = casesAmong('unmovedFacts')
  expect(same.map(([name]) => name).filter((name) => !unmoved.has(name))).toEqual([])
})
