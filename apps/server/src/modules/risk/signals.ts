/**
 * Evidence of the pillar risk for the trust score. Typed indicators and those that read the trust score itself do not
 * count. Tested in signals.test.ts.
 */
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { TrustReport, TrustSignal } from '../../kernel/trust-signals.ts'
import { tenantAppetite } from './register/settings.ts'
import { exposureScore } from './scoring/appetite.ts'

const register = '/api/v1/risk/register'
const unknown = { good: null, value: null, n: null, observed_at: null }

/** @param at ISO time of the score */
export async function riskSignals(kernel: Pick<Kernel, 'settings'>, tx: Tx, at: string): Promise<TrustReport> {
  return {
    signals: [
      await exposure(kernel, tx),
      await treatmentTimeliness(tx, at),
      await kriHealth(tx, at),
      await quantifiedCoverage(tx, at),
    ],
    caps: [],
  }
}

/** Newest completed portfolio simulation against the appetite of the tenant; `n` is the number of its analyses. */
async function exposure(kernel: Pick<Kernel, 'settings'>, tx: Tx): Promise<TrustSignal> {
  const id = 'exposure_vs_appetite'
  const appetite = tenantAppetite(kernel, tx.tenantId)
  const newest = await tx.first(
    sql<{ id: string; var95: number; currency: string; n: number; finished_at: string }>`
      select id, var95, currency, cardinality(analysis_ids) as n, finished_at from risk_simulation
      where kind = 'portfolio' and status = 'completed' and var95 is not null
      order by created_at desc, id desc limit 1`,
  )
  if (appetite === null || newest === null || newest.currency !== appetite.currency)
    return { id, ...unknown, source_ref: '/api/v1/risk/simulations/latest?kind=portfolio' }
  const { var95, n, finished_at: observed } = newest
  const source_ref = `/api/v1/risk/simulations/${newest.id}`
  return { id, good: null, value: exposureScore(var95, appetite), n, observed_at: observed, source_ref }
}

interface Share {
  readonly good: number
  readonly n: number
}

/** Actions that are done, or open and not overdue, among all that were not cancelled. */
async function treatmentTimeliness(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(
    sql<Share>`
      select count(*)::int as n,
        count(*) filter (where action ->> 'status' = 'done' or (action ->> 'due_at')::timestamptz > ${at})::int as good
      from risk_register, jsonb_array_elements(treatment -> 'actions') as action
      where status <> 'closed' and treatment is not null and action ->> 'status' <> 'cancelled'`,
  )
  return shareSignal('treatment_timeliness', row, at)
}

/** Mean of the measured indicators: green 100, amber 50, red 0. */
async function kriHealth(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(
    sql<{ value: number | null; n: number }>`
      select count(*)::int as n,
        avg(case kri ->> 'status' when 'green' then 100 when 'amber' then 50 else 0 end)::float8 as value
      from risk_register, jsonb_array_elements(kris) as kri
      where status <> 'closed' and kri ->> 'source' = 'event' and kri ->> 'status' is not null`,
  )
  const id = 'kri_health'
  if (row === null || row.n === 0) return { id, ...unknown, source_ref: register }
  return { id, good: null, value: row.value, n: row.n, observed_at: at, source_ref: register }
}

/** Material risks whose current analysis is younger than their review interval. */
async function quantifiedCoverage(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(
    sql<Share>`
      select count(*)::int as n, count(*) filter (where exists (
        select from risk_analysis a
        where a.risk_id = r.id and a.current and a.purpose in ('inherent', 'residual')
          and a.created_at > ${at}::timestamptz - make_interval(days => r.review_interval_days)))::int as good
      from risk_register r
      where r.status <> 'closed' and (r.rating in ('high', 'very_high') or r.above_tolerance)`,
  )
  return shareSignal('quantified_coverage', row, at)
}

function shareSignal(id: string, row: Share | null, at: string): TrustSignal {
  if (row === null || row.n === 0) return { id, ...unknown, source_ref: register }
  return { id, good: row.good, value: null, n: row.n, observed_at: at, source_ref: register }
}
