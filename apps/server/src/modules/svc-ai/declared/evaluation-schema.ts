import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { feedbackModes } from '../retrieval/search.ts'

export const evaluationStatuses = ['queued', 'running', 'completed', 'failed'] as const
export const verdicts = ['better', 'worse', 'no_difference'] as const

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
const Share = Type.Number({ minimum: 0, maximum: 1 })

export const Item = strictObject({
  query: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }),
  relevant: Type.Array(
    strictObject({
      document: Type.String({ minLength: 1, maxLength: 255, description: 'The title or the id of a document' }),
      gain: Type.Optional(Type.Number({ minimum: 0, maximum: 10, description: 'Default 1' })),
    }),
    { minItems: 1, maxItems: 200 },
  ),
})
export type Item = Static<typeof Item>

/** Settings of the search; those that are left out are as in questions. */
export const Configuration = strictObject({
  rm3: Type.Optional(oneOf(...feedbackModes)),
  k1: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  b: Type.Optional(Share),
})
export type Configuration = Static<typeof Configuration>

const Measures = strictObject({ ndcg: Share, recall: Share, mrr: Share })
const Summary = strictObject({
  ...Measures.properties,
  latency_p50_ms: Type.Number({ minimum: 0 }),
  latency_p95_ms: Type.Number({ minimum: 0 }),
})
const Difference = strictObject({
  mean: Type.Number(),
  low: Type.Number({ description: '95 % interval of a paired bootstrap with 10,000 resamples' }),
  high: Type.Number(),
})

export const Results = strictObject({
  baseline: Summary,
  candidate: nullable(Summary),
  difference: nullable(strictObject({ ndcg: Difference, recall: Difference, mrr: Difference })),
  verdict: nullable(
    Type.Unsafe<(typeof verdicts)[number]>({
      ...oneOf(...verdicts),
      description: 'Of the candidate by nDCG, where the interval does not hold 0',
    }),
  ),
})
export type Results = Static<typeof Results>

export const ItemResult = strictObject({
  query: Type.String({ maxLength: 2_000 }),
  baseline: Measures,
  candidate: nullable(Measures),
})
export type ItemResult = Static<typeof ItemResult>

const fields = {
  name: Name,
  dataset_name: Name,
  baseline: Configuration,
  candidate: nullable(Configuration),
  k: Type.Integer({ minimum: 1, maximum: 100 }),
  source_ids: Type.Array(Uuid, { maxItems: 50 }),
  status: oneOf(...evaluationStatuses),
  progress: Share,
  results: nullable(Results),
  error: nullable(Type.String({ maxLength: 500 })),
  completed_at: nullable(Timestamp),
  created_by: Uuid,
}

export const EvaluationRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  items: Type.Array(Item),
  per_item: nullable(Type.Array(ItemResult)),
})
export type EvaluationRow = Static<typeof EvaluationRow>

export const Evaluation = resource({
  ...fields,
  item_count: Type.Integer({ minimum: 1 }),
  items: Type.Optional(Type.Array(ItemResult, { description: 'With `include=items`, once it has completed' })),
})
export type Evaluation = Static<typeof Evaluation>

export const NewEvaluation = strictObject({
  name: Name,
  dataset: strictObject({ name: Name, items: Type.Array(Item, { minItems: 1, maxItems: 500 }) }),
  source_ids: Type.Optional(Type.Array(Uuid, { maxItems: 50, description: 'Default: every source that you may read' })),
  baseline: Type.Optional(Configuration),
  candidate: Type.Optional(Configuration),
  k: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Documents that are measured; default 10' })),
})
export type NewEvaluation = Static<typeof NewEvaluation>
