/**
 * Evidence of the pillar resilience for the trust score. A tenant without objectives, experiments or critical services gives
 * none. Tested in model.test.ts.
 */
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { systemCaller } from '../../kernel/facts/facts.ts'
import type { TrustReport, TrustSignal } from '../../kernel/trust-signals.ts'
import type { ResilienceServices } from './services/resilience-services.ts'

const objectives = '/api/v1/resilience/rto-rpo'
const unknown = { good: null, value: null, n: null, observed_at: null }
/** Criticality from which a service counts as critical. */
const critical = 4

/** @param at ISO time of the score */
export async function resilienceSignals(
  parts: Pick<ResilienceServices, 'facts'>,
  tx: Tx,
  at: string,
): Promise<TrustReport> {
  const breached = await tx.first(sql`
    select 1 as one from resilience_service
    where criticality >= ${critical} and (breached && array['rto', 'rpo']::text[]) limit 1`)
  return {
    signals: [
      await attainment(tx, 'rto', at),
      await attainment(tx, 'rpo', at),
      await experimentScore(tx, at),
      await sloBudget(parts, tx, at),
      await singlePoints(tx, at),
    ],
    caps: [{ id: 'objective_breached_open', active: breached !== null }],
  }
}

interface Value {
  readonly value: number | null
  readonly n: number
}

function valueSignal(id: string, row: Value | null, at: string): TrustSignal {
  if (row === null || row.n === 0 || row.value === null) return { id, ...unknown, source_ref: objectives }
  return { id, good: null, value: row.value, n: row.n, observed_at: at, source_ref: objectives }
}

/** Mean probability of recovery within the objective, weighted by criticality; one that nothing predicts counts as 0. */
async function attainment(tx: Tx, name: 'rto' | 'rpo', at: string): Promise<TrustSignal> {
  const column = name === 'rto' ? sql`rto` : sql`rpo`
  const row = await tx.first(sql<Value>`
    select count(*)::int as n,
      (100 * sum(criticality * coalesce((${column} #>> '{best,p_within}')::float8, 0)) / sum(criticality))::float8 as value
    from resilience_service where ${column} ->> 'objective_minutes' is not null`)
  return valueSignal(`${name}_attainment`, row, at)
}

/** Share of met checks of the steady state, weighted by the highest criticality among the targets, last 90 days. */
async function experimentScore(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(sql<Value>`
    select count(*)::int as n,
      (100 * sum(criticality * (checks ->> 'met')::float8 / (checks ->> 'total')::float8) / sum(criticality))::float8 as value
    from resilience_experiment
    where mode = 'automated' and scope = 'live' and status in ('completed', 'aborted') and (checks ->> 'total')::int > 0
      and affected_calls > 0 and finished_at > ${at}::timestamptz - interval '90 days'`)
  return valueSignal('experiment_score', row, at)
}

const daySeconds = 86_400

/**
 * The error budget of model calls that is left: 1 − failed calls ÷ those that the availability objective of the gateway's
 * service allows, last 30 days, never below 0.
 */
async function sloBudget({ facts }: Pick<ResilienceServices, 'facts'>, tx: Tx, at: string): Promise<TrustSignal> {
  const objective = await tx.first(sql<{ target: number | null }>`
    select (availability ->> 'objective')::float8 as target from resilience_service where key = 'gateway'`)
  const target = objective?.target ?? null
  if (target === null) return { id: 'slo_budget', ...unknown, source_ref: objectives }
  const query = { seconds: 30 * daySeconds }
  const { data } = await facts().read(tx, 'gateway.recent_calls', { caller: systemCaller, query })
  const { calls, failed } = data as { calls: number; failed: number }
  const value = calls === 0 ? null : Math.max(0, 100 * (1 - failed / (calls * (1 - target))))
  return valueSignal('slo_budget', { value, n: calls }, at)
}

async function singlePoints(tx: Tx, at: string): Promise<TrustSignal> {
  const row = await tx.first(sql<{ n: number; good: number }>`
    select count(*)::int as n, count(*) filter (where not single_point)::int as good
    from resilience_service where criticality >= ${critical} and document -> 'dependencies' is not null`)
  if (row === null || row.n === 0) return { id: 'single_points', ...unknown, source_ref: objectives }
  return { id: 'single_points', good: row.good, value: null, n: row.n, observed_at: at, source_ref: objectives }
}
