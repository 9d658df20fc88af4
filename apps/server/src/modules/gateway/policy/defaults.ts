import type { PolicyDocument, PolicyDocumentInput } from './document.ts'

/** What a policy means where it says nothing. */
export const defaultDocument: PolicyDocument = {
  schema_version: 1,
  mode: 'enforce',
  models: {
    allow: ['*'],
    deny: [],
    default: null,
    max_output_tokens: 4096,
    max_temperature: 2,
    allow_streaming: true,
    max_choices: 4,
  },
  providers: { allow: ['*'], deny: [] },
  normalization: {
    strip_invisible: true,
    max_inspect_bytes: 1_048_576,
    on_oversize: 'block',
    uninspected_parts: 'flag',
  },
  injection: {
    enabled: true,
    flag_at: 0.5,
    block_at: 0.9,
    action_user: 'block',
    action_tool_result: 'redact',
    action_system: 'flag',
  },
  sensitive_data: {
    enabled: true,
    default_action: 'redact',
    min_confidence: 0.6,
    restore: true,
    roles: ['system', 'user', 'assistant', 'tool'],
    entities: {
      // These stand in most honest prompts and answers; taking them out would break more than it protects.
      PERSON: { action: 'flag', min_confidence: 0.8 },
      ADDRESS: { action: 'flag' },
      IP_ADDRESS: { action: 'flag' },
      MAC_ADDRESS: { action: 'flag' },
      COORDINATES: { action: 'flag' },
    },
  },
  content: {
    denied_terms: [],
    denied_patterns: [],
    tools: { allow: ['*'], deny: [], max_tools: 128 },
    required_metadata: [],
  },
  output: { enabled: true, sensitive_data: 'redact', secrets: 'block' },
  streaming: { on_block: 'error' },
  limits: [],
  cache: { mode: 'exact', scope: 'key', ttl_seconds: 3600, max_temperature: 1 },
  upstream: { max_attempts: 3, total_timeout_ms: 300_000 },
  retention: { level: 'redacted' },
  failure: {
    rate_and_budget: 'closed',
    normalization: 'closed',
    injection_detection: 'closed',
    sensitive_data: 'closed',
    content_policy: 'closed',
    output_inspection: 'closed',
  },
  reporting: { server_timing: false, expose_score: true, block_message: null },
}

/** Writes out every default of a document. */
export function complete(input: PolicyDocumentInput): PolicyDocument {
  const base = defaultDocument
  return {
    schema_version: 1,
    mode: input.mode ?? base.mode,
    models: { ...base.models, ...input.models },
    providers: { ...base.providers, ...input.providers },
    normalization: { ...base.normalization, ...input.normalization },
    injection: { ...base.injection, ...input.injection },
    sensitive_data: {
      ...base.sensitive_data,
      ...input.sensitive_data,
      entities: { ...base.sensitive_data.entities, ...input.sensitive_data?.entities },
    },
    content: { ...base.content, ...input.content, tools: { ...base.content.tools, ...input.content?.tools } },
    output: { ...base.output, ...input.output },
    streaming: { ...base.streaming, ...input.streaming },
    limits: input.limits ?? base.limits,
    cache: { ...base.cache, ...input.cache },
    upstream: { ...base.upstream, ...input.upstream },
    retention: { ...base.retention, ...input.retention },
    failure: { ...base.failure, ...input.failure },
    reporting: { ...base.reporting, ...input.reporting },
  }
}
