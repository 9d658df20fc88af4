import Type from 'typebox'
import { defineEvent } from '../../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../../kernel/schema/types.ts'
import { outcomes } from '../../activity/record/words.ts'
import { callDecisions } from './call-schema.ts'
import { severities, toolChanges } from './words.ts'

const Count = Type.Integer({ minimum: 0 })
const Hash = nullable(Type.String({ maxLength: 64 }))
const Name = Type.String({ maxLength: 256 })
const Labels = Type.Array(Type.String({ maxLength: 128 }), { maxItems: 64 })

export const serverScanned = defineEvent({
  channel: 'aegis.mcp_server.scanned',
  type: 'McpServerScanned',
  summary: 'The definitions of an MCP server were listed and scanned.',
  schema: strictObject({
    server_id: Uuid,
    server: Type.String({ maxLength: 40 }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    findings_by_severity: strictObject({ critical: Count, high: Count, medium: Count, low: Count }),
    highest_severity: nullable(oneOf(...severities)),
    changed: Count,
    renamed: Count,
    shadowed: Count,
  }),
  retentionDays: 90,
})

export const toolChanged = defineEvent({
  channel: 'aegis.mcp_tool.changed',
  type: 'McpToolChanged',
  summary: 'A tool of an MCP server is new, different, under another name or gone; it is refused until it is approved.',
  schema: strictObject({
    server_id: Uuid,
    server: Type.String({ maxLength: 40 }),
    tool_id: Uuid,
    tool: Name,
    change: oneOf(...toolChanges),
    old_pin: Hash,
    new_pin: Hash,
    poison_score: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  retentionDays: 365,
})

export const callCompleted = defineEvent({
  channel: 'aegis.mcp_call.completed',
  type: 'McpCallCompleted',
  summary: 'A message of an agent to an MCP server ended; facts about it, without its content.',
  schema: strictObject({
    call_id: Uuid,
    agent_id: Uuid,
    server_id: Uuid,
    server: Type.String({ maxLength: 40 }),
    method: Type.String({ maxLength: 128 }),
    tool: nullable(Name),
    conversation: Type.String({ maxLength: 160 }),
    trace_id: nullable(Type.String({ maxLength: 32 })),
    decision: oneOf(...callDecisions),
    outcome: oneOf(...outcomes),
    error_code: nullable(Type.String({ maxLength: 16 })),
    labels_before: Labels,
    labels_after: Labels,
    detections: Labels,
    bytes_out: Count,
    duration_ms: Type.Number({ minimum: 0 }),
  }),
  retentionDays: 7,
})
