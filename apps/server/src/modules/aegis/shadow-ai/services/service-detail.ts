/** One service with its users, departments, days and facts. Tested in services.test.ts. */
import type { Static } from 'typebox'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { Versioned } from '../../../../kernel/module/route.ts'
import { uncheckedFacts } from '../catalog/schema.ts'
import type { ServiceDay, ServiceDetail, ServiceRow, ServiceUser } from '../declared/service-schema.ts'
import { nextStatuses } from '../declared/service-states.ts'
import { services } from '../declared/tables.ts'
import { entryInForce, tenantEntries } from '../declared/tenant-catalog.ts'
import { serviceView } from './find-services.ts'

const mostUsers = 100

/** @throws API-013 */
export async function readService(tx: Tx, id: string): Promise<Versioned<ServiceDetail>> {
  const row = await services.need(tx, id)
  return new Versioned(await detailOf(tx, row), row.version)
}

export async function detailOf(tx: Tx, row: ServiceRow): Promise<ServiceDetail> {
  const entry = entryInForce(await tenantEntries(tx), row.catalog_slug)
  const series = await seriesOf(tx, row.id)
  return {
    ...serviceView(row),
    allowed_transitions: [...nextStatuses(row.status)],
    vendor: entry?.vendor ?? null,
    vendor_country: entry?.vendor_country ?? null,
    category: entry?.category ?? null,
    kind: entry?.kind ?? null,
    terms_url: entry?.terms_url ?? null,
    facts: entry?.facts ?? {},
    unchecked_facts: uncheckedFacts(entry?.facts ?? {}),
    top_users: await topUsers(tx, row.id),
    by_department: await departmentsOf(tx, row.id),
    series,
    unattributed_ratio: await unattributed(tx, row.id),
  }
}

const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

async function seriesOf(tx: Tx, id: string): Promise<Static<typeof ServiceDay>[]> {
  const rows = await tx.query(sql<Omit<Static<typeof ServiceDay>, 'day'> & { day: number }>`
    select day, count(*) filter (where user_key <> '')::int as users, sum(requests)::bigint as requests,
      sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
    from aegis_shadow_ai_use where service_id = ${id} group by day order by day desc limit 181`)
  return rows.toReversed().map((row) => ({ ...row, day: isoDay(row.day) }))
}

async function topUsers(tx: Tx, id: string): Promise<Static<typeof ServiceUser>[]> {
  const rows = await tx.query(sql<Omit<Static<typeof ServiceUser>, 'last_day'> & { last_day: number }>`
    select min(user_id::text)::uuid as user_id, min(user_name) as name, min(department) as department,
      sum(requests)::bigint as requests, sum(bytes_up)::bigint as bytes_up, max(day) as last_day
    from aegis_shadow_ai_use where service_id = ${id} and user_key <> ''
    group by user_key order by requests desc, user_key limit ${mostUsers}`)
  return rows.map((row) => ({ ...row, last_day: isoDay(row.last_day) }))
}

async function departmentsOf(tx: Tx, id: string) {
  const rows = await tx.query(sql<ServiceDetail['by_department'][number]>`
    select department, count(distinct user_key) filter (where user_key <> '')::int as users,
      sum(requests)::bigint as requests, sum(bytes_up)::bigint as bytes_up
    from aegis_shadow_ai_use where service_id = ${id}
    group by department order by requests desc, department limit 100`)
  return [...rows]
}

/** Share of the requests that no user of the tenant is known for. */
async function unattributed(tx: Tx, id: string): Promise<number | null> {
  const row = await tx.first(sql<{ ratio: number | null }>`
    select round(sum(requests) filter (where user_id is null) / nullif(sum(requests), 0), 4)::float8 as ratio
    from aegis_shadow_ai_use where service_id = ${id}`)
  return row?.ratio ?? null
}
