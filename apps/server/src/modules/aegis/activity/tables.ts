import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { eventTypes, outcomes, sources } from './record/words.ts'

const text = nullable(Type.String())
const number = nullable(Type.Number())

export const ActivityRow = strictObject({
  tenant_id: Uuid,
  agent_id: Uuid,
  event_id: Type.String(),
  session_id: Uuid,
  seq: Type.Integer(),
  source: oneOf(...sources),
  time: Timestamp,
  type: oneOf(...eventTypes),
  ...{ conversation_id: text, trace_id: text, span_id: text, parent_id: text },
  ...{ model: text, provider: text, tool: text, server: text, destination: text },
  ...{ tokens_in: number, tokens_out: number, cost: number, duration_ms: number, bytes_out: number },
  outcome: oneOf(...outcomes),
  error_type: text,
  labels: Type.Array(Type.String()),
  attributes: Type.Object({}),
  call_id: text,
  gateway_log_id: nullable(Uuid),
})
export type ActivityRow = Static<typeof ActivityRow>

export const activity = table({
  name: 'aegis_activity',
  noun: 'event of an agent',
  row: ActivityRow,
  key: ['agent_id', 'event_id'],
  data: { category: 'agent_activity', subject: [], retention: 'P30D', erasure: 'none' },
})
