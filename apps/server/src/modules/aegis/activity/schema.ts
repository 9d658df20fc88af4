import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { eventTypes, outcomes } from './record/words.ts'

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Link = Type.String({ minLength: 1, maxLength: 128 })
const Amount = Type.Number({ minimum: 0, maximum: 1e12 })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Events of one request. */
export const mostEvents = 5_000
export const mostBytes = 8 * 1_048_576

export const ActivityEvent = strictObject({
  event_id: Link,
  time: Timestamp,
  type: oneOf(...eventTypes),
  conversation_id: Type.Optional(Link),
  trace_id: Type.Optional(Link),
  span_id: Type.Optional(Link),
  parent_id: Type.Optional(Link),
  model: Type.Optional(Name),
  provider: Type.Optional(Name),
  tool: Type.Optional(Name),
  server: Type.Optional(Name),
  destination: Type.Optional(Name),
  tokens_in: Type.Optional(Count),
  tokens_out: Type.Optional(Count),
  cost: Type.Optional(Amount),
  duration_ms: Type.Optional(Amount),
  bytes_out: Type.Optional(Count),
  outcome: Type.Optional(oneOf(...outcomes)),
  error_type: Type.Optional(Name),
  labels: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true })),
  attributes: Type.Optional(
    Type.Record(
      Type.String({ maxLength: 128 }),
      Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()]),
      { maxProperties: 32 },
    ),
  ),
})
export type ActivityEvent = Static<typeof ActivityEvent>

/** For the documents: each event is checked by itself. */
export const ActivityBody = Type.Union([
  strictObject({ events: Type.Array(ActivityEvent, { minItems: 1, maxItems: mostEvents }) }),
  Type.Object(
    { resourceSpans: Type.Array(Type.Object({}, { additionalProperties: true })) },
    { description: 'ExportTraceServiceRequest of OTLP', additionalProperties: true },
  ),
])

/** Listed at most. */
export const mostRejected = 100

export const ActivityAnswer = strictObject({
  accepted: Type.Integer({ minimum: 0 }),
  duplicates: Type.Integer({ minimum: 0, description: 'Events with an event_id that is stored already' }),
  ignored: Type.Integer({ minimum: 0, description: 'Spans that say nothing about the agent’s work' }),
  rejected: Type.Array(
    strictObject({
      index: Type.Integer({ minimum: 0 }),
      event_id: nullable(Type.String({ maxLength: 128 })),
      reason: Type.String({ maxLength: 300 }),
    }),
    { maxItems: mostRejected, description: 'The first 100' },
  ),
  rejected_total: Type.Integer({ minimum: 0 }),
  partialSuccess: Type.Optional(
    strictObject({ rejectedSpans: Type.Integer({ minimum: 0 }), errorMessage: Type.String({ maxLength: 300 }) }),
  ),
})
export type ActivityAnswer = Static<typeof ActivityAnswer>
