import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { feedbackModes } from '../retrieval/search.ts'
import { type RetrievalMode, retrievalModes } from './retrieval-words.ts'

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
    { maxItems: 200, description: 'Empty for a question that the sources do not answer' },
  ),
  answerable: Type.Optional(Type.Boolean({ description: 'False for a question that has to be refused. Default true' })),
})
export type Item = Static<typeof Item>

/** Settings of the search; those that are left out are as in questions. */
export const Configuration = strictObject({
  mode: Type.Optional(
    Type.Unsafe<RetrievalMode>({
      ...oneOf(...retrievalModes),
      description: 'As in questions; `hybrid` fails the evaluation where no model is bound to the role `embedding`',
    }),
  ),
  rm3: Type.Optional(oneOf(...feedbackModes)),
  k1: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  b: Type.Optional(Share),
})
export type Configuration = Static<typeof Configuration>

/** Null where no question has the measure. */
const Mean = nullable(Share)

export const RetrievalMeasures = strictObject({
  ndcg: Mean,
  recall: Mean,
  mrr: Mean,
  context_precision: Type.Unsafe<number | null>({
    ...Mean,
    description: 'Mean of the precision at the place of each relevant document among the first k',
  }),
})
export type RetrievalMeasures = Static<typeof RetrievalMeasures>

export const AnswerMeasures = strictObject({
  groundedness: Type.Unsafe<number | null>({ ...Mean, description: 'Of the answers that were given' }),
  citation_precision: Type.Unsafe<number | null>({
    ...Mean,
    description: 'Share of the cited documents that are relevant',
  }),
  citation_recall: Type.Unsafe<number | null>({
    ...Mean,
    description: 'Share of the relevant documents that are cited; 0 for a refused question',
  }),
  refusal_correctness: Type.Unsafe<number | null>({
    ...Mean,
    description: 'Share of the questions that are refused where they are not answerable, and answered where they are',
  }),
})
export type AnswerMeasures = Static<typeof AnswerMeasures>

const Measures = strictObject({ ...RetrievalMeasures.properties, ...AnswerMeasures.properties })
export type Measures = Static<typeof Measures>
export const measureNames = [
  ...(['ndcg', 'recall', 'mrr', 'context_precision'] as const),
  ...(['groundedness', 'citation_precision', 'citation_recall', 'refusal_correctness'] as const),
]

const Summary = strictObject({
  ...Measures.properties,
  latency_p50_ms: Type.Number({ minimum: 0, description: 'Of retrieval' }),
  latency_p95_ms: Type.Number({ minimum: 0 }),
  total_tokens: Type.Integer({ minimum: 0, description: 'Of the answers' }),
})
const Difference = strictObject({
  mean: Type.Number(),
  low: Type.Number({ description: '95 % interval of a paired bootstrap with 10,000 resamples' }),
  high: Type.Number(),
})
/** Over the questions that have the measure under both configurations; null where there is none. */
const MaybeDifference = nullable(Difference)

export const Results = strictObject({
  baseline: Summary,
  candidate: nullable(Summary),
  difference: nullable(
    strictObject({
      ...{ ndcg: MaybeDifference, recall: MaybeDifference, mrr: MaybeDifference, context_precision: MaybeDifference },
      ...{ groundedness: MaybeDifference, citation_precision: MaybeDifference, citation_recall: MaybeDifference },
      refusal_correctness: MaybeDifference,
    }),
  ),
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
  answers: Type.Boolean(),
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
  answers: Type.Optional(
    Type.Boolean({
      description:
        'Asks the model bound to the role `chat` each question under each configuration, as calls of yours, and measures its answers. Default false',
    }),
  ),
})
export type NewEvaluation = Static<typeof NewEvaluation>
