import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { DatabaseError } from '../../src/kernel/db/errors.ts'
import { identifier, join, type Sql, sql } from '../../src/kernel/db/sql.ts'
import { armSchedule } from '../../src/kernel/schedules/schedules.ts'
import { armWait } from '../../src/kernel/schedules/waits.ts'
import { modules } from '../../src/modules.ts'
import { casesAmong } from '../generated/module-cases.ts'
import { fillTenant, type TenantData } from '../generated/tenant-data.ts'
import { openWorld, type World } from '../support/world.ts'

const tables = schemaOf(modules).tables.filter(({ scope }) => scope === 'tenant')

let world: World
let alpha: TenantData
let beta: TenantData

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
  beta = await fillTenant(await world.tenant('beta'))
  for (const { tenant } of [alpha, beta]) await plan(tenant.id)
})
afterAll(() => world.close())

/** Rows that the kernel keeps for modules, far from being due. */
async function plan(tenantId: TenantId): Promise<void> {
  const { kernel } = world
  const [kind = ''] = kernel.jobKinds.keys()
  const wish = { owner: 'platform', key: 'twin', kind } as const
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await armSchedule(kernel, tx, { ...wish, timing: { cron: '0 0 29 2 *', timeZone: 'UTC' }, enabled: false })
    await armWait(kernel, tx, { ...wish, until: kernel.clock.now() + 31_536_000_000 })
    const expires = new Date(kernel.clock.now() + 31_536_000_000).toISOString()
    await kernel.dataRegistry.holds.place(tx, { matter: 'Twin', categories: ['twin'] })
    await tx.execute(sql`insert into used_confirm_token (id, expires_at) values ('twin', ${expires})`)
  })
}

function tenantsSeen(table: string, tenantId: TenantId): Promise<readonly { tenant_id: string }[]> {
  return world.kernel.db.read(tenantId, sql<{ tenant_id: string }>`select distinct tenant_id from ${identifier(table)}`)
}

/** Emptied by the background work that reads them, or filled by rare events that the twins' data does not hold: the kernel's own and the modules'. */
const mayBeEmpty = new Set([
  'outbox',
  'job',
  'audit_pending',
  'audit_checkpoint',
  'audit_cut',
  'audit_delivery',
  'handler_backlog',
  'durable_subscription',
  'revocation',
  ...casesAmong('emptyTables'),
])

it(`C10 C15 shows each tenant its own rows only, in all ${tables.length} tables of tenants`, async () => {
  const leaks: string[] = []
  const emptyOnes = async (): Promise<readonly string[]> => {
    const empty: string[] = []
    for (const { name } of tables) {
      for (const { tenant } of [alpha, beta]) {
        const seen = (await tenantsSeen(name, tenant.id)).map(({ tenant_id }) => tenant_id)
        if (seen.length === 0) empty.push(name)
        else if (seen.length > 1 || seen[0] !== tenant.id) leaks.push([name, ...seen].join(' '))
      }
    }
    return empty.filter((name) => !mayBeEmpty.has(name))
  }
  // Some are filled by background work, at its own time.
  await expect.poll(emptyOnes).toEqual([])
  expect(leaks).toEqual([])
})

/** Rows touched, or the refusal's SQLSTATE. */
async function attempt(statement: Sql<unknown>): Promise<number | string> {
  try {
    return await world.kernel.db.tenant({ tenantId: alpha.tenant.id }, (tx) => tx.execute(statement))
  } catch (error) {
    if (error instanceof DatabaseError) return error.code
    throw error
  }
}

const denied = '42501'

it('C10 C15 changes, removes and adds no row of another tenant', async () => {
  const outcomes: string[] = []
  for (const table of tables) {
    const name = identifier(table.name)
    const theirs = beta.tenant.id
    const columns = Object.keys(table.row.properties).filter((column) => column !== 'tenant_id')
    const others = join(columns.map(identifier), ', ')
    const tries = {
      update: await attempt(sql`update ${name} set tenant_id = tenant_id where tenant_id = ${theirs}`),
      move: await attempt(sql`update ${name} set tenant_id = ${theirs}`),
      delete: await attempt(sql`delete from ${name} where tenant_id = ${theirs}`),
      insert: await attempt(
        sql`insert into ${name} (tenant_id, ${others}) select ${theirs}::uuid, ${others} from ${name} limit 1`,
      ),
    }
    for (const [what, outcome] of Object.entries(tries))
      if (outcome !== 0 && outcome !== denied) outcomes.push(`${what} ${table.name}: ${outcome}`)
  }
  expect(outcomes).toEqual([])
})
