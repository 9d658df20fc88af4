/** Documents of any kind: every member of a policy has at least two values among them. */
import fc from 'fast-check'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocument } from '../policy/document.ts'

const action = fc.constantFrom('allow', 'flag', 'redact', 'block')
const globs = fc.subarray(['*', 'gpt-*', 'echo-*', '*-mini', 'claude'])
const level = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
const closed = fc.constantFrom('closed', 'open')

const side = fc.subarray(['input' as const, 'output' as const], { minLength: 1 })
const verdict = fc.constantFrom('allow', 'flag', 'block')
const onOff = fc.constantFrom('off', 'check')
const hashes = fc.subarray(['a'.repeat(64), 'b'.repeat(64)])
const hosts = fc.subarray(['example.com', '*.example.com', 'docs.example.com', 'other.org'])
const text = fc.constantFrom(null, 'a', 'b')
const entity = fc.record(
  {
    action,
    min_confidence: level,
    restore: fc.boolean(),
    style: fc.constantFrom('placeholder', 'synthetic', 'mask', 'hash', 'drop'),
  },
  { requiredKeys: [] },
)

export const documents: fc.Arbitrary<PolicyDocument> = fc
  .record({
    mode: fc.constantFrom('enforce', 'monitor', 'off'),
    models: fc.record({
      allow: globs,
      deny: globs,
      default: fc.constantFrom(null, 'a', 'b'),
      max_output_tokens: fc.constantFrom(null, 10, 20),
      max_input_tokens: fc.constantFrom(null, 100, 200),
      max_temperature: fc.constantFrom(0, 1, 2),
      allow_streaming: fc.boolean(),
      max_choices: fc.constantFrom(1, 4),
    }),
    providers: fc.record({
      allow: globs,
      deny: globs,
      require_zero_retention: fc.boolean(),
      residency: fc.subarray(['EU', 'DE', 'US']),
      max_classification: fc.constantFrom(null, 'public', 'confidential', 'restricted'),
    }),
    normalization: fc.record({
      strip_invisible: fc.boolean(),
      max_inspect_bytes: fc.constantFrom(1024, 4096),
      on_oversize: fc.constantFrom('flag', 'block'),
      uninspected_parts: verdict,
      decode_depth: fc.nat(3),
    }),
    injection: fc.record({
      enabled: fc.boolean(),
      flag_at: level,
      block_at: level,
      action_user: verdict,
      action_tool_result: action,
      action_system: verdict,
      families: fc.record({ 'many-shot': fc.record({ enabled: fc.boolean() }) }, { requiredKeys: [] }),
      classifier: fc.record({
        enabled: fc.boolean(),
        model: fc.constantFrom('a', 'b'),
        timeout_ms: fc.constantFrom(10, 20),
      }),
      allow_patterns: fc.subarray(['x+', 'y+', 'z+']),
      extra_rules: fc.subarray([
        { id: 'a', family: 'role-override' as const, pattern: 'x', weight: 0.5 },
        { id: 'b', family: 'tool-abuse' as const, pattern: 'y', weight: 0.9 },
      ]),
    }),
    sensitive_data: fc.record({
      enabled: fc.boolean(),
      default_action: action,
      min_confidence: level,
      restore: fc.boolean(),
      retain_in_vault: fc.boolean(),
      vault_ttl_hours: fc.constantFrom(1, 24),
      roles: fc.subarray(['system', 'user', 'assistant', 'tool']),
      style: fc.constantFrom('placeholder', 'mask'),
      brackets: fc.constantFrom('⟦⟧', '[]', '<>'),
      entities: fc.record({ EMAIL: entity, BADGE: entity }, { requiredKeys: [] }),
      custom: fc.subarray([{ name: 'BADGE', pattern: 'B-\\d+', context: ['badge'] }]),
      allow_list: fc.array(
        fc.record({ entity: fc.constantFrom('EMAIL', 'PHONE'), values_sha256: hashes, domains: hosts }),
        {
          maxLength: 2,
        },
      ),
    }),
    content: fc.record({
      denied_terms: fc
        .tuple(
          fc.subarray([
            { id: 'a', terms: ['x'], match: 'word' as const, action: 'block' as const },
            { id: 'a', terms: ['y'], match: 'word' as const, action: 'flag' as const },
          ]),
          side,
        )
        .map(([terms, on]) => terms.map((term) => ({ ...term, on }))),
      denied_patterns: fc.subarray([
        { id: 'p', pattern: 'x', action: 'flag' as const },
        { id: 'q', pattern: 'y', action: 'redact' as const },
      ]),
      topics: fc.subarray([
        { id: 'law', examples: ['sue'] },
        { id: 'tax', examples: ['refund'] },
      ]),
      tools: fc.record({
        allow: globs,
        deny: globs,
        max_tools: fc.constantFrom(1, 5),
        max_calls_per_answer: fc.constantFrom(1, 16),
        arguments_schema_check: fc.boolean(),
      }),
      attachments: fc.record({
        allow_mime: fc.subarray(['*', 'image/*', 'image/png']),
        max_bytes: fc.constantFrom(1, 1000),
        remote_urls: fc.constantFrom('allow', 'deny'),
      }),
      required_metadata: fc.subarray(['team', 'purpose']),
      system_prompt: fc.record({ lock: fc.boolean(), prepend: text, append: text }),
    }),
    output: fc.record({
      enabled: fc.boolean(),
      sensitive_data: action,
      secrets: action,
      system_prompt_leak: verdict,
      canary: fc.boolean(),
      markdown_exfiltration: action,
      link_allow_domains: hosts,
      unsafe_code: verdict,
      tool_call_arguments: fc.constantFrom('skip', 'inspect'),
      json_schema: onOff,
      on_invalid_json: verdict,
      refusal: fc.constantFrom('allow', 'flag'),
    }),
    streaming: fc.record({
      mode: fc.constantFrom('monitor', 'window', 'buffer'),
      window_chars: fc.constantFrom(16, 160),
      on_block: fc.constantFrom('finish', 'error'),
    }),
    rules: fc.subarray([
      { id: 'a', when: 'call.stream', action: 'block' as const, on: ['input' as const] },
      { id: 'b', when: 'call.choices > 1', action: 'flag' as const, on: ['output' as const] },
    ]),
    limits: fc.subarray([
      { id: 'a', per: 'key' as const, unit: 'requests' as const, max: 5, window_seconds: 60 },
      { id: 'b', per: 'agent' as const, unit: 'concurrent' as const, max: 2 },
    ]),
    budget: fc.record({ require: fc.boolean(), on_unpriced: fc.constantFrom('flag', 'block') }),
    cache: fc.record({
      mode: fc.constantFrom('semantic', 'exact', 'off'),
      semantic_threshold: fc.constantFrom(0.9, 0.95, 1),
      scope: fc.constantFrom('tenant', 'role', 'user', 'key'),
      ttl_seconds: fc.constantFrom(1, 3600),
      max_temperature: fc.constantFrom(0, 1, 2),
    }),
    upstream: fc.record({
      max_attempts: fc.constantFrom(1, 3),
      total_timeout_ms: fc.constantFrom(1000, 300_000),
      on_unsupported: fc.constantFrom('drop', 'error'),
      on_client_disconnect: fc.constantFrom('cancel', 'finish'),
    }),
    retention: fc.record({ level: fc.constantFrom('full', 'redacted', 'metadata'), payload_ttl_days: fc.nat(3650) }),
    failure: fc.record({
      rate_and_budget: closed,
      normalization: closed,
      injection_detection: closed,
      sensitive_data: closed,
      content_policy: closed,
      output_inspection: closed,
    }),
    audit: fc.record({ on_unavailable: fc.constantFrom('spool', 'closed'), intent_record: fc.boolean() }),
    reporting: fc.record({ server_timing: fc.boolean(), expose_score: fc.boolean(), block_message: text }),
  })
  .map((input) => complete(input as Parameters<typeof complete>[0]))
