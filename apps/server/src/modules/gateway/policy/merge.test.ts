import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { complete } from './defaults.ts'
import { entityTypes, type PolicyDocument } from './document.ts'
import { isAllowed, matchesGlob } from './globs.ts'
import { type EffectivePolicy, mergeStrictest } from './merge.ts'

const action = fc.constantFrom('allow', 'flag', 'redact', 'block')
const globs = fc.subarray(['*', 'gpt-*', 'echo-*', '*-mini', 'claude'])
const level = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
const closed = fc.constantFrom('closed', 'open')

const side = fc.subarray(['input' as const, 'output' as const], { minLength: 1 })
const verdict = fc.constantFrom('allow', 'flag', 'block')
const onOff = fc.constantFrom('off', 'check')
const hashes = fc.subarray(['a'.repeat(64), 'b'.repeat(64)])
const hosts = fc.subarray(['example.com', '*.example.com', 'docs.example.com', 'other.org'])
const entity = fc.record(
  {
    action,
    min_confidence: level,
    restore: fc.boolean(),
    style: fc.constantFrom('placeholder', 'synthetic', 'mask', 'hash', 'drop'),
  },
  { requiredKeys: [] },
)

const documents: fc.Arbitrary<PolicyDocument> = fc
  .record({
    mode: fc.constantFrom('enforce', 'monitor', 'off'),
    models: fc.record({
      allow: globs,
      deny: globs,
      default: fc.constantFrom(null, 'a', 'b'),
      max_output_tokens: fc.constantFrom(null, 10, 20),
      max_input_tokens: fc.constantFrom(null, 100, 200),
      allow_streaming: fc.boolean(),
    }),
    providers: fc.record({
      require_zero_retention: fc.boolean(),
      residency: fc.subarray(['EU', 'DE', 'US']),
      max_classification: fc.constantFrom(null, 'public', 'confidential', 'restricted'),
    }),
    normalization: fc.record({ decode_depth: fc.nat(3) }),
    injection: fc.record({
      enabled: fc.boolean(),
      flag_at: level,
      block_at: level,
      action_tool_result: action,
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
      restore: fc.boolean(),
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
      tools: fc.record({
        allow: globs,
        deny: globs,
        max_tools: fc.constantFrom(1, 5),
        arguments_schema_check: fc.boolean(),
      }),
      attachments: fc.record({
        allow_mime: fc.subarray(['*', 'image/*', 'image/png']),
        max_bytes: fc.constantFrom(1, 1000),
        remote_urls: fc.constantFrom('allow', 'deny'),
      }),
      required_metadata: fc.subarray(['team', 'purpose']),
      system_prompt: fc.record({ lock: fc.boolean(), prepend: fc.constantFrom(null, 'a', 'b') }),
    }),
    output: fc.record({
      enabled: fc.boolean(),
      system_prompt_leak: verdict,
      canary: fc.boolean(),
      markdown_exfiltration: action,
      link_allow_domains: hosts,
      json_schema: onOff,
      on_invalid_json: verdict,
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
    cache: fc.record({
      mode: fc.constantFrom('semantic', 'exact', 'off'),
      semantic_threshold: fc.constantFrom(0.9, 0.95, 1),
      scope: fc.constantFrom('tenant', 'role', 'user', 'key'),
    }),
    retention: fc.record({ level: fc.constantFrom('full', 'redacted', 'metadata'), payload_ttl_days: fc.nat(3650) }),
    failure: fc.record({ injection_detection: closed, output_inspection: closed }),
    audit: fc.record({ on_unavailable: fc.constantFrom('spool', 'closed') }),
    reporting: fc.record({ server_timing: fc.boolean(), block_message: fc.constantFrom(null, 'no', 'stop') }),
  })
  .map((input) => complete(input as Parameters<typeof complete>[0]))

const some = fc.array(documents, { minLength: 1, maxLength: 5 })
const strictness = ['allow', 'flag', 'redact', 'block']

/** Every member for which "stricter" is one comparison. */
function expectNotLooser(before: EffectivePolicy, after: EffectivePolicy): void {
  const holds = (a: readonly unknown[], b: readonly unknown[]) => expect(a).toEqual(expect.arrayContaining([...b]))
  const implied = (was: boolean, is: boolean) => expect(was && !is).toBe(false)
  implied(before.providers.require_zero_retention, after.providers.require_zero_retention)
  holds(after.providers.residency, before.providers.residency)
  const levels = ['full', 'redacted', 'metadata']
  expect(levels.indexOf(after.retention.level)).toBeGreaterThanOrEqual(levels.indexOf(before.retention.level))
  expect(after.retention.payload_ttl_days).toBeLessThanOrEqual(before.retention.payload_ttl_days)
  for (const [family, counts] of Object.entries(before.injection.families))
    implied(counts, after.injection.families[family] ?? false)
  for (const [name, { timeout_ms: before_ms }] of Object.entries(before.injection.classifiers))
    expect(after.injection.classifiers[name]?.timeout_ms).toBeGreaterThanOrEqual(before_ms)
  holds(before.injection.allow_patterns, after.injection.allow_patterns)
  holds(after.injection.extra_rules, before.injection.extra_rules)
  holds(after.sensitive_data.custom, before.sensitive_data.custom)
  holds(after.content.denied_terms, before.content.denied_terms)
  holds(after.content.attachments.allow_mime, before.content.attachments.allow_mime)
  expect(after.content.attachments.max_bytes).toBeLessThanOrEqual(before.content.attachments.max_bytes)
  implied(before.content.attachments.remote_urls === 'deny', after.content.attachments.remote_urls === 'deny')
  implied(before.content.system_prompt.lock, after.content.system_prompt.lock)
  implied(before.content.tools.arguments_schema_check, after.content.tools.arguments_schema_check)
  holds(after.rules, before.rules)
  implied(before.output.canary, after.output.canary)
  for (const member of ['system_prompt_leak', 'markdown_exfiltration', 'on_invalid_json'] as const)
    expect(strictness.indexOf(after.output[member])).toBeGreaterThanOrEqual(strictness.indexOf(before.output[member]))
  holds(before.output.links.trusted.length === 0 ? [] : [true], after.output.links.trusted.length === 0 ? [] : [true])
  implied(before.output.links.limit !== null, after.output.links.limit !== null)
  implied(before.streaming.mode === 'buffer', after.streaming.mode === 'buffer')
  implied(before.streaming.mode !== 'monitor', after.streaming.mode !== 'monitor')
  implied(before.audit.on_unavailable === 'closed', after.audit.on_unavailable === 'closed')
  expect(after.streaming.window_chars).toBeGreaterThanOrEqual(before.streaming.window_chars)
}

describe('strictest merge', () => {
  test('does not depend on the order', () => {
    fc.assert(
      fc.property(
        some.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(mergeStrictest(shuffled)).toEqual(mergeStrictest(list))
        },
      ),
    )
  })

  test('counts a policy that applies twice once', () => {
    fc.assert(
      fc.property(some, (list) => {
        expect(mergeStrictest([...list, ...list])).toEqual(mergeStrictest(list))
      }),
    )
  })

  test('is never looser than any policy in it', () => {
    fc.assert(
      fc.property(some, documents, (list, more) => {
        const before = mergeStrictest(list)
        const after = mergeStrictest([...list, more])
        if (before.mode === 'off') return
        for (const type of [...entityTypes, 'BADGE']) {
          const [was, is] = [before.sensitive_data.entities[type], after.sensitive_data.entities[type]]
          if (was === undefined) continue
          expect(strictness.indexOf(is?.action ?? 'allow')).toBeGreaterThanOrEqual(strictness.indexOf(was.action))
          if (was.action === 'allow') continue
          expect(is?.restore === true && !was.restore).toBe(false)
          // What one policy does not know to be harmless, no other makes so.
          expect(is?.exempt).toEqual(expect.arrayContaining([...was.exempt]))
        }
        expect(after.injection.block_at).toBeLessThanOrEqual(before.injection.block_at)
        for (const model of ['gpt-mini', 'echo-1', 'claude', 'other']) {
          if (!isAllowed(before.models, model)) expect(isAllowed(after.models, model)).toBe(false)
        }
        expectNotLooser(before, after)
      }),
    )
  })

  test('allow-lists intersect even when their patterns differ', () => {
    const merged = mergeStrictest([
      complete({ models: { allow: ['gpt-*'] } }),
      complete({ models: { allow: ['*-mini'] } }),
    ])
    expect(isAllowed(merged.models, 'gpt-mini')).toBe(true)
    expect(isAllowed(merged.models, 'gpt-large')).toBe(false)
    expect(isAllowed(merged.models, 'claude-mini')).toBe(false)
  })

  test('a policy that is off says nothing beside one that is on', () => {
    const on = complete({ mode: 'monitor' })
    expect(mergeStrictest([on, complete({ mode: 'off', models: { deny: ['*'] } })])).toEqual(mergeStrictest([on]))
  })
})

test.each([
  ['*', 'anything', true],
  ['gpt-*', 'gpt-4', true],
  ['gpt-*', 'xgpt-4', false],
  ['*-mini', 'gpt-4-mini', true],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'axxc', false],
  ['ab*ba', 'aba', false],
  ['exact', 'exact', true],
] as const)('the pattern %s fits %s: %s', (pattern, name, expected) => {
  expect(matchesGlob(pattern, name)).toBe(expected)
})
