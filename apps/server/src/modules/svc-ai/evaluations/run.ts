/**
 * Runs an evaluation: each question under one or two configurations, over the sources that its person may read now,
 * measured by documents. The same sources and questions give the same measures of retrieval. Tested in
 * evaluations.test.ts.
 */
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import { holdAll, write } from '../../../kernel/resource/resource.ts'
import type { EvaluationRow, ItemResult, Results } from '../declared/evaluation-schema.ts'
import { evaluationCompleted } from '../events/events.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { evaluationKind, evaluationResource } from './evaluations.ts'
import { measureItem } from './measure-item.ts'
import { type Measured, noMeasures, resultsOf } from './results.ts'

type Context = JobContext<SvcAiServices>

export const evaluationJob: JobDeclaration<SvcAiServices> = {
  kind: evaluationKind,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: runEvaluation,
}

type Tx = Parameters<Parameters<Context['complete']>[0]>[0]

async function runEvaluation(context: Context): Promise<void> {
  const id = String(context.payload.evaluation_id)
  const row = await context.transaction((tx) => setState(context.services, tx, id, { status: 'running' }))
  if (row === null) return
  try {
    const outcome = await outcomeOf(context, row)
    await context.complete((tx) => settle(context.services, tx, { id, ...outcome }))
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status >= 500) throw error
    const failed = { status: 'failed' as const, error: error.message.slice(0, 500) }
    await context.complete(async (tx) => void (await setState(context.services, tx, id, failed)))
  }
}

type State = Pick<EvaluationRow, 'status'> & Partial<Pick<EvaluationRow, 'error'>>

/** Null where it has ended or is gone. */
async function setState({ kernel }: SvcAiServices, tx: Tx, id: string, state: State): Promise<EvaluationRow | null> {
  const where = sql`id = ${id} and status in ('queued', 'running')`
  const [held] = await holdAll(tx, evaluationResource, { where, limit: 1 })
  return held === undefined ? null : write(kernel, tx, held, state)
}

interface Outcome {
  readonly results: Results
  readonly perItem: ItemResult[]
}

async function outcomeOf(context: Context, row: EvaluationRow): Promise<Outcome> {
  const { baseline, candidate, items } = row
  const own: Measured[] = []
  const other: Measured[] = []
  for (const [at, item] of items.entries()) {
    context.signal.throwIfAborted()
    own.push(await measureItem(context, row, { item, configuration: baseline }))
    if (candidate !== null) other.push(await measureItem(context, row, { item, configuration: candidate }))
    if (at % 20 === 19) await context.progress((at + 1) / items.length)
  }
  return {
    results: resultsOf(own, candidate === null ? null : other),
    perItem: items.map(({ query }, at) => ({
      query,
      baseline: own[at]?.measures ?? noMeasures,
      candidate: other[at]?.measures ?? null,
    })),
  }
}

interface Settling extends Outcome {
  readonly id: string
}

async function settle({ kernel }: SvcAiServices, tx: Tx, { id, results, perItem }: Settling): Promise<void> {
  const where = sql`id = ${id} and status = 'running'`
  const [held] = await holdAll(tx, evaluationResource, { where, limit: 1 })
  if (held === undefined) return
  const { name } = await write(kernel, tx, held, {
    ...{ status: 'completed', progress: 1, results, per_item: perItem, completed_at: kernel.clock.iso() },
  })
  const { ndcg: gain, recall: found } = results.candidate ?? results.baseline
  await tx.emit(evaluationCompleted, id, {
    ...{ evaluation_id: id, name, ndcg: gain ?? 0, recall: found ?? 0, verdict: results.verdict },
  })
}

/** An evaluation whose job failed as often as it may has failed itself. */
export function failEvaluationWithJob(services: SvcAiServices): Notice<DeadJob> {
  return async (tx, { kind, payload }) => {
    if (kind !== evaluationKind) return
    const failed = { status: 'failed' as const, error: 'The evaluation could not be run. Start it again.' }
    await setState(services, tx, String(payload.evaluation_id), failed)
  }
}
