/**
 * Stores the end of a simulation, and gives an analysis the result that it waited for. Tested in simulations.test.ts and
 * end.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { completeAnalysis } from '../fair/complete.ts'
import type { AnalysisResult, SimulatedResult } from '../fair/result-schema.ts'
import { analyses } from '../fair/tables.ts'
import type { EngineFacts } from './block-task.ts'
import { tellEnd } from './events.ts'
import type { ControlRoi, Sensitivity, SimulationResult, SimulationRow } from './schema.ts'
import { tailAt } from './statistics.ts'
import type { Summary } from './summary-task.ts'
import { simulations } from './tables.ts'

export interface Outcome {
  /** Years, or samples of a sensitivity. */
  readonly years: number
  readonly summary: Summary | null
  readonly choice: ControlRoi['choice']
  readonly sensitivity: Sensitivity | null
  readonly facts: EngineFacts | null
}

interface Settling {
  readonly id: string
  /** Null where nothing came of it: the last attempt failed, or it was cancelled before its first block. */
  readonly outcome: Outcome | null
}

/** Stores the end of a simulation that waits, runs, or was cancelled and has no partial result yet. */
export async function settle(kernel: Kernel, tx: Tx, { id, outcome }: Settling): Promise<void> {
  const row = await tx.first(sql<SimulationRow>`
    select ${simulations.columns} from risk_simulation where id = ${id} for update`)
  if (row === null || row.result !== null || row.status === 'completed' || row.status === 'failed') return
  const status = row.status === 'cancelled' ? 'cancelled' : outcome === null ? 'failed' : 'completed'
  await store(kernel, tx, { row, outcome, status })
  await settleAnalysis(kernel, tx, { row, outcome, status })
}

/** A simulation whose job failed for the last time has failed, whatever became of its worker. */
export const settleFailed = (kernel: Kernel, tx: Tx, id: string): Promise<void> =>
  settle(kernel, tx, { id, outcome: null })

interface Ending {
  readonly row: SimulationRow
  readonly outcome: Outcome | null
  readonly status: 'completed' | 'failed' | 'cancelled'
}

async function store(kernel: Kernel, tx: Tx, { row, outcome, status }: Ending): Promise<void> {
  const statistics = outcome?.summary?.statistics ?? null
  const tail = statistics === null ? undefined : tailAt(statistics, 0.95)
  const money = { mean: statistics?.mean ?? null, var95: tail?.var ?? null, tvar95: tail?.tvar ?? null }
  const years = outcome?.years ?? 0
  const now = kernel.clock.iso()
  await simulations.patch(tx, row.id, {
    status,
    progress: status === 'completed' ? 1 : years / row.iterations,
    iterations_done: years,
    losses_sha256: outcome?.summary?.sha256 ?? null,
    result: outcome === null ? null : resultOf(row, outcome),
    failure:
      status === 'failed' ? 'The simulation could not be run; an administrator finds the reason in the log.' : null,
    ...money,
    finished_at: now,
    updated_at: now,
  })
  const durationMs = Math.max(0, Date.parse(now) - Date.parse(row.started_at ?? now))
  await tellEnd(tx, { ...row, ...money }, { status, years, durationMs })
}

function resultOf(row: SimulationRow, { summary, sensitivity, choice, facts }: Outcome): SimulationResult {
  const allocation = summary?.allocation ?? null
  const controls = summary?.controls ?? null
  return {
    statistics: summary?.statistics ?? null,
    contributions: allocation === null ? null : contributionsOf(row, allocation),
    diversification_benefit: allocation?.benefit ?? null,
    correlation_distance: facts?.distance ?? null,
    sensitivity,
    control_roi: controls === null ? null : { ...controls, choice },
    inaccurate: [...(facts?.inaccurate ?? [])],
  }
}

function contributionsOf(
  { analysis_ids: ids, risk_ids: risks }: SimulationRow,
  { means, contributions, standalone, tvar }: NonNullable<Summary['allocation']>,
): SimulationResult['contributions'] {
  return ids.map((id, i) => ({
    analysis_id: id,
    risk_id: risks[i] ?? id,
    mean: means[i] ?? 0,
    tvar95: contributions[i] ?? 0,
    share: tvar > 0 ? (contributions[i] ?? 0) / tvar : 0,
    standalone_var95: standalone[i] ?? 0,
  }))
}

async function settleAnalysis(kernel: Kernel, tx: Tx, { row, outcome, status }: Ending): Promise<void> {
  const id = row.inputs.for_analysis
  const analysis = id === null ? null : await analyses.get(tx, id)
  if (analysis === null || analysis.status === 'completed') return
  const simulated = outcome?.summary?.statistics ?? null
  if (status !== 'completed' || simulated === null) {
    await analyses.patch(tx, analysis.id, {
      status: status === 'completed' ? 'failed' : status,
      updated_at: kernel.clock.iso(),
    })
    return
  }
  const exact = analysis.result?.exact ?? null
  const result = { exact, monte_carlo: simulated, agreement: exact === null ? null : agreementOf(exact, simulated) }
  await completeAnalysis(kernel, tx, { analysis, result, by: analysis.created_by })
}

/** Each engine checks the other: how many standard errors the means are apart, and whether the interval holds the value. */
function agreementOf(
  exact: NonNullable<AnalysisResult['exact']>,
  simulated: SimulatedResult,
): AnalysisResult['agreement'] {
  const [at, within] = [tailAt(exact, 0.95), tailAt(simulated, 0.95)?.interval]
  return {
    mean_difference_in_standard_errors:
      simulated.standard_error > 0 ? (simulated.mean - exact.mean) / simulated.standard_error : 0,
    var95_inside_interval: within !== undefined && at !== undefined && within.low <= at.var && at.var <= within.high,
  }
}
