import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { type LexicalReason, lexicalReasons } from './retrieval-words.ts'

export const conversationKinds = ['chat', 'rag'] as const
export const conversationStatuses = ['active', 'archived'] as const
export const strategies = ['sliding_window', 'full'] as const
export const answerStatuses = ['answered', 'partial', 'not_found', 'cancelled'] as const

const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const SourceIds = Type.Array(Uuid, { maxItems: 50 })
const Window = Type.Integer({ minimum: 500, maximum: 200_000 })
const RetentionDays = Type.Integer({ minimum: 1, maximum: 3650 })

export const Citation = strictObject({
  index: Type.Integer({ minimum: 1, description: 'The number in brackets in the text' }),
  source_id: Uuid,
  document_id: Uuid,
  chunk_id: Uuid,
  title: Type.String({ maxLength: 400 }),
  heading_path: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 6 }),
  page: nullable(Count),
  start: Type.Integer({ minimum: 0, description: 'Offsets in the text of the document, in UTF-16 units' }),
  end: Count,
  quote: nullable(
    Type.String({
      maxLength: 500,
      description: 'The text between the offsets; null once its source is gone or closed',
    }),
  ),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the sentence that the quote supports' }),
})
export type Citation = Static<typeof Citation>

export const Groundedness = strictObject({
  score: Share,
  sentences: Type.Array(
    strictObject({
      start: Count,
      end: Count,
      score: Share,
      citations: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 50 }),
    }),
    { maxItems: 500 },
  ),
})
export type Groundedness = Static<typeof Groundedness>

export const Trace = strictObject({
  retriever: strictObject({
    mode: oneOf('lexical', 'hybrid', 'none'),
    rm3: Type.Boolean({ description: 'The question was expanded by its best passages' }),
    fusion: nullable(oneOf('rrf')),
    lexical_reason: nullable(
      Type.Unsafe<LexicalReason>({
        ...oneOf(...lexicalReasons),
        description:
          'Why no vectors were searched: `asked` for it, no model is bound to the role `embedding`, no searched source has vectors of that model yet, or the gateway refused the call',
      }),
    ),
  }),
  candidates: Count,
  returned: Count,
  withheld: strictObject({ provider_clearance: Count }),
  quarantined: Type.Array(
    strictObject({
      chunk_id: Uuid,
      score: Share,
      patterns: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 }),
    }),
    { maxItems: 50 },
  ),
  citations_rejected: Count,
  timings_ms: strictObject({
    retrieve: Type.Number({ minimum: 0 }),
    generate: Type.Number({ minimum: 0 }),
    verify: Type.Number({ minimum: 0 }),
  }),
})
export type Trace = Static<typeof Trace>

export const Usage = strictObject({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count })
export const Security = strictObject({
  injection_score: nullable(Share),
  pii_detected: Type.Boolean(),
  policy_violations: Count,
})

/** Sealed content of a message. */
export const MessageContent = strictObject({
  content: Type.String({ maxLength: 200_000 }),
  citations: Type.Array(Citation, { maxItems: 200 }),
  groundedness: nullable(Groundedness),
  usage: nullable(Usage),
  security: nullable(Security),
  trace: nullable(Trace),
})
export type MessageContent = Static<typeof MessageContent>

export const MessageRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, conversation_id: Uuid, user_id: Uuid },
  position: Type.Integer({ minimum: 1 }),
  role: oneOf('user', 'assistant'),
  gateway_request_id: nullable(Uuid),
  answer_status: nullable(oneOf(...answerStatuses)),
  groundedness: nullable(Share),
  sealed: Type.Unsafe<Uint8Array>(Type.Any()),
})
export type MessageRow = Static<typeof MessageRow>

export const Message = strictObject({
  ...{ id: Uuid, created_at: Timestamp, role: oneOf('user', 'assistant') },
  content: Type.String(),
  gateway_request_id: nullable(Uuid),
  answer_status: nullable(oneOf(...answerStatuses)),
  citations: Type.Array(Citation),
  groundedness: nullable(Groundedness),
  usage: nullable(Usage),
  security: nullable(Security),
  trace: nullable(Trace),
})
export type Message = Static<typeof Message>

export const PinRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, conversation_id: Uuid, user_id: Uuid },
  sealed: Type.Unsafe<Uint8Array>(Type.Any()),
})
export type PinRow = Static<typeof PinRow>
const Pin = strictObject({ id: Uuid, text: Type.String({ maxLength: 500 }) })

const fields = {
  user_id: Uuid,
  kind: oneOf(...conversationKinds),
  title: Title,
  status: oneOf(...conversationStatuses),
  source_ids: SourceIds,
  strategy: oneOf(...strategies),
  window_tokens: Window,
  retention_days: RetentionDays,
  expires_at: Timestamp,
  message_count: Count,
}

export const ConversationRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
})
export type ConversationRow = Static<typeof ConversationRow>

const { strategy, window_tokens, ...shown } = fields
export const ListedConversation = resource({ ...shown, context: strictObject({ strategy, window_tokens }) })
export type ListedConversation = Static<typeof ListedConversation>
export const Conversation = resource({
  ...shown,
  context: strictObject({ strategy, window_tokens, pinned: Type.Array(Pin, { maxItems: 50 }) }),
})
export type Conversation = Static<typeof Conversation>

export const ConversationWithMessages = resource({
  ...shown,
  context: strictObject({ strategy, window_tokens, pinned: Type.Array(Pin, { maxItems: 50 }) }),
  messages: Type.Optional(Type.Array(Message)),
  next_message_cursor: Type.Optional(
    nullable(Type.Integer({ description: 'For `message_cursor`; null behind the newest message' })),
  ),
})
export type ConversationWithMessages = Static<typeof ConversationWithMessages>

export const ConversationFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(oneOf(...conversationStatuses)),
  kind: Type.Optional(oneOf(...conversationKinds)),
  source_id: Type.Optional(Uuid),
  created_after: Type.Optional(Timestamp),
  user_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'Of somebody else: `svc-ai:admin` only' }),
  ),
})
export type ConversationFilter = Static<typeof ConversationFilter>

export const PatchConversation = strictObject({
  title: Type.Optional(Title),
  status: Type.Optional(oneOf(...conversationStatuses)),
  source_ids: Type.Optional(SourceIds),
  retention_days: Type.Optional(RetentionDays),
  context: Type.Optional(
    strictObject({
      strategy: Type.Optional(oneOf(...strategies)),
      window_tokens: Type.Optional(Window),
      pin: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }), { maxItems: 50 })),
      unpin: Type.Optional(Type.Array(Uuid, { maxItems: 50 })),
    }),
  ),
})
export type PatchConversation = Static<typeof PatchConversation>
