/** Logged calls as rows of a table: the columns, their types and their values. Tested in formats.test.ts. */
import type { Cell } from '../../../../kernel/http/body/csv.ts'
import type { ExportedCall } from './exported-call.ts'

/** A time is text in ISO 8601, and stays text if a format has no time type. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'boolean' | 'time'
export type Column = readonly [name: string, kind: ColumnKind, cell: (call: ExportedCall) => Cell]

const columns: readonly Column[] = [
  ['id', 'text', ({ call }) => call.id],
  ['request_id', 'text', ({ call }) => call.request_id],
  ['trace_id', 'text', ({ call }) => call.trace_id],
  ['created_at', 'time', ({ call }) => call.created_at],
  ['finished_at', 'time', ({ call }) => call.updated_at],
  ['user_id', 'text', ({ call }) => call.user_id],
  ['key_id', 'text', ({ call }) => call.key_id],
  ['agent_id', 'text', ({ call }) => call.agent_id],
  ['session_id', 'text', ({ call }) => call.session_id],
  ['dialect', 'text', ({ call }) => call.dialect],
  ['operation', 'text', ({ call }) => call.operation],
  ['route', 'text', ({ call }) => call.route],
  ['requested_provider', 'text', ({ call }) => call.requested_provider],
  ['requested_model', 'text', ({ call }) => call.requested_model],
  ['provider', 'text', ({ call }) => call.provider],
  ['model', 'text', ({ call }) => call.model],
  ['answered_model', 'text', ({ call }) => call.answered_model],
  ['status', 'text', ({ call }) => call.status],
  ['decision', 'text', ({ call }) => call.decision],
  ['error_code', 'text', ({ call }) => call.error_code],
  ['blocked_step', 'text', ({ call }) => call.blocked_step],
  ['policy_mode', 'text', ({ call }) => call.policy_mode],
  ['policies', 'text', ({ call }) => call.policies.map(({ id, version }) => `${id}@${version}`).join(' ')],
  ['injection_score', 'number', ({ call }) => call.security.injection_score],
  ['pii_detected', 'boolean', ({ call }) => call.security.pii_detected],
  ['patterns', 'text', ({ call }) => call.patterns.join(' ')],
  ['entities', 'text', ({ call }) => countsOf(call.entities)],
  ['input_tokens', 'integer', ({ call }) => call.usage?.prompt_tokens ?? null],
  ['cached_tokens', 'integer', ({ call }) => call.usage?.cached_tokens ?? null],
  ['output_tokens', 'integer', ({ call }) => call.usage?.completion_tokens ?? null],
  ['total_tokens', 'integer', ({ call }) => call.usage?.total_tokens ?? null],
  ['usage_source', 'text', ({ call }) => call.usage?.usage_source ?? null],
  // Decimals are text, so that no program rounds them; they begin with a digit.
  ['cost', 'text', ({ call }) => call.cost.amount],
  ['currency', 'text', ({ call }) => call.cost.currency],
  ['cost_status', 'text', ({ call }) => call.cost.status],
  ['pipeline_ms', 'number', ({ call }) => call.timings.pipeline_ms],
  ['upstream_ms', 'number', ({ call }) => call.timings.upstream_ms],
  ['ttft_ms', 'number', ({ call }) => call.timings.ttft_ms],
  ['total_ms', 'number', ({ call }) => call.timings.total_ms],
  ['attempts', 'integer', ({ call }) => call.attempts.length],
  ['cache', 'text', ({ call }) => call.cache],
  ['fail_open', 'text', ({ call }) => call.fail_open.join(' ')],
  ['stream', 'boolean', ({ call }) => call.stream],
  ['offline', 'boolean', ({ call }) => call.offline],
  ['retention', 'text', ({ call }) => call.retention],
  ['recovered', 'boolean', ({ call }) => call.recovered],
  ['tags', 'text', ({ call }) => call.tags.join(' ')],
  ['parent_request_id', 'text', ({ call }) => call.parent_request_id],
  ['prompt_sha256', 'text', ({ call }) => call.prompt_sha256],
  ['audit_id', 'text', ({ call }) => call.audit_id],
]

const payloadColumn: Column = ['payload', 'text', ({ payload }) => (payload === null ? null : JSON.stringify(payload))]

export const columnsFor = (withPayload: boolean): typeof columns =>
  withPayload ? [...columns, payloadColumn] : columns

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ')
}
