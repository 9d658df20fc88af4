/**
 * Meaning of "not looser" for each member of a policy, written independently of how policies are merged, so that a
 * reversed comparison there is caught here. A new member has no law until it is given one, which the types enforce.
 */

import type { EffectivePolicy, EntityRule } from '../policy/effective.ts'
import type { AllowLists } from '../words/globs.ts'

/** Whether the second is at least as strict as the first. */
type Law<T> = (was: T, is: T) => boolean
type Laws<T> = { readonly [K in keyof T]-?: Law<T[K]> | Laws<T[K]> }

const inOrder =
  <T>(...order: readonly T[]): Law<T> =>
  (was, is) =>
    order.includes(was) && order.includes(is) && order.indexOf(is) >= order.indexOf(was)
const atMost: Law<number> = (was, is) => is <= was
const atLeast: Law<number> = (was, is) => is >= was
const atMostOrNone: Law<number | null> = (was, is) => was === null || (is !== null && is <= was)
const stays: Law<boolean> = (was, is) => is || !was
const staysOff: Law<boolean> = (was, is) => was || !is
/** One is no stricter than another; a choice may not be lost. */
const isKept: Law<string | null> = (was, is) => was === null || is !== null
const keeps: Law<readonly unknown[]> = (was, is) => {
  const there = new Set(is.map((member) => JSON.stringify(member)))
  return was.every((member) => there.has(JSON.stringify(member)))
}
const addsNone: Law<readonly unknown[]> = (was, is) => keeps(is, was)
const keepsLists: Law<AllowLists> = keeps

const action = inOrder('allow', 'flag', 'redact', 'block')
const verdict = inOrder('allow', 'flag', 'block')
const failure = inOrder('open', 'closed')

/** A rule that lets a value pass has no effect, so its other members do not count. */
const entity: Law<EntityRule> = (was, is) => {
  if (was.action === 'allow') return true
  const styles = inOrder('mask', 'hash', 'synthetic', 'placeholder', 'drop')
  return (
    action(was.action, is.action) &&
    is.min_confidence <= was.min_confidence &&
    staysOff(was.restore, is.restore) &&
    styles(was.style, is.style) &&
    keeps(was.exempt, is.exempt)
  )
}

function eachMember<T>(law: Law<T>): Law<Readonly<Record<string, T>>> {
  return (was, is) =>
    Object.entries(was).every(([name, before]) => {
      const after = is[name]
      return after !== undefined && law(before, after)
    })
}

export const laws: Laws<EffectivePolicy> = {
  mode: inOrder('off', 'monitor', 'enforce'),
  models: {
    allow: keepsLists,
    deny: keeps,
    default: isKept,
    max_output_tokens: atMostOrNone,
    max_input_tokens: atMostOrNone,
    max_temperature: atMost,
    allow_streaming: staysOff,
    max_choices: atMost,
  },
  providers: {
    allow: keepsLists,
    deny: keeps,
    require_zero_retention: stays,
    residency: keepsLists,
    max_classification: inOrder(null, 'restricted', 'confidential', 'internal', 'public'),
  },
  normalization: {
    strip_invisible: stays,
    max_inspect_bytes: atMost,
    on_oversize: inOrder('flag', 'block'),
    uninspected_parts: verdict,
    decode_depth: atLeast,
  },
  injection: {
    enabled: stays,
    flag_at: atMost,
    block_at: atMost,
    action_user: verdict,
    action_tool_result: action,
    action_system: verdict,
    families: eachMember(stays),
    classifiers: eachMember((was, is) => is.timeout_ms >= was.timeout_ms),
    allow_patterns: addsNone,
    extra_rules: keeps,
  },
  sensitive_data: {
    enabled: stays,
    retain_in_vault: staysOff,
    vault_ttl_hours: atMost,
    brackets: (was, is) => was === '⟦⟧' || is !== '⟦⟧',
    roles: keeps,
    entities: eachMember(entity),
    custom: keeps,
  },
  content: {
    denied_terms: keeps,
    denied_patterns: keeps,
    topics: keeps,
    tools: {
      allow: keepsLists,
      deny: keeps,
      max_tools: atMost,
      max_calls_per_answer: atMost,
      arguments_schema_check: stays,
    },
    attachments: { allow_mime: keepsLists, max_bytes: atMost, remote_urls: inOrder('allow', 'deny') },
    required_metadata: keeps,
    system_prompt: { lock: stays, prepend: keeps, append: keeps },
  },
  output: {
    enabled: stays,
    sensitive_data: action,
    secrets: action,
    system_prompt_leak: verdict,
    canary: stays,
    markdown_exfiltration: action,
    links: {
      limit: (was, is) => was === null || (is !== null && within(is, was)),
      trusted: (was, is) => within(is, was),
    },
    unsafe_code: verdict,
    tool_call_arguments: inOrder('skip', 'inspect'),
    json_schema: inOrder('off', 'check'),
    on_invalid_json: verdict,
    refusal: inOrder('allow', 'flag'),
  },
  streaming: {
    mode: inOrder('monitor', 'window', 'buffer'),
    window_chars: atLeast,
    on_block: inOrder('finish', 'error'),
  },
  rules: keeps,
  limits: keeps,
  budget: { require: stays, on_unpriced: inOrder('flag', 'block') },
  cache: {
    mode: inOrder('semantic', 'exact', 'off'),
    scope: inOrder('tenant', 'role', 'user', 'key'),
    ttl_seconds: atMost,
    semantic_threshold: atLeast,
    max_temperature: atMost,
  },
  upstream: {
    max_attempts: atMost,
    total_timeout_ms: atMost,
    on_unsupported: inOrder('drop', 'error'),
    on_client_disconnect: inOrder('cancel', 'finish'),
  },
  retention: { level: inOrder('full', 'redacted', 'metadata'), payload_ttl_days: atMost },
  failure: {
    rate_and_budget: failure,
    normalization: failure,
    injection_detection: failure,
    sensitive_data: failure,
    content_policy: failure,
    output_inspection: failure,
  },
  audit: { on_unavailable: inOrder('spool', 'closed'), intent_record: stays },
  reporting: { server_timing: stays, expose_score: staysOff, block_message: isKept },
}

/** Every host that the first list means is meant by the second: `*.example.com` means those below `example.com`. */
function within(hosts: readonly string[], wider: readonly string[]): boolean {
  return hosts.every((host) => {
    const name = host.replace(/^\*\./, '')
    return wider.some((other) => other === host || (other.startsWith('*.') && name.endsWith(other.slice(1))))
  })
}

/** The members for which the second policy is looser, by their path. */
export function loosened(was: EffectivePolicy, is: EffectivePolicy): readonly string[] {
  return walk(laws, was, is, '')
}

function walk(law: unknown, was: unknown, is: unknown, path: string): readonly string[] {
  if (typeof law === 'function') return law(was, is) ? [] : [path]
  return Object.entries(law ?? {}).flatMap(([name, inner]) =>
    walk(inner, member(was, name), member(is, name), path === '' ? name : `${path}.${name}`),
  )
}

/** The value of each member that has a law. */
export function membersOf(policy: EffectivePolicy): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (law: unknown, value: unknown, path: string): void => {
    if (typeof law === 'function') found.set(path, value)
    else
      for (const [name, inner] of Object.entries(law ?? {}))
        visit(inner, member(value, name), path === '' ? name : `${path}.${name}`)
  }
  visit(laws, policy, '')
  return found
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
