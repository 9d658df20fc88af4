/**
 * Strictest merge: all policies that apply to a caller become one. The result never depends on the order, merging a
 * policy with itself changes nothing, and no policy can loosen another. Tested by properties in merge.test.ts.
 */
import { cacheModes, cacheScopes } from '../schemas/cache.ts'
import type { Classification } from '../words/policy-words.ts'
import type { Action, PolicyDocument } from './document.ts'
import { type ClassifierRule, type EffectivePolicy, type EntityRule, lift } from './effective.ts'
import { commonHosts } from './hosts.ts'
import {
  both,
  chosen,
  either,
  firstText,
  intersection,
  type Join,
  joinFields,
  joinMembers,
  least,
  leastOrNull,
  most,
  stricter,
  union,
} from './lattice.ts'

export type { EffectivePolicy, EntityRule } from './effective.ts'

/** @throws RangeError for an empty list: a call without any policy does not exist. */
export function mergeStrictest(documents: readonly PolicyDocument[]): EffectivePolicy {
  const applied = documents.filter((document) => document.mode !== 'off')
  const [first, ...rest] = (applied.length > 0 ? applied : documents).map(lift)
  if (first === undefined) throw new RangeError('There is no policy to merge')
  return rest.reduce(joinPolicies, first)
}

const stricterAction = stricter<Action>('allow', 'flag', 'redact', 'block')
const stricterVerdict = stricter('allow', 'flag', 'block')
const stricterFailure = stricter('open', 'closed')

/** Null, which lets any class leave, is the loosest. */
const lowerClass = stricter<Classification | null>(null, 'restricted', 'confidential', 'internal', 'public')

const joinEntity = joinFields<EntityRule>({
  action: stricterAction,
  min_confidence: least,
  restore: both,
  // Ordered by how little of a value leaves: a value that can be restored reveals less than one that stays the same
  // from call to call.
  style: stricter('mask', 'hash', 'synthetic', 'placeholder', 'drop'),
  exempt: union,
})

/** A rule that only lets through says nothing about restoring, and a threshold belongs to its own action. */
const joinEntityRules: Join<EntityRule> = (a, b) => {
  if (a.action === b.action) return joinEntity(a, b)
  return a.action === 'allow' ? b : b.action === 'allow' ? a : joinEntity(a, b)
}

const joinLinks = joinFields<EffectivePolicy['output']['links']>({
  limit: (a, b) => (a === null ? b : b === null ? a : commonHosts(a, b)),
  trusted: commonHosts,
})

const joinPolicies = joinFields<EffectivePolicy>({
  mode: stricter('off', 'monitor', 'enforce'),
  models: joinFields<EffectivePolicy['models']>({
    allow: union,
    deny: union,
    default: firstText,
    max_output_tokens: leastOrNull,
    max_input_tokens: leastOrNull,
    max_temperature: least,
    allow_streaming: both,
    max_choices: least,
  }),
  providers: joinFields<EffectivePolicy['providers']>({
    allow: union,
    deny: union,
    require_zero_retention: either,
    residency: union,
    max_classification: lowerClass,
  }),
  normalization: joinFields<EffectivePolicy['normalization']>({
    strip_invisible: either,
    max_inspect_bytes: least,
    on_oversize: stricter('flag', 'block'),
    uninspected_parts: stricterVerdict,
    decode_depth: most,
  }),
  injection: joinFields<EffectivePolicy['injection']>({
    enabled: either,
    flag_at: least,
    block_at: least,
    action_user: stricterVerdict,
    action_tool_result: stricterAction,
    action_system: stricterVerdict,
    families: joinMembers(either),
    // The longer timeout is the stricter one: under fail open, a classifier without time to answer protects no one.
    classifiers: joinMembers(joinFields<ClassifierRule>({ timeout_ms: most })),
    allow_patterns: intersection,
    extra_rules: union,
  }),
  sensitive_data: joinFields<EffectivePolicy['sensitive_data']>({
    enabled: either,
    retain_in_vault: both,
    vault_ttl_hours: least,
    brackets: chosen<EffectivePolicy['sensitive_data']['brackets']>('⟦⟧'),
    roles: union,
    entities: joinMembers(joinEntityRules),
    custom: union,
  }),
  content: joinFields<EffectivePolicy['content']>({
    denied_terms: union,
    denied_patterns: union,
    topics: union,
    tools: joinFields<EffectivePolicy['content']['tools']>({
      allow: union,
      deny: union,
      max_tools: least,
      max_calls_per_answer: least,
      arguments_schema_check: either,
    }),
    attachments: joinFields<EffectivePolicy['content']['attachments']>({
      allow_mime: union,
      max_bytes: least,
      remote_urls: stricter('allow', 'deny'),
    }),
    required_metadata: union,
    system_prompt: joinFields<EffectivePolicy['content']['system_prompt']>({
      lock: either,
      prepend: union,
      append: union,
    }),
  }),
  output: joinFields<EffectivePolicy['output']>({
    enabled: either,
    sensitive_data: stricterAction,
    secrets: stricterAction,
    system_prompt_leak: stricterVerdict,
    canary: either,
    markdown_exfiltration: stricterAction,
    links: joinLinks,
    unsafe_code: stricterVerdict,
    tool_call_arguments: stricter('skip', 'inspect'),
    json_schema: stricter('off', 'check'),
    on_invalid_json: stricterVerdict,
    refusal: stricter('allow', 'flag'),
  }),
  streaming: joinFields<EffectivePolicy['streaming']>({
    mode: stricter('monitor', 'window', 'buffer'),
    window_chars: most,
    on_block: stricter('finish', 'error'),
  }),
  rules: union,
  limits: union,
  budget: joinFields<EffectivePolicy['budget']>({ require: either, on_unpriced: stricter('flag', 'block') }),
  cache: joinFields<EffectivePolicy['cache']>({
    mode: stricter(...cacheModes),
    scope: stricter(...cacheScopes),
    ttl_seconds: least,
    semantic_threshold: most,
    max_temperature: least,
  }),
  upstream: joinFields<EffectivePolicy['upstream']>({
    max_attempts: least,
    total_timeout_ms: least,
    on_unsupported: stricter('drop', 'error'),
    on_client_disconnect: chosen<'cancel' | 'finish'>('cancel'),
  }),
  retention: joinFields<EffectivePolicy['retention']>({
    level: stricter('full', 'redacted', 'metadata'),
    payload_ttl_days: least,
  }),
  failure: joinFields<EffectivePolicy['failure']>({
    rate_and_budget: stricterFailure,
    normalization: stricterFailure,
    injection_detection: stricterFailure,
    sensitive_data: stricterFailure,
    content_policy: stricterFailure,
    output_inspection: stricterFailure,
  }),
  audit: joinFields<EffectivePolicy['audit']>({
    on_unavailable: stricter('spool', 'closed'),
    intent_record: either,
  }),
  reporting: joinFields<EffectivePolicy['reporting']>({
    server_timing: either,
    expose_score: both,
    block_message: firstText,
  }),
})
