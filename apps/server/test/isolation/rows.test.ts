import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TenantId } from '../../src/kernel/auth/actor.ts'
import { DatabaseError } from '../../src/kernel/db/errors.ts'
import { identifier, join, sql } from '../../src/kernel/db/sql.ts'
import { schemaOf } from '../../src/kernel/schema.ts'
import { modules } from '../../src/modules.ts'
import { fillTenant, type TenantData } from '../generated/tenant-data.ts'
import { openWorld, type World } from '../support/world.ts'

const tables = schemaOf(modules).tables.filter(({ scope }) => scope === 'tenant')

let world: World
let alpha: TenantData
let beta: TenantData

beforeAll(async () => {
  world = await openWorld()
  alpha = await fillTenant(await world.tenant('alpha'))
  beta = await fillTenant(await world.tenant('beta'))
})
afterAll(() => world.close())

function tenantsSeen(table: string, tenantId: TenantId): Promise<readonly { tenant_id: string }[]> {
  return world.kernel.db.read(tenantId, sql<{ tenant_id: string }>`select distinct tenant_id from ${identifier(table)}`)
}

/** Tables that the twins' data does not reach. */
const withoutRows: readonly string[] = []

it(`shows each tenant its own rows only, in all ${tables.length} tables of tenants`, async () => {
  const empty: string[] = []
  for (const { name } of tables) {
    for (const { tenant } of [alpha, beta]) {
      const seen = (await tenantsSeen(name, tenant.id)).map(({ tenant_id }) => tenant_id)
      if (seen.length === 0) empty.push(name)
      else expect([name, ...seen]).toEqual([name, tenant.id])
    }
  }
  expect([...new Set(empty)]).toEqual(withoutRows)
})
