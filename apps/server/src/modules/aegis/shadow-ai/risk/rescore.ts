/** Totals and risk of services, anew from their use, their entry and the tenant's policy. Tested in ingestion.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { recordset } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { ServiceRow } from '../declared/service-schema.ts'
import { shadowAiSettings } from '../declared/settings.ts'
import { services } from '../declared/tables.ts'
import { entryInForce, tenantEntries } from '../declared/tenant-catalog.ts'
import { riskScore } from './risk-score.ts'

const atATime = 500
const mostDepartments = 50

interface UseTotals {
  readonly id: string
  readonly users: number
  readonly restricted: number
  readonly departments: readonly string[]
  readonly requests: number
  readonly bytes_up: number
  readonly bytes_down: number
}

export interface Rescoring {
  readonly ids: readonly string[]
  /** Where the tenant lets its data go; null for anywhere. */
  readonly allowedRegions: readonly string[] | null
}

/** Returns the rows as they are now. Their versions stay, because no person changed them. */
export async function rescore(
  { clock, settings }: Pick<Kernel, 'clock' | 'settings'>,
  tx: Tx,
  { ids, allowedRegions }: Rescoring,
): Promise<readonly ServiceRow[]> {
  const entries = await tenantEntries(tx)
  const { restricted_departments: restricted } = settings.get(shadowAiSettings, tx.tenantId)
  const scored: ServiceRow[] = []
  for (let at = 0; at < ids.length; at += atATime) {
    const some = ids.slice(at, at + atATime)
    const rows = await tx.query(
      sql<ServiceRow>`select ${services.columns} from aegis_shadow_ai_service where id = any(${some}::uuid[])`,
    )
    const totals = await totalsOf(tx, some, restricted)
    const changed = rows.map((row) => {
      const { restricted: restrictedUsers = 0, departments = [], ...sums } = totals.get(row.id) ?? noUse
      const exposure = { users: sums.users, bytesUp: sums.bytes_up, restrictedUsers, evidence: row.evidence_sources }
      const entry = entryInForce(entries, row.catalog_slug)
      const score = riskScore({ entry, exposure, allowedRegions, now: clock.now() })
      return { ...row, ...sums, id: row.id, departments: departments.slice(0, mostDepartments), ...score }
    })
    await write(tx, changed)
    scored.push(...changed)
  }
  return scored
}

const noUse = { users: 0, restricted: 0, departments: [], requests: 0, bytes_up: 0, bytes_down: 0 }

async function totalsOf(
  tx: Tx,
  ids: readonly string[],
  restricted: readonly string[],
): Promise<ReadonlyMap<string, UseTotals>> {
  const rows = await tx.query(
    sql<UseTotals>`
      select service_id as id,
        count(distinct user_key) filter (where user_key <> '')::int as users,
        count(distinct user_key) filter (where user_key <> '' and department = any(${restricted}::text[]))::int as restricted,
        coalesce(array_agg(distinct department) filter (where department is not null), '{}') as departments,
        sum(requests)::bigint as requests, sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
      from aegis_shadow_ai_use where service_id = any(${ids}::uuid[]) group by service_id`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function write(tx: Tx, rows: readonly ServiceRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update aegis_shadow_ai_service service set
      users = scored.users, departments = scored.departments, requests = scored.requests,
      bytes_up = scored.bytes_up, bytes_down = scored.bytes_down, inherent = scored.inherent,
      exposure = scored.exposure, risk_score = scored.risk_score, risk_reasons = scored.risk_reasons
    from ${recordset(services, rows)} scored where service.id = scored.id`)
}
