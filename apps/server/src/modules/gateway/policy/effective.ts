/**
 * The policy that applies to one caller, in a form in which policies can be merged, so that equal policies are equal
 * values. Allow lists become lists of lists, each of which has to match. Tested in merge.test.ts.
 */

import { families, type ValueCheck } from '@parapet/detect'
import type { AllowLists } from '../words/globs.ts'
import type { Classification } from '../words/policy-words.ts'
import type { Action, PolicyDocument } from './document.ts'
import { hostSet } from './hosts.ts'
import { union } from './lattice.ts'
import { type EntityType, entityTypes, type Style } from './sections/entities.ts'

/** Values of one entity that one policy knows to be harmless. */
export interface Exemption {
  readonly values_sha256: readonly string[]
  readonly domains: readonly string[]
}

export interface EntityRule {
  readonly action: Action
  readonly min_confidence: number
  readonly restore: boolean
  readonly style: Style
  /** A value is let through when each of these knows it. */
  readonly exempt: readonly Exemption[]
}

export interface ClassifierRule {
  /** For all texts of a call. */
  readonly timeout_ms: number
}

export interface CustomEntityRule {
  readonly name: EntityType
  readonly pattern: string
  readonly context: readonly string[]
  readonly confidence: number
  readonly validator: ValueCheck | null
}

type Same =
  | 'mode'
  | 'normalization'
  | 'streaming'
  | 'limits'
  | 'budget'
  | 'cache'
  | 'upstream'
  | 'retention'
  | 'failure'
  | 'audit'
  | 'reporting'
  | 'rules'

export interface EffectivePolicy extends Pick<PolicyDocument, Same> {
  readonly models: Omit<PolicyDocument['models'], 'allow'> & { readonly allow: AllowLists }
  readonly providers: {
    readonly allow: AllowLists
    readonly deny: readonly string[]
    readonly require_zero_retention: boolean
    /** Every region a provider works in has to be on each of these. */
    readonly residency: AllowLists
    readonly max_classification: Classification | null
  }
  readonly injection: Omit<PolicyDocument['injection'], 'families' | 'classifier'> & {
    /** Whether a family counts. */
    readonly families: Readonly<Record<string, boolean>>
    /** Outside classifiers that are asked, by name. */
    readonly classifiers: Readonly<Record<string, ClassifierRule>>
  }
  readonly sensitive_data: Omit<PolicyDocument['sensitive_data'], Spread> & {
    readonly entities: Readonly<Record<EntityType, EntityRule>>
    readonly custom: readonly CustomEntityRule[]
  }
  readonly content: Omit<PolicyDocument['content'], 'tools' | 'attachments' | 'system_prompt'> & {
    readonly tools: Omit<PolicyDocument['content']['tools'], 'allow'> & { readonly allow: AllowLists }
    readonly attachments: Omit<PolicyDocument['content']['attachments'], 'allow_mime'> & {
      readonly allow_mime: AllowLists
    }
    readonly system_prompt: {
      readonly lock: boolean
      readonly prepend: readonly string[]
      readonly append: readonly string[]
    }
  }
  readonly output: Omit<PolicyDocument['output'], 'link_allow_domains'> & {
    readonly links: {
      /** Where links may point; null for anywhere. */
      readonly limit: readonly string[] | null
      /** Hosts that may also be sent data. */
      readonly trusted: readonly string[]
    }
  }
}

/** Settings that are expanded per entity. */
type Spread = 'default_action' | 'min_confidence' | 'style' | 'restore' | 'entities' | 'custom' | 'allow_list'

/** A single document in the form that can be merged. */
export function lift(document: PolicyDocument): EffectivePolicy {
  const { models, providers, content, output, injection } = document
  const { link_allow_domains: hosts, ...inspected } = output
  return {
    mode: document.mode,
    normalization: document.normalization,
    streaming: document.streaming,
    rules: union(document.rules, []),
    limits: union(document.limits, []),
    budget: document.budget,
    cache: document.cache,
    upstream: document.upstream,
    retention: document.retention,
    failure: document.failure,
    audit: document.audit,
    reporting: document.reporting,
    models: { ...models, allow: allowLists(models.allow), deny: union(models.deny, []) },
    providers: {
      ...providers,
      allow: allowLists(providers.allow),
      deny: union(providers.deny, []),
      residency: providers.residency.length === 0 ? [] : [union(providers.residency, [])],
    },
    injection: liftInjection(injection),
    sensitive_data: liftSensitive(document.sensitive_data),
    content: {
      denied_terms: union(content.denied_terms, []),
      denied_patterns: union(content.denied_patterns, []),
      topics: union(content.topics, []),
      tools: { ...content.tools, allow: allowLists(content.tools.allow), deny: union(content.tools.deny, []) },
      attachments: { ...content.attachments, allow_mime: allowLists(content.attachments.allow_mime) },
      required_metadata: union(content.required_metadata, []),
      system_prompt: {
        lock: content.system_prompt.lock,
        prepend: content.system_prompt.prepend === null ? [] : [content.system_prompt.prepend],
        append: content.system_prompt.append === null ? [] : [content.system_prompt.append],
      },
    },
    output: {
      ...inspected,
      links: { limit: hosts.length === 0 ? null : hostSet(hosts), trusted: hostSet(hosts) },
    },
  }
}

function liftInjection({ classifier, ...injection }: PolicyDocument['injection']): EffectivePolicy['injection'] {
  const { enabled, model, timeout_ms } = classifier
  return {
    ...injection,
    families: Object.fromEntries(families.map((name) => [name, injection.families[name]?.enabled ?? true])),
    classifiers: injection.enabled && enabled ? { [model]: { timeout_ms } } : {},
    allow_patterns: union(injection.allow_patterns, []),
    extra_rules: union(injection.extra_rules, []),
  }
}

function allowLists(globs: readonly string[]): AllowLists {
  return globs.includes('*') ? [] : [union(globs, [])]
}

type Sensitive = PolicyDocument['sensitive_data']

function liftSensitive(data: Sensitive): EffectivePolicy['sensitive_data'] {
  const { enabled, roles, brackets, retain_in_vault, vault_ttl_hours, custom } = data
  const named = [...entityTypes, ...custom.map(({ name }) => name)]
  return {
    enabled,
    roles: union(roles, []),
    brackets,
    retain_in_vault,
    vault_ttl_hours,
    entities: Object.fromEntries(named.map((name) => [name, ruleOf(data, name)])),
    custom: union(
      custom.map(({ name, pattern, context = [], confidence = defaultConfidence, validator = null }) => ({
        name,
        pattern,
        context: union(context, []),
        confidence,
        validator,
      })),
      [],
    ),
  }
}

/** Of a value that fits a custom entity's pattern. */
const defaultConfidence = 0.7

function ruleOf(data: Sensitive, name: EntityType): EntityRule {
  const own = data.entities[name]
  return {
    action: data.enabled ? (own?.action ?? data.default_action) : 'allow',
    min_confidence: own?.min_confidence ?? data.min_confidence,
    restore: own?.restore ?? data.restore,
    style: own?.style ?? data.style,
    exempt: [exemptionOf(data, name)],
  }
}

function exemptionOf({ allow_list: list }: Sensitive, name: EntityType): Exemption {
  const mine = list.filter(({ entity }) => entity === name)
  return {
    values_sha256: union(
      mine.flatMap(({ values_sha256 = [] }) => values_sha256),
      [],
    ),
    domains: union(
      mine.flatMap(({ domains = [] }) => domains),
      [],
    ),
  }
}
