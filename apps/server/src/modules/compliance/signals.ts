/**
 * Evidence of the pillar compliance for the trust score. A control without an assessment counts as zero, and missing
 * evidence as not fresh, so that looking away raises no signal. Tested in signals.test.ts.
 */
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport, TrustSignal } from '../../kernel/trust-signals.ts'
import type { AssessmentRow } from './assessments/schema.ts'
import type { CheckRow } from './declared/check-schema.ts'
import { checkStates } from './declared/check-table.ts'
import type { FrameworkRow } from './declared/framework-schema.ts'
import { liveTerms, scoredControls } from './live/live-terms.ts'

const dayMs = 86_400_000
/** Days after which a critical check that still fails caps the pillar. */
const capDays = 7
const unknown = { good: null, value: null, n: null, observed_at: null }

type Adopted = Pick<FrameworkRow, 'id' | 'key' | 'weight'>

/** @param at ISO time of the score */
export async function complianceSignals(tx: Tx, at: string): Promise<TrustReport> {
  const adopted = await tx.query(sql<Adopted>`
    select id, key, weight from compliance_framework where adoption = 'adopted'`)
  const checks = await tx.query(sql<CheckRow>`select ${checkStates.columns} from compliance_check`)
  return {
    signals: [await effectiveness(tx, adopted), await evidenceFreshness(tx, adopted, at), pressure(checks)],
    caps: [
      { id: 'prohibited_ai_active', active: await hasProhibited(tx) },
      { id: 'evidence_chain_broken', active: await isBroken(tx) },
      { id: 'critical_check_failing', active: checks.some((check) => failsLong(check, at)) },
    ],
  }
}

type Completed = Pick<AssessmentRow, 'framework_ids' | 'scores' | 'completed_at'>

/** Newest completed assessment of each adopted framework; one without any counts as zero. */
async function effectiveness(tx: Tx, adopted: readonly Adopted[]): Promise<TrustSignal> {
  const id = 'control_effectiveness'
  const source_ref = '/api/v1/compliance/assessments?status=completed'
  const completed = await tx.query(sql<Completed>`
    select framework_ids, scores, completed_at from compliance_assessment
    where status = 'completed' and scores is not null order by completed_at desc limit 500`)
  const newest = adopted.flatMap((framework) => {
    const found = completed.find((one) => one.framework_ids.includes(framework.id))
    const score = found?.scores?.frameworks.find((one) => one.framework_id === framework.id)?.score
    return [
      {
        weight: framework.weight,
        value: score?.effectiveness ?? 0,
        n: score?.controls ?? 0,
        at: found?.completed_at ?? null,
      },
    ]
  })
  const weights = newest.reduce((sum, { weight }) => sum + weight, 0)
  const times = newest.flatMap(({ at }) => at ?? [])
  if (weights === 0 || times.length === 0) return { id, ...unknown, source_ref }
  const value = newest.reduce((sum, one) => sum + one.weight * one.value, 0) / weights
  const n = newest.reduce((sum, one) => sum + one.n, 0)
  return { id, good: null, value, n, observed_at: [...times].sort()[0] ?? null, source_ref }
}

/** Share of weight whose evidence is inside its validity; missing evidence is not. */
async function evidenceFreshness(tx: Tx, adopted: readonly Adopted[], at: string): Promise<TrustSignal> {
  const id = 'evidence_freshness'
  const source_ref = '/api/v1/compliance/controls'
  const rows = (
    await scoredControls(
      tx,
      adopted.map((framework) => framework.id),
    )
  ).filter(({ applicable }) => applicable)
  if (rows.length === 0) return { id, ...unknown, source_ref }
  const live = await liveTerms(tx, { frameworks: adopted, atMs: Date.parse(at) })
  const whole = rows.reduce((sum, { weight }) => sum + weight, 0)
  const current = rows.reduce((sum, row) => sum + (live.terms(row).current ? row.weight : 0), 0)
  return { id, good: null, value: (100 * current) / whole, n: rows.length, observed_at: at, source_ref }
}

/** Checks that fail, each an event until it passes. */
function pressure(checks: readonly CheckRow[]): TrustSignal {
  const failing = checks.flatMap(({ id, severity, first_failed_at: at }) => (at === null ? [] : [{ id, severity, at }]))
  return {
    id: 'nonconformity_pressure',
    ...{ good: null, value: null, n: checks.length === 0 ? null : checks.length },
    observed_at:
      checks
        .map(({ run_at: at }) => at)
        .sort()
        .at(-1) ?? null,
    source_ref: '/api/v1/compliance/evidence?kind=check_run&latest=true',
    events: failing,
  }
}

const failsLong = ({ severity, first_failed_at: since }: CheckRow, at: string): boolean =>
  severity === 'critical' && since !== null && Date.parse(at) - Date.parse(since) > capDays * dayMs

async function isBroken(tx: Tx): Promise<boolean> {
  return (await tx.first(sql`select id from compliance_chain_break limit 1`)) !== null
}

/** The newest classification of some agent says that it is prohibited. */
async function hasProhibited(tx: Tx): Promise<boolean> {
  const found = await tx.first(sql`
    select id from compliance_assessment
    where status = 'completed' and type = 'ai_act_classification' and agent_id is not null
      and classification -> 'tiers' ? 'prohibited' limit 1`)
  return found !== null
}
