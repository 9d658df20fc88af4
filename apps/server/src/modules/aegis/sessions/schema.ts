import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { eventTypes, outcomes, sources } from '../activity/record/words.ts'

const Count = Type.Integer({ minimum: 0 })
const Link = nullable(Type.String({ maxLength: 128 }))
const Name = nullable(Type.String({ maxLength: 256 }))

export const sessionStatuses = ['open', 'closed', 'killed'] as const
export const labelScopes = ['conversation', 'agent_window'] as const

const facts = {
  agent_id: Uuid,
  source: oneOf(...sources),
  conversation_id: Link,
  trace_id: Link,
  user_id: nullable(Uuid),
  labels: Type.Array(Type.String({ maxLength: 64 })),
  label_scope: oneOf(...labelScopes),
  status: oneOf(...sessionStatuses),
  started_at: Timestamp,
  last_event_at: Timestamp,
  ended_at: nullable(Timestamp),
}

const counts = {
  calls: Count,
  denied: Count,
  errors: Count,
  tokens_in: Count,
  tokens_out: Count,
  cost: Type.Number({ minimum: 0 }),
}

export const SessionRow = strictObject({
  ...resource(facts).properties,
  ...counts,
  key: Type.String({ maxLength: 140 }),
  next_seq: Count,
})
export type SessionRow = Static<typeof SessionRow>

export const AgentSession = resource({ ...facts, counts: strictObject(counts) })
export type AgentSession = Static<typeof AgentSession>

export const SessionItem = strictObject({
  seq: Count,
  event_id: Type.String({ maxLength: 128 }),
  time: Timestamp,
  type: oneOf(...eventTypes),
  source: oneOf(...sources),
  span_id: Link,
  parent_id: Link,
  ...{ server: Name, tool: Name, provider: Name, model: Name, destination: Name },
  outcome: oneOf(...outcomes),
  error_type: Name,
  tokens_in: nullable(Count),
  tokens_out: nullable(Count),
  cost: nullable(Type.Number({ minimum: 0 })),
  bytes_out: nullable(Count),
  latency_ms: nullable(Type.Number({ minimum: 0 })),
  labels: Type.Array(Type.String({ maxLength: 64 })),
  gateway_log_id: nullable(
    Type.String({
      format: 'uuid',
      maxLength: 36,
      description: 'Log entry of the gateway, where the call went through it',
    }),
  ),
})
export type SessionItem = Static<typeof SessionItem>

export const nodeKinds = ['agent', 'model', 'tool', 'destination', 'other'] as const

export const FlowGraph = strictObject({
  nodes: Type.Array(
    strictObject({
      id: Type.String({ maxLength: 560 }),
      kind: oneOf(...nodeKinds),
      name: Type.String({ maxLength: 520 }),
      calls: Count,
      failed: Count,
    }),
  ),
  edges: Type.Array(
    strictObject({
      from: Type.String({ maxLength: 560 }),
      to: Type.String({ maxLength: 560 }),
      kind: oneOf('calls', 'then'),
      count: Count,
    }),
  ),
})
export type FlowGraph = Static<typeof FlowGraph>

export const SessionDetail = strictObject({
  ...AgentSession.properties,
  items: Type.Array(SessionItem),
  more: Type.Boolean({ description: 'Whether items follow; ask again with `after_seq`' }),
  graph: FlowGraph,
})
export type SessionDetail = Static<typeof SessionDetail>

export const SessionFilter = strictObject({
  agent_id: Type.Optional(Uuid),
  source: Type.Optional(oneOf(...sources)),
  status: Type.Optional(oneOf(...sessionStatuses)),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  decision: Type.Optional(oneOf('denied')),
  server: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Beginning of a conversation or trace id' }),
  ),
})
export type SessionFilter = Static<typeof SessionFilter>
