/**
 * Runs analyses in the background. Effects and end of the job are one commit, so that an attempt that breaks begins anew;
 * after the last one the analysis has failed. Tested in attack-paths.test.ts.
 */
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { AnalysisRow } from '../declared/analysis-schema.ts'
import { analyses } from '../declared/tables.ts'
import { snapshotOf } from '../graph/find.ts'
import { beginRun, endRunWithJob, failureOf, type RunKind } from '../runs/run-kind.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { analysisJob } from './create.ts'
import { storeCompleted } from './settle.ts'
import { analyzePaths } from './task.ts'

export const analysisRun: RunKind<AnalysisRow> = {
  ...{ noun: 'analysis', job: analysisJob, idMember: 'analysis_id' },
  ...{ get: analyses.get, patch: analyses.patch },
  unfinished: (tx, id) =>
    tx.first(sql<AnalysisRow>`
      select ${analyses.columns} from cybertwins_analysis
      where id = ${id} and status in ('queued', 'running') for update`),
  end: async ({ clock }, tx, { row, status }) => {
    const now = clock.iso()
    const failure = status === 'failed' ? failureOf('analysis') : null
    const changes = { status, failure, finished_at: now, updated_at: now }
    await analyses.patch(tx, row.id, changes)
    await tx.audit('cybertwins.attack_path.create', {
      target: `cybertwins_analysis:${row.id}`,
      before: { status: row.status },
      after: { status },
    })
    return { ...row, ...changes }
  },
}

export const cancelAnalysisWithJob = endRunWithJob(analysisRun, 'cancelled')
export const failAnalysisWithJob = endRunWithJob(analysisRun, 'failed')

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
  const row = await context.transaction((tx) => beginRun(analysisRun, kernel, tx, String(payload.analysis_id)))
  if (row === null) return
  const { state } = await snapshotOf(kernel, { tenantId }, row.graph_id)
  const result = await context.thread(analyzePaths, { state, inputs: row.inputs, seed: row.seed })
  if (result === null) return
  await context.complete(async (tx) => {
    if ((await analysisRun.unfinished(tx, row.id)) !== null) await storeCompleted(kernel, tx, { row, result })
  })
}
