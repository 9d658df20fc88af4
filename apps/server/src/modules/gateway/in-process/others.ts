/** Traffic of all tenants but one, in anonymous sums. Tested in functions.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

export interface Traffic {
  readonly calls: number
  readonly failed: number
  /** Null without calls. */
  readonly p95Ms: number | null
}

/** Calls of the other tenants that ended in the window. Not to be called inside a transaction. */
export async function trafficOfOthers(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  except: TenantId,
  seconds: number,
): Promise<Traffic> {
  const from = new Date(clock.now() - seconds * 1000).toISOString()
  // The index (tenant_id, created_at, id) is read twice for each tenant: for the next tenant, and for its last calls.
  const row = await db.system('traffic of other tenants', (tx) =>
    tx.first(sql<Traffic>`
      with recursive known as (
        (select tenant_id from gateway_request order by tenant_id limit 1)
        union all
        select (select next.tenant_id from gateway_request as next
          where next.tenant_id > known.tenant_id order by next.tenant_id limit 1)
        from known where known.tenant_id is not null)
      select count(*)::int as calls,
        count(*) filter (where of_tenant.status in ('failed', 'incomplete'))::int as failed,
        percentile_cont(0.95) within group (order by of_tenant.ms) as "p95Ms"
      from known cross join lateral (
        select status, (timings ->> 'total_ms')::float8 as ms from gateway_request
        where tenant_id = known.tenant_id and created_at > ${from}::timestamptz and status <> 'blocked') as of_tenant
      where known.tenant_id is not null and known.tenant_id <> ${except}`),
  )
  return row ?? { calls: 0, failed: 0, p95Ms: null }
}
