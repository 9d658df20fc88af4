/**
 * FAIR analyses: versions of a risk's model with their results. Promises that a version is never overwritten and that a
 * model is judged before anything is stored. The exact engine runs in a thread, between two transactions. Tested in
 * analyses.test.ts.
 */
import { calibrateIntervals } from '@parapet/quant'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { appetiteOf } from '../register/settings.ts'
import { risks } from '../register/tables.ts'
import { completeAnalysis, holdRisk } from './complete.ts'
import { exactAnalysis } from './exact-task.ts'
import { citedFrom, observedRate, refuseBoth, withObservedRate } from './observed-rate.ts'
import { checkControls, checkedPlan, refuseBeyondEngine } from './plan.ts'
import type { ExactResult } from './result-schema.ts'
import type { AnalysisRow, Estimator, NewAnalysis } from './schema.ts'
import { analyses } from './tables.ts'
import type { StoredTef } from './tef-schema.ts'

export interface AnalysisAsked {
  readonly scope: TenantScope
  readonly userId: string
  readonly body: NewAnalysis
  /** Queues the simulation of an analysis in its transaction; gives the simulation's id. */
  readonly simulate: (tx: Tx, analysis: AnalysisRow) => Promise<string>
}

/** @throws RISK-002, RISK-005, RISK-006, RISK-007, RISK-010 */
export async function createAnalysis(kernel: Kernel, asked: AnalysisAsked): Promise<AnalysisRow> {
  const { scope, body } = asked
  const { engine = 'exact', controls = [] } = body
  if (body.tef_from !== undefined) refuseBoth(body.model)
  const horizonYears = body.horizon_years ?? 1
  if (horizonYears > 1 && engine === 'monte_carlo')
    throw limit('The horizon is computed by the exact engine: use exact or both.', '/horizon_years')
  const rate = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => judgedAgainstRisk(kernel, tx, body))
  const model = rate === null ? body.model : withObservedRate(body.model, rate)
  refuseBeyondEngine(checkedPlan(model, '/model'), engine !== 'monte_carlo')
  checkControls(model, controls, '/controls')
  if (body.dry_run === true && engine !== 'exact') throw limit('A dry run uses the exact engine.', '/engine')
  const exact = engine === 'monte_carlo' ? null : await kernel.threads.run(exactAnalysis, { model, horizonYears })
  const row = newAnalysis(kernel, { ...asked, model, rate, exact })
  if (body.dry_run === true) return row
  return kernel.db.tenant(scope, (tx) => store(kernel, tx, row, asked))
}

/** Null without a cited rate. */
async function judgedAgainstRisk(kernel: Kernel, tx: Tx, body: NewAnalysis): Promise<StoredTef | null> {
  const risk = await risks.get(tx, body.risk_id)
  if (risk === null)
    throw errors.unknownReference({ what: 'risk' }).at([{ detail: 'There is no such risk.', pointer: '/risk_id' }])
  const appetite = appetiteOf(kernel, tx.tenantId, risk)
  if (appetite !== null && appetite.currency !== body.currency)
    throw limit(`The risk is held to an appetite in ${appetite.currency}; analyze it in that currency.`, '/currency')
  const { tef_from: from, horizon_years: horizonYears = 1 } = body
  const nowMs = kernel.clock.now()
  return from === undefined ? null : observedRate(tx, await citedFrom(tx, from, { nowMs, horizonYears }), nowMs)
}

const limit = (detail: string, pointer: string) => errors.limitExceeded({ what: detail }).at([{ detail, pointer }])

interface Made extends Pick<AnalysisAsked, 'scope' | 'userId' | 'body'> {
  readonly model: AnalysisRow['model']
  readonly rate: StoredTef | null
  readonly exact: ExactResult | null
}

function newAnalysis({ clock, random }: Kernel, { scope, userId, body, model, rate, exact }: Made): AnalysisRow {
  const now = clock.iso()
  const engine = body.engine ?? 'exact'
  return {
    id: random.uuid(),
    tenant_id: scope.tenantId,
    created_at: now,
    updated_at: now,
    risk_id: body.risk_id,
    number: 1,
    purpose: body.purpose,
    current: false,
    model,
    tef_from: rate,
    rationale: body.rationale ?? {},
    estimators: (body.estimators ?? []).map(estimatorOf),
    controls: body.controls ?? [],
    currency: body.currency,
    horizon_years: body.horizon_years ?? 1,
    engine,
    cause: 'request',
    simulation_id: null,
    status: engine === 'exact' ? 'completed' : 'queued',
    result: exact === null ? null : { exact, monte_carlo: null, agreement: null },
    mean: exact?.mean ?? null,
    var95: exact?.tails.find(({ level }) => level === 0.95)?.var ?? null,
    created_by: userId,
  }
}

/** Hubbard's calibration: the share of 90 % intervals that held the answer. @throws RISK-006 */
function estimatorOf({ name, answers }: NonNullable<NewAnalysis['estimators']>[number], i: number): Estimator {
  if (answers === undefined) return { name, calibration: null }
  const wrong = answers.findIndex(({ low, high }) => low > high)
  if (wrong >= 0) {
    const detail = 'The low end of an interval is not above its high end.'
    throw errors
      .distributionInvalid({ what: detail })
      .at([{ detail, pointer: `/estimators/${i}/answers/${wrong}/low` }])
  }
  const { hitRate, answers: asked, hits, interval, overconfident } = calibrateIntervals(answers)
  return { name, calibration: { answers: asked, hits, hit_rate: hitRate, interval: { ...interval }, overconfident } }
}

async function store(
  kernel: Kernel,
  tx: Tx,
  made: AnalysisRow,
  { userId, simulate }: AnalysisAsked,
): Promise<AnalysisRow> {
  const row = await storeVersion(tx, made)
  if (row.engine !== 'exact') {
    const simulationId = await simulate(tx, row)
    await analyses.patch(tx, row.id, { simulation_id: simulationId })
  } else if (row.result !== null) await completeAnalysis(kernel, tx, { analysis: row, result: row.result, by: userId })
  return analyses.need(tx, row.id)
}

/** Stores an analysis as the next version of its risk, with its audit entry. @throws API-013 */
export async function storeVersion(tx: Tx, made: AnalysisRow): Promise<AnalysisRow> {
  await holdRisk(tx, made.risk_id)
  const found = await tx.first(
    sql<{
      next: number
    }>`select coalesce(max(number), 0) + 1 as next from risk_analysis where risk_id = ${made.risk_id}`,
  )
  const row = { ...made, number: found?.next ?? 1 }
  await analyses.insert(tx, row)
  const { id, risk_id, number, purpose, engine, currency, cause, model } = row
  await tx.audit('risk.analysis.create', {
    target: `risk_analysis:${id}`,
    after: { risk_id, number, purpose, engine, currency, cause, model },
  })
  return row
}
