import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Integration, IntegrationRow } from '../declared/integration-schema.ts'

const dayMs = 86_400_000

type Health = Integration['health']
type Rates = ReadonlyMap<string, number>

/** Share of the deliveries of the last 24 hours that were taken, by integration; one without any is left out. */
export async function ratesOf(tx: Tx, nowMs: number, ids: readonly string[]): Promise<Rates> {
  const since = new Date(nowMs - dayMs).toISOString()
  const rows = await tx.query(sql<{ integration_id: string; rate: number }>`
    select integration_id, (count(*) filter (where status = 'delivered'))::float8 / count(*) as rate
    from platform_delivery
    where integration_id = any(${[...ids]}::uuid[]) and created_at >= ${since} and status in ('delivered', 'dead', 'retrying')
    group by integration_id`)
  return new Map(rows.map(({ integration_id: id, rate }) => [id, rate]))
}

export async function healthOf(tx: Tx, nowMs: number, row: IntegrationRow): Promise<Health> {
  return healthFrom(row, await ratesOf(tx, nowMs, [row.id]))
}

export function healthFrom(row: IntegrationRow, rates: Rates): Health {
  const { id, last_success_at, last_error, failing_since, disabled_reason } = row
  return { success_rate_24h: rates.get(id) ?? null, last_success_at, last_error, failing_since, disabled_reason }
}

export function integrationView(row: IntegrationRow, health: Health): Integration {
  const { id, tenant_id, created_at, updated_at, version, name, kind, status, config, events, filter, ordered } = row
  const { has_credentials, previous_secret_until } = row
  return {
    ...{ id, tenant_id, created_at, updated_at, version, name, kind, status, config, events, filter, ordered },
    ...{ has_credentials, previous_secret_until, health },
  }
}
