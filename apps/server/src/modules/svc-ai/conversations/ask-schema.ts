import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { Filters } from '../answers/filters.ts'
import { classes } from '../chunking/scan-words.ts'
import {
  answerStatuses,
  Citation,
  Groundedness,
  Message,
  Security,
  Trace,
  Usage,
} from '../declared/conversation-schema.ts'
import { Label, PromptName, Values } from '../declared/prompt-schema.ts'
import { type RetrievalMode, retrievalModes } from '../declared/retrieval-words.ts'
import { feedbackModes } from '../retrieval/search.ts'

const SourceIds = Type.Array(Uuid, { maxItems: 50, description: 'Default: every source that you may read' })
const TopK = Type.Integer({ minimum: 1, maximum: 50, description: 'Passages at most; default 8' })
const Rm3 = Type.Unsafe<(typeof feedbackModes)[number]>({
  ...oneOf(...feedbackModes),
  description: 'Expansion of the question by its best passages; `auto` (default) for four terms and more',
})
const Mode = Type.Unsafe<RetrievalMode>({
  ...oneOf(...retrievalModes),
  description:
    '`hybrid` fuses the ranking by words with that by vectors of the model bound to the role `embedding`, and is refused where it cannot; `lexical` asks no model; `auto` (default) is hybrid where it can be, and the trace says why where it was not',
})
const Least = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Least groundedness of an answer that is given; default the setting `svc_ai.min_groundedness`',
})

export const ChatBody = strictObject({
  message: Type.String({ minLength: 1, maxLength: 32_000, pattern: '\\S' }),
  conversation_id: Type.Optional(Uuid),
  source_ids: Type.Optional(SourceIds),
  retrieval: Type.Optional(
    strictObject({
      enabled: Type.Optional(Type.Boolean({ description: 'False asks the model alone, without citations' })),
      mode: Type.Optional(Mode),
      top_k: Type.Optional(TopK),
      rm3: Type.Optional(Rm3),
    }),
  ),
  prompt: Type.Optional(
    strictObject({
      name: PromptName,
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      label: Type.Optional(Label),
      variables: Type.Optional(Values),
    }),
  ),
  min_groundedness: Type.Optional(Least),
  stream: Type.Optional(Type.Boolean()),
})
export type ChatBody = Static<typeof ChatBody>

export const ChatAnswer = strictObject({ conversation_id: Uuid, message: Message })
export type ChatAnswer = Static<typeof ChatAnswer>

export const RagBody = strictObject({
  query: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
  mode: Type.Optional(oneOf('answer', 'retrieve_only')),
  source_ids: Type.Optional(SourceIds),
  filters: Type.Optional(Filters),
  retrieval_mode: Type.Optional(Mode),
  top_k: Type.Optional(TopK),
  rm3: Type.Optional(Rm3),
  min_groundedness: Type.Optional(Least),
  store: Type.Optional(Type.Boolean({ description: 'Keeps question and answer as a conversation; default true' })),
  stream: Type.Optional(Type.Boolean()),
})
export type RagBody = Static<typeof RagBody>

export const PassageView = strictObject({
  ...{ chunk_id: Uuid, source_id: Uuid, document_id: Uuid },
  title: Type.String({ maxLength: 400 }),
  heading_path: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 6 }),
  page: nullable(Type.Integer({ minimum: 0 })),
  start: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  text: Type.String(),
  score: Type.Number({ minimum: 0, description: 'BM25, or the sum of reciprocal ranks of hybrid retrieval' }),
  ranks: strictObject({
    lexical: nullable(Type.Integer({ minimum: 1, description: 'Place by words' })),
    dense: nullable(Type.Integer({ minimum: 1, description: 'Place by vectors' })),
  }),
  classification: oneOf(...classes),
})
export type PassageView = Static<typeof PassageView>

export const RagAnswer = strictObject({
  conversation_id: nullable(Uuid),
  passages: Type.Array(PassageView, { maxItems: 50 }),
  answer: nullable(Type.String()),
  answer_status: nullable(oneOf(...answerStatuses)),
  gateway_request_id: nullable(Uuid),
  citations: Type.Array(Citation),
  groundedness: nullable(Groundedness),
  usage: nullable(Usage),
  security: nullable(Security),
  trace: Trace,
})
export type RagAnswer = Static<typeof RagAnswer>
