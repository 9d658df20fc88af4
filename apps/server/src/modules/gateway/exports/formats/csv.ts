/**
 * Logged calls as CSV: which columns there are and what stands in them. How a cell is written is the kernel's, so that
 * none is a formula to a spreadsheet, whatever callers named their models and tags. Tested in formats.test.ts.
 */
import { type Cell, csvLine } from '../../../../kernel/http/csv.ts'
import type { ExportedCall } from './format.ts'

const columns: readonly (readonly [name: string, cell: (call: ExportedCall) => Cell])[] = [
  ['id', ({ call }) => call.id],
  ['request_id', ({ call }) => call.request_id],
  ['trace_id', ({ call }) => call.trace_id],
  ['created_at', ({ call }) => call.created_at],
  ['finished_at', ({ call }) => call.updated_at],
  ['user_id', ({ call }) => call.user_id],
  ['key_id', ({ call }) => call.key_id],
  ['agent_id', ({ call }) => call.agent_id],
  ['dialect', ({ call }) => call.dialect],
  ['operation', ({ call }) => call.operation],
  ['route', ({ call }) => call.route],
  ['requested_model', ({ call }) => call.requested_model],
  ['provider', ({ call }) => call.provider],
  ['model', ({ call }) => call.model],
  ['status', ({ call }) => call.status],
  ['decision', ({ call }) => call.decision],
  ['error_code', ({ call }) => call.error_code],
  ['blocked_step', ({ call }) => call.blocked_step],
  ['policy_mode', ({ call }) => call.policy_mode],
  ['policies', ({ call }) => call.policies.map(({ id, version }) => `${id}@${version}`).join(' ')],
  ['injection_score', ({ call }) => call.security.injection_score],
  ['pii_detected', ({ call }) => call.security.pii_detected],
  ['patterns', ({ call }) => call.patterns.join(' ')],
  ['entities', ({ call }) => countsOf(call.entities)],
  ['input_tokens', ({ call }) => call.usage?.prompt_tokens ?? null],
  ['cached_tokens', ({ call }) => call.usage?.cached_tokens ?? null],
  ['output_tokens', ({ call }) => call.usage?.completion_tokens ?? null],
  ['total_tokens', ({ call }) => call.usage?.total_tokens ?? null],
  ['usage_source', ({ call }) => call.usage?.usage_source ?? null],
  // Decimals are text, so that no program rounds them; they begin with a digit.
  ['cost', ({ call }) => call.cost.amount],
  ['currency', ({ call }) => call.cost.currency],
  ['cost_status', ({ call }) => call.cost.status],
  ['pipeline_ms', ({ call }) => call.timings.pipeline_ms],
  ['upstream_ms', ({ call }) => call.timings.upstream_ms],
  ['ttft_ms', ({ call }) => call.timings.ttft_ms],
  ['total_ms', ({ call }) => call.timings.total_ms],
  ['attempts', ({ call }) => call.attempts.length],
  ['cache', ({ call }) => call.cache],
  ['fail_open', ({ call }) => call.fail_open.join(' ')],
  ['stream', ({ call }) => call.stream],
  ['offline', ({ call }) => call.offline],
  ['retention', ({ call }) => call.retention],
  ['recovered', ({ call }) => call.recovered],
  ['tags', ({ call }) => call.tags.join(' ')],
  ['parent_request_id', ({ call }) => call.parent_request_id],
  ['prompt_sha256', ({ call }) => call.prompt_sha256],
  ['audit_id', ({ call }) => call.audit_id],
]

const payloadColumn: (typeof columns)[number] = [
  'payload',
  ({ payload }) => (payload === null ? null : JSON.stringify(payload)),
]

const columnsFor = (withPayload: boolean): typeof columns => (withPayload ? [...columns, payloadColumn] : columns)

export function callHeader(withPayload: boolean): string {
  return csvLine(columnsFor(withPayload).map(([name]) => name))
}

export function callLine(call: ExportedCall, withPayload: boolean): string {
  return csvLine(columnsFor(withPayload).map(([, cell]) => cell(call)))
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ')
}
