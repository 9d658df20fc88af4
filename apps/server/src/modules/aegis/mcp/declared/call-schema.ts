/** The record of a message: the attempt and its outcome. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { outcomes } from '../../activity/record/words.ts'

const Text = nullable(Type.String())
const Labels = Type.Array(Type.String())

export const callDecisions = ['allowed', 'denied', 'held', 'redacted'] as const

export const CallRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  created_at: Timestamp,
  agent_id: Uuid,
  server_id: Uuid,
  server: Type.String(),
  method: Type.String(),
  tool: Text,
  conversation: Type.String(),
  trace_id: Text,
  protocol_version: Text,
  client_info: Text,
  decision: oneOf(...callDecisions),
  outcome: oneOf(...outcomes),
  error_code: Text,
  pin_sha256: Text,
  args_sha256: Text,
  result_sha256: Text,
  labels_before: Labels,
  labels_after: Labels,
  /** Detectors and families that the result showed. */
  detections: Labels,
  guardrail_hits: Type.Array(Type.Object({}, { additionalProperties: true })),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  latency_ms: Type.Object({}, { additionalProperties: true }),
  request_id: Type.String(),
})
export type CallRow = Static<typeof CallRow>

/** Labels in force in a conversation of an agent. */
export const TaintRow = strictObject({
  tenant_id: Uuid,
  agent_id: Uuid,
  key: Type.String(),
  labels: Labels,
  updated_at: Timestamp,
})
