import { dialects, operations } from '../words/operations.ts'
import type { Side } from '../words/policy-words.ts'
import type { PolicyDocument, PolicyDocumentInput } from './document.ts'
import type { Topic } from './sections/content.ts'

/** Defaults of all policy settings. */
export const defaultDocument: PolicyDocument = {
  schema_version: 1,
  mode: 'enforce',
  applies_to: { operations: [...operations], dialects: [...dialects] },
  models: {
    allow: ['*'],
    deny: [],
    default: null,
    max_output_tokens: null,
    max_input_tokens: null,
    max_temperature: 2,
    allow_streaming: true,
    max_choices: 16,
  },
  providers: { allow: ['*'], deny: [], require_zero_retention: false, residency: [], max_classification: null },
  normalization: {
    strip_invisible: true,
    max_inspect_bytes: 1_048_576,
    on_oversize: 'block',
    uninspected_parts: 'flag',
    decode_depth: 3,
  },
  injection: {
    enabled: true,
    flag_at: 0.5,
    block_at: 0.9,
    action_user: 'block',
    action_tool_result: 'redact',
    action_system: 'flag',
    families: {},
    classifier: { enabled: false, model: 'local-injection', timeout_ms: 50 },
    allow_patterns: [],
    extra_rules: [],
  },
  sensitive_data: {
    enabled: true,
    default_action: 'redact',
    min_confidence: 0.6,
    style: 'placeholder',
    brackets: '⟦⟧',
    restore: true,
    retain_in_vault: false,
    vault_ttl_hours: 24,
    roles: ['system', 'user', 'assistant', 'tool'],
    entities: {
      // These stand in most honest prompts and answers; taking them out would break more than it protects.
      PERSON: { action: 'flag', min_confidence: 0.8 },
      ADDRESS: { action: 'flag' },
      IP_ADDRESS: { action: 'flag' },
      MAC_ADDRESS: { action: 'flag' },
      COORDINATES: { action: 'flag' },
    },
    custom: [],
    allow_list: [],
  },
  content: {
    denied_terms: [],
    denied_patterns: [],
    topics: [],
    tools: { allow: ['*'], deny: [], max_tools: 128, max_calls_per_answer: 128, arguments_schema_check: true },
    attachments: {
      allow_mime: ['image/*', 'audio/*', 'application/pdf', 'text/*'],
      max_bytes: 20_971_520,
      remote_urls: 'deny',
    },
    required_metadata: [],
    system_prompt: { lock: false, prepend: null, append: null },
  },
  output: {
    enabled: true,
    sensitive_data: 'redact',
    secrets: 'block',
    system_prompt_leak: 'block',
    canary: true,
    markdown_exfiltration: 'redact',
    link_allow_domains: [],
    unsafe_code: 'allow',
    tool_call_arguments: 'inspect',
    json_schema: 'check',
    on_invalid_json: 'flag',
    refusal: 'allow',
  },
  streaming: { mode: 'window', window_chars: 160, on_block: 'error' },
  rules: [],
  limits: [],
  budget: { require: false, on_unpriced: 'block' },
  cache: { mode: 'off', scope: 'key', ttl_seconds: 3600, semantic_threshold: 0.95, max_temperature: 1 },
  upstream: { max_attempts: 3, total_timeout_ms: 300_000, on_unsupported: 'error', on_client_disconnect: 'cancel' },
  retention: { level: 'redacted', payload_ttl_days: 30 },
  failure: {
    rate_and_budget: 'closed',
    normalization: 'closed',
    injection_detection: 'closed',
    sensitive_data: 'closed',
    content_policy: 'closed',
    output_inspection: 'closed',
  },
  audit: { on_unavailable: 'closed', intent_record: true },
  reporting: { server_timing: false, expose_score: true, block_message: null },
}

/** Writes out every default of a document. */
export function complete(input: PolicyDocumentInput): PolicyDocument {
  const base = defaultDocument
  return {
    schema_version: 1,
    mode: input.mode ?? base.mode,
    applies_to: { ...base.applies_to, ...input.applies_to },
    models: { ...base.models, ...input.models },
    providers: { ...base.providers, ...input.providers },
    normalization: { ...base.normalization, ...input.normalization },
    injection: {
      ...base.injection,
      ...input.injection,
      classifier: { ...base.injection.classifier, ...input.injection?.classifier },
    },
    sensitive_data: {
      ...base.sensitive_data,
      ...input.sensitive_data,
      entities: { ...base.sensitive_data.entities, ...input.sensitive_data?.entities },
    },
    content: completeContent(input.content ?? {}),
    output: { ...base.output, ...input.output },
    streaming: { ...base.streaming, ...input.streaming },
    rules: (input.rules ?? []).map(withSide),
    limits: input.limits ?? base.limits,
    budget: { ...base.budget, ...input.budget },
    cache: { ...base.cache, ...input.cache },
    upstream: { ...base.upstream, ...input.upstream },
    retention: { ...base.retention, ...input.retention },
    failure: { ...base.failure, ...input.failure },
    audit: { ...base.audit, ...input.audit },
    reporting: { ...base.reporting, ...input.reporting },
  }
}

type ContentInput = Exclude<PolicyDocumentInput['content'], undefined>

function completeContent(input: ContentInput): PolicyDocument['content'] {
  const base = defaultDocument.content
  return {
    denied_terms: (input.denied_terms ?? []).map(withSide),
    denied_patterns: (input.denied_patterns ?? []).map(withSide),
    topics: (input.topics ?? []).map(completeTopic),
    tools: { ...base.tools, ...input.tools },
    attachments: { ...base.attachments, ...input.attachments },
    required_metadata: input.required_metadata ?? base.required_metadata,
    system_prompt: { ...base.system_prompt, ...input.system_prompt },
  }
}

interface Sided {
  readonly on?: Side[]
}

function completeTopic(topic: Topic): PolicyDocument['content']['topics'][number] {
  const { id, description = '', examples = [], threshold = 0.8, action = 'flag', on = ['input'] } = topic
  return { id, description, examples, threshold, action, on }
}

/** A rule without a side applies to the input. */
function withSide<T extends Sided>(rule: T): T & { readonly on: Side[] } {
  return { ...rule, on: rule.on ?? ['input'] }
}
