/** Takes back versions that block too much or take too long. Tested in guardrails.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { holdAll } from '../../../../kernel/resource/resource.ts'
import type { GuardrailRow } from '../declared/schema.ts'
import { guardrailResource } from '../declared/tables.ts'
import { quantile } from '../live/cells.ts'
import { rollBackByItself } from './rollout.ts'

const minuteMs = 60_000
const usualEvaluations = 100

export const autoRollback: JobDeclaration<unknown> = {
  kind: 'aegis.guardrail.auto_rollback',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: minuteMs,
  due: ({ ago }) => sql`(
    exists (select from aegis_guardrail rail
      where rail.tenant_id = tenant.id and rail.status = 'enforce' and rail.auto_rollback is not null)
    and exists (select from aegis_guardrail_metric cell
      where cell.tenant_id = tenant.id and cell.minute >= ${ago(5 * minuteMs)}))`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const where = sql`status = 'enforce' and auto_rollback is not null`
      for (const held of await holdAll(tx, guardrailResource, { where, limit: 1_000 })) {
        const reason = await breachOf(tx, held.row)
        if (reason !== null) await rollBackByItself(kernel, tx, held, reason)
      }
    }),
}

interface Totals {
  readonly evaluated: number
  readonly blocked: number
  readonly durations: readonly number[]
}

/** Why the version has to go, in words; null where it may stay. */
async function breachOf(tx: Tx, row: GuardrailRow): Promise<string | null> {
  const limits = row.auto_rollback
  const totals = limits === null ? null : await totalsOf(tx, row)
  if (limits === null || totals === null || totals.evaluated < (limits.min_evaluations ?? usualEvaluations)) return null
  const ratio = totals.blocked / totals.evaluated
  if (limits.max_denial_ratio !== undefined && ratio > limits.max_denial_ratio)
    return `It blocked ${totals.blocked} of ${totals.evaluated} calls; a share of ${limits.max_denial_ratio} is allowed.`
  const p99 = quantile(totals.durations, 0.99) ?? 0
  if (limits.max_p99_us !== undefined && p99 > limits.max_p99_us)
    return `99 of 100 evaluations took up to ${p99} µs; ${limits.max_p99_us} µs are allowed.`
  return null
}

/** Since the whole minute of the rollout. */
async function totalsOf(
  tx: Tx,
  { id, live_version: version, rolled_out_at: since }: GuardrailRow,
): Promise<Totals | null> {
  const where = sql`guardrail_id = ${id} and version = ${version} and minute >= date_trunc('minute', ${since}::timestamptz)`
  return tx.first(sql<Totals>`
    select coalesce(sum(evaluated), 0)::float8 as evaluated, coalesce(sum(blocked), 0)::float8 as blocked,
      coalesce((
        select array_agg(total order by place) from (
          select place, sum(count)::float8 as total
          from aegis_guardrail_metric, unnest(durations) with ordinality as placed (count, place)
          where ${where} group by place) as summed), '{}') as durations
    from aegis_guardrail_metric where ${where}`)
}
