/**
 * Strictest merge: all policies that apply to a caller become one. The result never depends on the order, merging a
 * policy with itself changes nothing, and no policy can loosen another. Tested by properties in merge.test.ts.
 */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { type Action, type EntityType, entityTypes, type PolicyDocument } from './document.ts'

/** Lists of which each must let a name through: the meet of several allow-lists of patterns. */
export type AllowLists = readonly (readonly string[])[]

export interface EntityRule {
  readonly action: Action
  readonly min_confidence: number
  readonly restore: boolean
}

type Rules<K extends 'denied_terms' | 'denied_patterns'> = PolicyDocument['content'][K]

/** What applies to one caller. */
export interface EffectivePolicy
  extends Pick<
    PolicyDocument,
    | 'mode'
    | 'normalization'
    | 'injection'
    | 'output'
    | 'streaming'
    | 'limits'
    | 'cache'
    | 'upstream'
    | 'retention'
    | 'failure'
    | 'reporting'
  > {
  readonly models: Omit<PolicyDocument['models'], 'allow'> & { readonly allow: AllowLists }
  readonly providers: { readonly allow: AllowLists; readonly deny: readonly string[] }
  readonly sensitive_data: {
    readonly enabled: boolean
    readonly roles: PolicyDocument['sensitive_data']['roles']
    readonly entities: Readonly<Record<EntityType, EntityRule>>
  }
  readonly content: {
    readonly denied_terms: Rules<'denied_terms'>
    readonly denied_patterns: Rules<'denied_patterns'>
    readonly tools: { readonly allow: AllowLists; readonly deny: readonly string[]; readonly max_tools: number }
    readonly required_metadata: readonly string[]
  }
}

/** @throws RangeError for an empty list: a call without any policy does not exist. */
export function mergeStrictest(documents: readonly PolicyDocument[]): EffectivePolicy {
  const applied = documents.filter((document) => document.mode !== 'off')
  const [first, ...rest] = (applied.length > 0 ? applied : documents).map(lift)
  if (first === undefined) throw new RangeError('There is no policy to merge')
  return rest.reduce(joinPolicies, first)
}

/** A single document in the form that can be merged, normalized so that equal policies are equal values. */
function lift(document: PolicyDocument): EffectivePolicy {
  const { models, providers, sensitive_data: data, content } = document
  return {
    mode: document.mode,
    normalization: document.normalization,
    injection: document.injection,
    output: document.output,
    streaming: document.streaming,
    limits: union(document.limits, []),
    cache: document.cache,
    upstream: document.upstream,
    retention: document.retention,
    failure: document.failure,
    reporting: document.reporting,
    models: { ...models, allow: allowLists(models.allow), deny: union(models.deny, []) },
    providers: { allow: allowLists(providers.allow), deny: union(providers.deny, []) },
    sensitive_data: { enabled: data.enabled, roles: union(data.roles, []), entities: entityRules(data) },
    content: {
      denied_terms: union(content.denied_terms, []),
      denied_patterns: union(content.denied_patterns, []),
      tools: { ...content.tools, allow: allowLists(content.tools.allow), deny: union(content.tools.deny, []) },
      required_metadata: union(content.required_metadata, []),
    },
  }
}

function allowLists(globs: readonly string[]): AllowLists {
  return globs.includes('*') ? [] : [union(globs, [])]
}

function entityRules(data: PolicyDocument['sensitive_data']): Record<EntityType, EntityRule> {
  const ruleOf = (type: EntityType): EntityRule => ({
    action: data.enabled ? (data.entities[type]?.action ?? data.default_action) : 'allow',
    min_confidence: data.entities[type]?.min_confidence ?? data.min_confidence,
    restore: data.entities[type]?.restore ?? data.restore,
  })
  return Object.fromEntries(entityTypes.map((type) => [type, ruleOf(type)])) as Record<EntityType, EntityRule>
}

type Join<T> = (a: T, b: T) => T

/** The later word of the list wins. */
function stricter<T extends string>(...order: readonly T[]): Join<T> {
  return (a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b)
}

const least: Join<number> = Math.min
const both: Join<boolean> = (a, b) => a && b
const either: Join<boolean> = (a, b) => a || b
const leastOrNull: Join<number | null> = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b))
/** No value is stricter than the other here; the order of letters keeps the result independent of the order of policies. */
const firstText: Join<string | null> = (a, b) => (a === null ? b : b === null ? a : a < b ? a : b)
const stricterAction = stricter<Action>('allow', 'flag', 'redact', 'block')
const stricterFailure = stricter('open', 'closed')

/** All members of both, each once, in an order that depends on the members only. */
function union<T>(a: readonly T[], b: readonly T[]): T[] {
  const members = new Map([...a, ...b].map((member) => [canonicalJson(member), member]))
  return [...members].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, member]) => member)
}

type Joins<T> = { readonly [K in keyof T]: Join<T[K]> }

function joinFields<T extends object>(joins: Joins<T>): Join<T> {
  return (a, b) => {
    const joined = Object.entries<Join<unknown>>(joins as Record<string, Join<unknown>>).map(([name, join]) => [
      name,
      join(Reflect.get(a, name), Reflect.get(b, name)),
    ])
    return Object.fromEntries(joined) as T
  }
}

const joinEntity = joinFields<EntityRule>({ action: stricterAction, min_confidence: least, restore: both })

/** A rule that only lets through says nothing about restoring, and a threshold belongs to its own action. */
const joinEntityRules: Join<EntityRule> = (a, b) => {
  if (a.action === b.action) return joinEntity(a, b)
  return a.action === 'allow' ? b : b.action === 'allow' ? a : joinEntity(a, b)
}

const joinPolicies = joinFields<EffectivePolicy>({
  mode: stricter('off', 'monitor', 'enforce'),
  models: joinFields<EffectivePolicy['models']>({
    allow: union,
    deny: union,
    default: firstText,
    max_output_tokens: leastOrNull,
    max_temperature: least,
    allow_streaming: both,
    max_choices: least,
  }),
  providers: joinFields<EffectivePolicy['providers']>({ allow: union, deny: union }),
  normalization: joinFields<EffectivePolicy['normalization']>({
    strip_invisible: either,
    max_inspect_bytes: least,
    on_oversize: stricter('flag', 'block'),
    uninspected_parts: stricter('allow', 'flag', 'block'),
  }),
  injection: joinFields<EffectivePolicy['injection']>({
    enabled: either,
    flag_at: least,
    block_at: least,
    action_user: stricter('allow', 'flag', 'block'),
    action_tool_result: stricterAction,
    action_system: stricter('allow', 'flag', 'block'),
  }),
  sensitive_data: joinFields<EffectivePolicy['sensitive_data']>({
    enabled: either,
    roles: union,
    entities: joinFields<Record<EntityType, EntityRule>>(
      Object.fromEntries(entityTypes.map((type) => [type, joinEntityRules])) as Joins<Record<EntityType, EntityRule>>,
    ),
  }),
  content: joinFields<EffectivePolicy['content']>({
    denied_terms: union,
    denied_patterns: union,
    tools: joinFields<EffectivePolicy['content']['tools']>({ allow: union, deny: union, max_tools: least }),
    required_metadata: union,
  }),
  output: joinFields<EffectivePolicy['output']>({
    enabled: either,
    sensitive_data: stricterAction,
    secrets: stricterAction,
  }),
  streaming: joinFields<EffectivePolicy['streaming']>({ on_block: stricter('finish', 'error') }),
  limits: union,
  cache: joinFields<EffectivePolicy['cache']>({
    mode: stricter('exact', 'off'),
    scope: stricter('tenant', 'role', 'user', 'key'),
    ttl_seconds: least,
    max_temperature: least,
  }),
  upstream: joinFields<EffectivePolicy['upstream']>({ max_attempts: least, total_timeout_ms: least }),
  retention: joinFields<EffectivePolicy['retention']>({ level: stricter('redacted', 'metadata') }),
  failure: joinFields<EffectivePolicy['failure']>({
    rate_and_budget: stricterFailure,
    normalization: stricterFailure,
    injection_detection: stricterFailure,
    sensitive_data: stricterFailure,
    content_policy: stricterFailure,
    output_inspection: stricterFailure,
  }),
  reporting: joinFields<EffectivePolicy['reporting']>({
    server_timing: either,
    expose_score: both,
    block_message: firstText,
  }),
})
