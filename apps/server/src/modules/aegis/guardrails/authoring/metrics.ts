/** Counts of a guardrail by version and time, and their end. Tested in guardrails.test.ts. */
import { notHeld } from '../../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import type { GuardrailMetrics, MetricCounts, MetricsQuery } from '../declared/metrics-schema.ts'
import { guardrailMetrics, guardrails } from '../declared/tables.ts'
import { quantile } from '../live/cells.ts'
import { invalid } from './definition.ts'

const dayMs = 86_400_000
/** Days of one answer, so that its series stays below two thousand points a version. */
const mostDays = { minute: 1, hour: 62, day: 90 } as const

type Bucket = keyof typeof mostDays

interface Cell extends MetricCounts {
  readonly at: string
  readonly version: number
  readonly durations: readonly number[]
}

export interface MetricsRequest {
  readonly id: string
  readonly query: MetricsQuery
  /** Unix milliseconds. */
  readonly now: number
}

/** @throws API-001, API-013 */
export async function readMetrics(tx: Tx, { id, query, now }: MetricsRequest): Promise<GuardrailMetrics> {
  await guardrails.need(tx, id)
  const { bucket = 'hour', version } = query
  const to = query.to ?? new Date(now).toISOString()
  const from = query.from ?? new Date(Date.parse(to) - dayMs).toISOString()
  const span = Date.parse(to) - Date.parse(from)
  if (span <= 0) throw invalid('The end lies before the beginning.', '/to')
  if (span > mostDays[bucket] * dayMs)
    throw invalid(`By ${bucket} an answer has at most ${mostDays[bucket]} days.`, '/from')
  const where = sql`guardrail_id = ${id} and minute >= ${from} and minute < ${to}
    and (${version ?? null}::int is null or version = ${version ?? null}::int)`
  const [series, totals] = [await cellsOf(tx, where, bucket), await cellsOf(tx, where, null)]
  return {
    ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString(), bucket },
    totals: totals.map(({ at: _at, ...cell }) => summary(cell)),
    series: series.map((cell) => ({ ...summary(cell), at: new Date(cell.at).toISOString() })),
  }
}

function cellsOf(tx: Tx, where: ReturnType<typeof sql>, bucket: Bucket | null): Promise<readonly Cell[]> {
  const at = bucket === null ? sql`'epoch'::timestamptz` : sql`date_trunc(${bucket}, minute, 'UTC')`
  return tx.query(sql<Cell>`
    with cell as (select *, ${at} as at from aegis_guardrail_metric where ${where}),
    placed as (
      select at, version, place, sum(count)::float8 as total
      from cell, unnest(durations) with ordinality as each (count, place) group by at, version, place),
    spread as (select at, version, array_agg(total order by place) as durations from placed group by at, version)
    select at, version, sum(evaluated)::float8 as evaluated, sum(matched)::float8 as matched,
      sum(would_block)::float8 as would_block, sum(blocked)::float8 as blocked, sum(redacted)::float8 as redacted,
      sum(held)::float8 as held, sum(errors)::float8 as errors, spread.durations
    from cell join spread using (at, version)
    group by at, version, spread.durations order by at, version limit 5000`)
}

function summary<T extends { readonly durations: readonly number[] }>({ durations, ...counts }: T) {
  return { ...counts, p50_us: quantile(durations, 0.5), p99_us: quantile(durations, 0.99) }
}

const keptDays = 90

export const removeOldMetrics: JobDeclaration<unknown> = {
  kind: 'aegis.guardrail.remove_metrics',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from aegis_guardrail_metric old where old.tenant_id = tenant.id and old.minute < ${ago(keptDays * dayMs)})`,
  run: async ({ tenantId, kernel }) => {
    const before = new Date(kernel.clock.now() - keptDays * dayMs).toISOString()
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from aegis_guardrail_metric where minute < ${before} and ${notHeld(guardrailMetrics)}`),
    )
  },
}
