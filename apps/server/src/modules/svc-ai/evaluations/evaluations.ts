/** Evaluations of retrieval and answers: started and seen by their person. Tested in evaluations.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { create, newRow, resource } from '../../../kernel/resource/resource.ts'
import { refuseUnknownSources } from '../conversations/change-conversation.ts'
import type { Evaluation, EvaluationRow, Item, NewEvaluation } from '../declared/evaluation-schema.ts'
import { evaluations } from '../declared/evaluation-table.ts'
import { errors } from '../errors/errors.ts'

export const evaluationResource = resource<EvaluationRow>({ table: evaluations, kind: 'svc_ai_evaluation' })
/** The kind of job that runs one. */
export const evaluationKind = 'svc_ai.evaluation.run'
const mostUnfinished = 5
const defaultK = 10

export interface Starting {
  readonly actor: Actor
  readonly input: NewEvaluation
}

/** @throws SVC-001, SVC-020, SVC-021 */
export async function startEvaluation(
  kernel: Kernel,
  tx: Tx,
  { actor, input }: Starting,
): Promise<Versioned<Evaluation>> {
  const { name, dataset, source_ids: sources = [], baseline = {}, candidate = null, k = defaultK } = input
  const { answers = false } = input
  refuseMalformed(dataset.items)
  await refuseUnknownSources(tx, actor, sources)
  await tx.lock('svc-ai.evaluations', tx.tenantId)
  const held = await tx.first(
    sql<{ n: number }>`select count(*)::int as n from svc_ai_evaluation where status in ('queued', 'running')`,
  )
  if ((held?.n ?? 0) >= mostUnfinished) throw errors.tooManyEvaluations({ limit: mostUnfinished })
  const row: EvaluationRow = {
    ...{ ...newRow(kernel, tx), name, dataset_name: dataset.name, items: dataset.items, source_ids: [...sources] },
    ...{ baseline, candidate, k, answers, status: 'queued', progress: 0, results: null, per_item: null, error: null },
    ...{ completed_at: null, created_by: actor.userId },
  }
  await create(tx, evaluationResource, row, {
    action: 'svc_ai.evaluation.create',
    after: ({ items, ...shown }) => ({ ...shown, items: items.length }),
  })
  await tx.enqueue({ id: row.id, kind: evaluationKind, payload: { evaluation_id: row.id } })
  return evaluationView(row, false)
}

/** @throws SVC-020 */
function refuseMalformed(items: readonly Item[]): void {
  const faulty = items.flatMap(({ relevant, answerable = true }, at) => {
    const hasRelevant = relevant.some(({ gain = 1 }) => gain > 0)
    if (hasRelevant === answerable) return []
    const detail = answerable ? 'has no relevant document' : 'is not answerable and has relevant documents'
    return [{ detail, pointer: `/dataset/items/${at}` }]
  })
  if (faulty.length > 0)
    throw errors
      .datasetInvalid({
        what: 'An answerable question needs a document with a gain above 0, and another one must have none.',
      })
      .at(faulty.slice(0, 20))
}

function evaluationView(row: EvaluationRow, withItems: boolean): Versioned<Evaluation> {
  const { version, items, per_item: results, ...shown } = row
  const view = { ...shown, item_count: items.length, ...(withItems && results !== null ? { items: results } : {}) }
  return new Versioned(view, version)
}

export interface Seeing {
  readonly actor: Actor
  readonly id: string
  readonly withItems: boolean
}

/** @throws API-013 for one that is not the caller's own */
export async function seeEvaluation(tx: Tx, { actor, id, withItems }: Seeing): Promise<Versioned<Evaluation>> {
  const row = await evaluations.need(tx, id)
  if (row.created_by !== actor.userId) throw apiErrors.notFound({ what: evaluations.noun })
  return evaluationView(row, withItems)
}
