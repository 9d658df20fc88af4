/**
 * Restrictions a tenant inherits from those above it: suspending one or scheduling it for deletion stops all below, and
 * a quota limits a tenant and all below it together. Tested in tenants-above.test.ts.
 */
import type { TenantAbove } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'

export interface TenantAboveRow {
  readonly id: string
  readonly requests_per_minute: number | null
}

/** State of the tenant `t`, as an expression: suspended while one above it is not active. */
export const effectiveTenantStatus = sql`
  case when t.status = 'active' and exists (
    select 1 from iam_tenant above where above.id = any(t.path) and above.status <> 'active')
  then 'suspended' else t.status end`

/** The tenants above `t`, nearest first, as an expression. */
export const tenantsAbove = sql`
  coalesce((
    select jsonb_agg(
      jsonb_build_object('id', above.id, 'requests_per_minute', (above.quotas ->> 'requests_per_minute')::int)
      order by cardinality(above.path) desc)
    from iam_tenant above where above.id = any(t.path) and above.id <> t.id
  ), '[]'::jsonb)`

export const aboveOf = (rows: readonly TenantAboveRow[]): readonly TenantAbove[] =>
  rows.map(({ id, requests_per_minute: requestsPerMinute }) => ({ id, requestsPerMinute }))
