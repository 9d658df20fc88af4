import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { answerStatuses } from '../declared/conversation-schema.ts'

const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })

export const answerCompleted = defineEvent({
  channel: 'svc_ai.answer.completed',
  type: 'AnswerCompleted',
  summary: 'A question was answered, or refused because no source supports an answer.',
  schema: strictObject({
    conversation_id: nullable(Uuid),
    message_id: nullable(Uuid),
    gateway_request_id: nullable(Uuid),
    answer_status: oneOf(...answerStatuses),
    groundedness: nullable(Share),
    citations: Count,
    withheld: Count,
    quarantined: Count,
    latency_ms: Type.Number({ minimum: 0 }),
  }),
})

export const chunkQuarantined = defineEvent({
  channel: 'svc_ai.chunk.quarantined',
  type: 'ChunkQuarantined',
  summary: 'A chunk of a knowledge source looks like planted instructions and is kept from answers.',
  schema: strictObject({
    source_id: Uuid,
    document_id: Uuid,
    chunk_id: Uuid,
    score: Share,
    patterns: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 }),
    detector_version: Type.String({ maxLength: 64 }),
  }),
})

export const sourceIndexed = defineEvent({
  channel: 'svc_ai.source.indexed',
  type: 'SourceIndexed',
  summary: 'A knowledge source was indexed and is searched.',
  schema: strictObject({
    source_id: Uuid,
    name: Type.String({ maxLength: 120 }),
    documents: Count,
    chunks: Count,
    quarantined_chunks: Count,
  }),
})

export const sourceFailed = defineEvent({
  channel: 'svc_ai.source.failed',
  type: 'SourceFailed',
  summary: 'A knowledge source could not be indexed; an earlier version of it is still searched.',
  schema: strictObject({
    source_id: Uuid,
    name: Type.String({ maxLength: 120 }),
    error: Type.String({ maxLength: 500 }),
  }),
})

export const conversationDeleted = defineEvent({
  channel: 'svc_ai.conversation.deleted',
  type: 'ConversationDeleted',
  summary: 'A conversation was deleted with its messages.',
  schema: strictObject({ conversation_id: Uuid, reason: oneOf('request', 'retention') }),
})

export const evaluationCompleted = defineEvent({
  channel: 'svc_ai.evaluation.completed',
  type: 'EvaluationCompleted',
  summary: 'An evaluation of retrieval ended.',
  schema: strictObject({
    evaluation_id: Uuid,
    name: Type.String({ maxLength: 120 }),
    ndcg: Share,
    recall: Share,
    verdict: nullable(oneOf('better', 'worse', 'no_difference')),
  }),
})
