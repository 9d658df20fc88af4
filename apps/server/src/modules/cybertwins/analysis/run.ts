/**
 * Runs analyses in the background. Effects and end of the job are one commit, so that an attempt that breaks begins anew;
 * after the last one the analysis has failed. Tested in attack-paths.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { CancelledJob, DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import type { AnalysisRow } from '../declared/analysis-schema.ts'
import { analyses } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import { snapshotOf } from '../graph/find.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { analysisJob } from './create.ts'
import { storeCompleted } from './settle.ts'
import { analyzePaths } from './task.ts'

export const analysisRuns: JobDeclaration<TwinServices> = {
  kind: analysisJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  mostAtOnce: 1,
  run: (context) => runAnalysis(context),
}

async function runAnalysis(context: JobContext<TwinServices>): Promise<void> {
  const { kernel, tenantId, payload } = context
  const row = await context.transaction((tx) => begin(kernel, tx, String(payload.analysis_id)))
  if (row === null) return
  const { state } = await snapshotOf(kernel, { tenantId }, row.graph_id)
  const result = await context.thread(analyzePaths, { state, inputs: row.inputs, seed: row.seed })
  if (result === null) return
  await context.complete(async (tx) => {
    if ((await unfinished(tx, row.id)) !== null) await storeCompleted(kernel, tx, { row, result })
  })
}

async function begin({ clock }: Pick<Kernel, 'clock'>, tx: Tx, id: string): Promise<AnalysisRow | null> {
  const row = await unfinished(tx, id)
  if (row === null) return null
  const now = clock.iso()
  await analyses.patch(tx, id, { status: 'running', started_at: now, updated_at: now })
  return { ...row, status: 'running', started_at: now }
}

/** The analysis, locked; null where it has ended. */
function unfinished(tx: Tx, id: string): Promise<AnalysisRow | null> {
  return tx.first(sql<AnalysisRow>`
    select ${analyses.columns} from cybertwins_analysis
    where id = ${id} and status in ('queued', 'running') for update`)
}

/** @throws TWIN-006, TWIN-012 */
export async function cancelAnalysis(kernel: Pick<Kernel, 'clock'>, tx: Tx, id: string): Promise<AnalysisRow> {
  const row = await analyses.get(tx, id)
  if (row === null)
    throw errors
      .unknownReference({ what: 'analysis' })
      .at([{ detail: 'There is no such analysis.', pointer: '/cancel' }])
  const held = await unfinished(tx, id)
  if (held === null) throw errors.alreadyFinished({ status: row.status })
  await tx.cancel(id)
  return end(kernel, tx, held, 'cancelled')
}

async function end(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  row: AnalysisRow,
  status: 'cancelled' | 'failed',
): Promise<AnalysisRow> {
  const now = clock.iso()
  const failure = status === 'failed' ? 'The analysis failed; an administrator finds the reason in the log.' : null
  const changes = { status, failure, finished_at: now, updated_at: now }
  await analyses.patch(tx, row.id, changes)
  await tx.audit('cybertwins.attack_path.create', {
    target: `cybertwins_analysis:${row.id}`,
    before: { status: row.status },
    after: { status },
  })
  return { ...row, ...changes }
}

/** An analysis whose job an administrator cancelled is cancelled in the same transaction. */
export function cancelAnalysisWithJob(kernel: Pick<Kernel, 'clock'>): Notice<CancelledJob> {
  return (tx, job) => endWithJob(kernel, tx, job, 'cancelled')
}

/** An analysis whose job failed for the last time has failed. */
export function failAnalysisWithJob(kernel: Pick<Kernel, 'clock'>): Notice<DeadJob> {
  return (tx, job) => endWithJob(kernel, tx, job, 'failed')
}

async function endWithJob(
  kernel: Pick<Kernel, 'clock'>,
  tx: Tx,
  { kind, payload }: CancelledJob,
  status: 'cancelled' | 'failed',
): Promise<void> {
  if (kind !== analysisJob) return
  const row = await unfinished(tx, String(payload.analysis_id))
  if (row !== null) await end(kernel, tx, row, status)
}
