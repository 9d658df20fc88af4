/**
 * Runs an evaluation: each question under one or two configurations, over the sources that its person may read now,
 * measured by documents. The same sources and questions give the same measures. Tested in evaluations.test.ts.
 */
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import { holdAll, write } from '../../../kernel/resource/resource.ts'
import { retrieve } from '../answers/retrieve.ts'
import type { Configuration, EvaluationRow, Item, ItemResult, Results } from '../declared/evaluation-schema.ts'
import { evaluationCompleted } from '../events/events.ts'
import { ndcg, pairedBootstrap, percentile, recall, reciprocalRank } from '../retrieval/measures.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { evaluationKind, evaluationResource } from './evaluations.ts'

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

interface Measured {
  readonly measures: ItemResult['baseline']
  readonly ms: number
}

interface Outcome {
  readonly results: Results
  readonly perItem: ItemResult[]
}

async function outcomeOf(context: Context, row: EvaluationRow): Promise<Outcome> {
  const { baseline, candidate, items } = row
  const measured: { baseline: Measured; candidate: Measured | null }[] = []
  for (const [at, item] of items.entries()) {
    context.signal.throwIfAborted()
    measured.push({
      baseline: await measure(context, row, { item, configuration: baseline }),
      candidate: candidate === null ? null : await measure(context, row, { item, configuration: candidate }),
    })
    if (at % 20 === 19) await context.progress((at + 1) / items.length)
  }
  const own = measured.map((one) => one.baseline)
  const other = measured.flatMap((one) => one.candidate ?? [])
  return {
    results: resultsOf(own, candidate === null ? null : other),
    perItem: items.map(({ query }, at) => ({
      query,
      baseline: measured[at]?.baseline.measures ?? nothing,
      candidate: measured[at]?.candidate?.measures ?? null,
    })),
  }
}

const nothing = { ndcg: 0, recall: 0, mrr: 0 }
/** Passages for each document that is measured: several may be of one. */
const passagesPerDocument = 4
const mostPassages = 400

interface Measuring {
  readonly item: Item
  readonly configuration: Configuration
}

async function measure(
  { kernel, services, tenantId, id }: Context,
  row: EvaluationRow,
  { item, configuration }: Measuring,
): Promise<Measured> {
  // Asked anew for each question: rights that were taken meanwhile count.
  const job = { kind: evaluationKind, id }
  const actor = await kernel.auth.actAs({ tenantId, userId: row.created_by, ceiling: permissionSet(readable), job })
  const begun = kernel.clock.monotonic()
  const top = Math.min(mostPassages, row.k * passagesPerDocument)
  const { passages } = await retrieve(services, {
    ...{ scope: { tenantId }, actor, text: item.query, sourceIds: row.source_ids },
    options: { top, ...configuration },
  })
  const ms = kernel.clock.monotonic() - begun
  const gains = new Map(item.relevant.map(({ document, gain = 1 }) => [document, gain]))
  const ranking = [...new Set(passages.map(({ documentId, title }) => (gains.has(documentId) ? documentId : title)))]
  return {
    measures: {
      ndcg: ndcg(ranking, gains, row.k),
      recall: recall(ranking, gains, row.k),
      mrr: reciprocalRank(ranking, gains, row.k),
    },
    ms,
  }
}

/** Facts of every module may be in a source. */
const readable = [
  ...['svc-ai:read', 'iam:read', 'admin:read', 'compliance:read', 'aegis:read', 'gateway:read', 'risk:read'],
  ...['trust:read', 'resilience:read', 'cybertwins:read', 'platform:read', 'data-gov:read'],
]

function resultsOf(own: readonly Measured[], other: readonly Measured[] | null): Results {
  const of = (measured: readonly Measured[], name: keyof Measured['measures']) =>
    measured.map(({ measures }) => measures[name])
  const summary = (measured: readonly Measured[]) => ({
    ...{ ndcg: mean(of(measured, 'ndcg')), recall: mean(of(measured, 'recall')), mrr: mean(of(measured, 'mrr')) },
    latency_p50_ms: percentile(
      measured.map(({ ms }) => ms),
      0.5,
    ),
    latency_p95_ms: percentile(
      measured.map(({ ms }) => ms),
      0.95,
    ),
  })
  if (other === null) return { baseline: summary(own), candidate: null, difference: null, verdict: null }
  const difference = (name: keyof Measured['measures']) => pairedBootstrap(of(own, name), of(other, name))
  const gain = difference('ndcg')
  return {
    ...{ baseline: summary(own), candidate: summary(other) },
    difference: { ndcg: gain, recall: difference('recall'), mrr: difference('mrr') },
    verdict: gain.low > 0 ? 'better' : gain.high < 0 ? 'worse' : 'no_difference',
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

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
    ...{ evaluation_id: id, name, ndcg: gain, recall: found, verdict: results.verdict },
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
