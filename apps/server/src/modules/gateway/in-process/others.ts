/** Traffic of all tenants but one, in sums that name nobody. Tested in functions.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

export interface Traffic {
  readonly calls: number
  readonly failed: number
  /** Null without calls. */
  readonly p95Ms: number | null
}

/** Calls of the other tenants that ended in the window. Not to be asked inside a transaction. */
export async function trafficOfOthers(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  except: TenantId,
  seconds: number,
): Promise<Traffic> {
  const from = new Date(clock.now() - seconds * 1000).toISOString()
  // One look at the index (tenant_id, created_at, id) for each tenant.
  const row = await db.system('traffic of other tenants', (tx) =>
    tx.first(sql<Traffic>`
      select count(*)::int as calls,
        count(*) filter (where of_tenant.status in ('failed', 'incomplete'))::int as failed,
        percentile_cont(0.95) within group (order by of_tenant.ms) as "p95Ms"
      from tenant t cross join lateral (
        select status, (timings ->> 'total_ms')::float8 as ms from gateway_request
        where tenant_id = t.tenant_id and created_at > ${from}::timestamptz and status <> 'blocked') as of_tenant
      where t.tenant_id is not null and t.tenant_id <> ${except}`),
  )
  return row ?? { calls: 0, failed: 0, p95Ms: null }
}
