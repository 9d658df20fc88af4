/**
 * Runs the exact engine again for the current analyses whose observed rate has moved. One run for a burst: the waiting
 * job is the mark. Tested in feedback.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { storeVersion } from '../fair/analyses.ts'
import { completeAnalysis } from '../fair/complete.ts'
import { exactAnalysis } from '../fair/exact-task.ts'
import { citedNow, observedRate, withObservedRate } from '../fair/observed-rate.ts'
import { checkedPlan, isWithinExact } from '../fair/plan.ts'
import type { ExactResult } from '../fair/result-schema.ts'
import type { AnalysisRow } from '../fair/schema.ts'
import { analyses } from '../fair/tables.ts'
import type { StoredTef } from '../fair/tef-schema.ts'
import { cites } from '../observation/techniques.ts'
import type { RiskServices } from '../register/register-parts.ts'

export const rateJob = 'risk.rate_run'

/** Change of the mean rate, over the rate before, that is worth a new version. */
const worthwhile = 0.05

/** Marks that the analyses which cite one of the techniques are to be looked at. */
export const askForRateRuns = (tx: Tx, techniques: readonly string[]): Promise<void> =>
  askWhere(tx, (from) => from.techniques.some((cited) => techniques.some((technique) => cites(cited, technique))))

/** The same for analyses that cite one of the vulnerabilities. */
export const askForExploitedRuns = (tx: Tx, cves: ReadonlySet<string>): Promise<void> =>
  askWhere(tx, (from) => from.epss?.cves.some(({ id }) => cves.has(id)) === true)

async function askWhere(tx: Tx, isMeant: (from: StoredTef) => boolean): Promise<void> {
  for (const row of await currentlyObserving(tx))
    if (isMeant(row.tef_from))
      await tx.enqueue({
        kind: rateJob,
        key: `${row.risk_id}:${row.purpose}`,
        payload: { risk_id: row.risk_id, purpose: row.purpose },
      })
}

type Observing = Pick<AnalysisRow, 'risk_id' | 'purpose'> & { readonly tef_from: StoredTef }

function currentlyObserving(tx: Tx): Promise<readonly Observing[]> {
  return tx.query(
    sql<Observing>`
      select risk_id, purpose, tef_from from risk_analysis
      where current and tef_from is not null order by id limit 500`,
  )
}

export const rateRuns: JobDeclaration<RiskServices> = {
  kind: rateJob,
  maxAttempts: 5,
  leaseMs: 30_000,
  everyMs: null,
  run: runAgain,
}

async function runAgain({ kernel, tenantId, payload }: JobContext<RiskServices>): Promise<void> {
  const { risk_id: riskId, purpose } = payload
  const of = { riskId: String(riskId), purpose: String(purpose) }
  const moved = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => movedRate(kernel, tx, of))
  if (moved === null) return
  const model = withObservedRate(moved.analysis.model, moved.rate)
  if (!isWithinExact(checkedPlan(model, ''))) {
    kernel.log.warn({ analysis: moved.analysis.id }, 'the observed rate is too wide for the exact engine')
    return
  }
  const exact = await kernel.threads.run(exactAnalysis, { model, horizonYears: moved.analysis.horizon_years })
  const { analysis, rate } = moved
  await kernel.db.tenant({ tenantId }, (tx) => storeRun(kernel, tx, { before: analysis, rate, exact, model }))
}

interface Moved {
  readonly analysis: AnalysisRow
  readonly rate: StoredTef
}

/** By risk and purpose, because what was current when the job was asked for may have been replaced since. */
interface Of {
  readonly riskId: string
  readonly purpose: string
}

/** Null where no current analysis observes, or its rate has hardly moved. */
async function movedRate({ clock }: Kernel, tx: Tx, { riskId, purpose }: Of): Promise<Moved | null> {
  const analysis = await tx.first(
    sql<AnalysisRow>`
      select ${analyses.columns} from risk_analysis where risk_id = ${riskId} and purpose = ${purpose} and current`,
  )
  const before = analysis?.tef_from ?? null
  if (analysis === null || before === null) return null
  const cited = await citedNow(tx, before, analysis.horizon_years)
  const rate = await observedRate(tx, cited, clock.now())
  const change = Math.abs(rate.posterior.mean - before.posterior.mean) / before.posterior.mean
  return change < worthwhile ? null : { analysis, rate }
}

interface Run {
  readonly before: AnalysisRow
  readonly rate: StoredTef
  readonly model: AnalysisRow['model']
  readonly exact: ExactResult
}

async function storeRun(kernel: Kernel, tx: Tx, { before, rate, model, exact }: Run): Promise<void> {
  const latest = await analyses.get(tx, before.id)
  if (latest?.current !== true) return
  const now = kernel.clock.iso()
  const row = await storeVersion(tx, {
    ...before,
    id: kernel.random.uuid(),
    created_at: now,
    updated_at: now,
    current: false,
    model,
    tef_from: rate,
    engine: 'exact',
    cause: 'threat_update',
    simulation_id: null,
    status: 'completed',
    result: null,
    created_by: null,
  })
  const result = { exact, monte_carlo: null, agreement: null }
  await completeAnalysis(kernel, tx, { analysis: row, result, by: null })
}
