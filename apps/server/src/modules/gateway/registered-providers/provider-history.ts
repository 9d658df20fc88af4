/**
 * How a provider served over hours, from the hourly counts of calls, so that every instance tells the same and a restart
 * loses nothing. Counts are kept by name: those of a provider that was renamed stay with its old name. Tested in
 * provider-history.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import type { HealthCounts, ProviderQuery, WindowHealth } from '../schemas/provider.ts'
import { bucketsOf, quantilesOf } from '../usage/usage-points.ts'

const hourMs = 3_600_000
const hoursOf = { '1h': 1, '24h': 24 } as const

/** Error codes of calls that failed because of the provider; a refused request is its caller's fault. */
const failures = [
  errors.upstreamFailed,
  errors.upstreamTimeout,
  errors.upstreamInvalid,
  errors.streamBroken,
  errors.credentialRejected,
  errors.upstreamRateLimited,
].map(({ code }) => code)

interface Row {
  readonly model: string | null
  readonly calls: number
  readonly failed: number
  readonly tallies: readonly { readonly name: string; readonly amount: number }[]
}

/** Null for a window that the live numbers cover. */
export async function windowHealth(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { provider, window = '15m' }: { readonly provider: string; readonly window: ProviderQuery['window'] },
): Promise<WindowHealth | null> {
  if (window === '15m') return null
  const from = new Date(Math.floor((clock.now() - hoursOf[window] * hourMs) / hourMs) * hourMs).toISOString()
  const rows = await readRows(tx, provider, from)
  return { from, ...countsOf(rows), models: rows.map((row) => ({ model: row.model, ...countsOf([row]) })) }
}

/** Index: the primary key. Cache hits did not reach a provider. */
function readRows(tx: Tx, provider: string, from: string): Promise<readonly Row[]> {
  return tx.query(
    sql<Row>`
      with counted as (
        select model, requests - cache_hits as calls, code = any(${failures}::text[]) as failed, tallies
        from gateway_usage_cell
        where hour >= ${from} and provider = ${provider}
          and (code is null or code = any(${failures}::text[])))
      select model, sum(calls)::bigint as calls, coalesce(sum(calls) filter (where failed), 0)::bigint as failed,
        coalesce((
          select jsonb_agg(jsonb_build_object('name', name, 'amount', amount)) from (
            select tally.key as name, sum(tally.value::bigint)::bigint as amount
            from counted own cross join lateral jsonb_each_text(own.tallies) as tally
            where own.model is not distinct from counted.model and split_part(tally.key, ':', 1) in ('ttft', 'latency')
            group by tally.key) as added), '[]') as tallies
      from counted
      group by model
      order by model nulls first`,
  )
}

function countsOf(rows: readonly Row[]): HealthCounts {
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const [calls, failed] = [sum((row) => row.calls), sum((row) => row.failed)]
  const tallies = added(rows.flatMap((row) => row.tallies))
  return {
    calls,
    failed,
    error_rate: calls === 0 ? null : Math.round((failed / calls) * 10_000) / 10_000,
    ttft_ms: quantilesOf(bucketsOf(tallies, 'ttft')),
    latency_ms: quantilesOf(bucketsOf(tallies, 'latency')),
  }
}

/** Buckets of several models under one name each. */
function added(tallies: Row['tallies']): Row['tallies'] {
  const sums = new Map<string, number>()
  for (const { name, amount } of tallies) sums.set(name, (sums.get(name) ?? 0) + amount)
  return [...sums].map(([name, amount]) => ({ name, amount }))
}
