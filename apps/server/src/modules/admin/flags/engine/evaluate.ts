/**
 * Evaluation of flags: a pure function of the flags, the context and the moment. Promises the same answer on every
 * instance and after every restart, and that a flag that is off answers its off variant whatever its rules say. Reasons
 * and error codes are OpenFeature's. Tested in engine.test.ts, ../import/unleash.test.ts and ../import/flagd.test.ts.
 */

import type { FlagDefinition, TraceStep } from '../schemas/flags.ts'
import type { Constraint, Rule } from '../schemas/rules.ts'
import { inRollout, pick } from './buckets.ts'
import { type Attributes, type Predicate, predicateOf, textOf } from './constraints.ts'

export interface Resolution {
  readonly value: unknown
  readonly variant: string | null
  readonly reason: 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED' | 'DEFAULT' | 'ERROR'
  readonly errorCode: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'GENERAL' | null
}

export interface FlagSet {
  readonly keys: readonly string[]
  has(key: string): boolean
  /** @param nowMs Unix milliseconds; @param trace receives each step */
  evaluate(key: string, context: Attributes, nowMs: number, trace?: (step: TraceStep) => void): Resolution
}

export type Segments = Readonly<Record<string, readonly Constraint[]>>

interface Asking {
  readonly context: Attributes
  readonly nowMs: number
  readonly trace: ((step: TraceStep) => void) | undefined
  /** Of prerequisites: the net under circles. */
  readonly depth: number
  readonly offVariant: (key: string) => string | undefined
}

interface CompiledRule {
  readonly rule: Rule
  readonly tests: readonly { readonly attribute: string; readonly holds: Predicate }[]
  readonly percentage: number
  readonly bucketBy: readonly string[]
  readonly seed: string
}

interface CompiledFlag {
  readonly flag: FlagDefinition
  readonly values: ReadonlyMap<string, unknown>
  readonly rules: readonly CompiledRule[]
  readonly byTargetingKey: ReadonlyMap<string, readonly FlagDefinition['overrides'][number][]>
  readonly otherOverrides: FlagDefinition['overrides']
}

/** The calling tenant: the server sets it in the context and overrides any value from the caller. */
export const tenantAttribute = '$tenant'

const deepest = 20

export function compileFlags(flags: readonly FlagDefinition[], segments: Segments): FlagSet {
  const compiled = new Map(flags.map((flag) => [flag.key, compileFlag(flag, segments)]))
  const offVariant = (key: string) => compiled.get(key)?.flag.off_variant
  const evaluate = (key: string, asking: Asking): Resolution => {
    const found = compiled.get(key)
    if (found === undefined || found.flag.status === 'draft' || found.flag.status === 'archived')
      return { value: null, variant: null, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' }
    return resolve(found, asking, evaluate)
  }
  return {
    keys: [...compiled.values()]
      .filter(({ flag }) => flag.status === 'enabled' || flag.status === 'disabled')
      .map(({ flag }) => flag.key),
    has: (key) => compiled.has(key),
    evaluate: (key, context, nowMs, trace) => evaluate(key, { context, nowMs, trace, depth: 0, offVariant }),
  }
}

/** Flags of which those of the first set hide those of the second; neither set needs flags of the other. */
export function layered(own: FlagSet, below: FlagSet): FlagSet {
  return {
    keys: [...new Set([...own.keys, ...below.keys])],
    has: (key) => own.has(key) || below.has(key),
    evaluate: (key, ...asking) => (own.has(key) ? own : below).evaluate(key, ...asking),
  }
}

function compileFlag(flag: FlagDefinition, segments: Segments): CompiledFlag {
  const keyed = flag.overrides.filter(({ targeting_key }) => targeting_key !== undefined)
  return {
    flag,
    values: new Map(flag.variants.map(({ key, value }) => [key, value])),
    rules: flag.rules.map((rule) => compileRule(flag, rule, segments)),
    byTargetingKey: grouped(keyed),
    otherOverrides: flag.overrides.filter(({ targeting_key }) => targeting_key === undefined),
  }
}

function grouped(overrides: FlagDefinition['overrides']): CompiledFlag['byTargetingKey'] {
  const groups = new Map<string, FlagDefinition['overrides'][number][]>()
  for (const override of overrides) {
    const key = override.targeting_key ?? ''
    groups.set(key, [...(groups.get(key) ?? []), override])
  }
  return groups
}

function compileRule(flag: FlagDefinition, rule: Rule, segments: Segments): CompiledRule {
  const ofSegments = (rule.segment_ids ?? []).flatMap((id) => segments[id] ?? [never])
  return {
    rule,
    tests: [...(rule.constraints ?? []), ...ofSegments].map((constraint) => ({
      attribute: constraint.attribute,
      holds: predicateOf(constraint, flag.hash_mode === 'flagd' ? 'flagd' : 'semver'),
    })),
    percentage: rule.rollout_percentage ?? 100,
    bucketBy: rule.bucket_by ?? ['targetingKey'],
    seed: rule.seed ?? `${flag.key}:${rule.id}`,
  }
}

/** Never holds: stands for a segment that no longer exists. */
const never: Constraint = { attribute: 'targetingKey', operator: 'IN', values: [] }

type Evaluate = (key: string, asking: Asking) => Resolution

function resolve(found: CompiledFlag, asking: Asking, evaluate: Evaluate): Resolution {
  const { flag } = found
  const say = asking.trace
  say?.({ step: 'status', name: flag.key, matched: flag.status === 'enabled', detail: `The flag is ${flag.status}.` })
  if (flag.status !== 'enabled') return served(found, flag.off_variant, 'DISABLED')
  const missing = flag.prerequisites.find((prerequisite) => !isMet(prerequisite, asking, evaluate))
  if (missing !== undefined) return served(found, flag.off_variant, 'DEFAULT')
  const override = overrideFor(found, asking.context)
  if (override !== undefined) {
    say?.({ step: 'override', name: override.variant, matched: true, detail: 'An override names this context.' })
    return served(found, override.variant, 'TARGETING_MATCH')
  }
  for (const rule of found.rules) {
    const outcome = ofRule(found, rule, asking)
    if (outcome !== null) return outcome
  }
  say?.({ step: 'default', name: flag.default_variant, matched: true, detail: 'No rule serves this context.' })
  return served(found, flag.default_variant, flag.rules.length === 0 ? 'STATIC' : 'DEFAULT')
}

function served({ values }: CompiledFlag, variant: string, reason: Resolution['reason']): Resolution {
  return { value: values.get(variant), variant, reason, errorCode: null }
}

function isMet(prerequisite: FlagDefinition['prerequisites'][number], asking: Asking, evaluate: Evaluate): boolean {
  const { flag, variants, negated = false } = prerequisite
  // Circles are refused when a flag is changed; an import of another system's may still hold one.
  if (asking.depth >= deepest) return false
  const parent = evaluate(flag, { ...asking, trace: undefined, depth: asking.depth + 1 })
  const on =
    variants === undefined
      ? parent.variant !== asking.offVariant(flag)
      : parent.variant !== null && variants.includes(parent.variant)
  const met = parent.reason !== 'ERROR' && on !== negated
  asking.trace?.({
    step: 'prerequisite',
    name: flag,
    matched: met,
    detail: `It serves ${parent.variant ?? 'nothing'}.`,
  })
  return met
}

function overrideFor({ byTargetingKey, otherOverrides }: CompiledFlag, context: Attributes) {
  if (byTargetingKey.size === 0 && otherOverrides.length === 0) return undefined
  const environment = textOf(context, 'environment')
  const tenant = textOf(context, tenantAttribute)
  const here = (override: FlagDefinition['overrides'][number]): boolean =>
    (override.environment === undefined || override.environment === environment) &&
    (override.tenant_id === undefined || override.tenant_id === tenant)
  const key = textOf(context, 'targetingKey')
  return (key === undefined ? undefined : byTargetingKey.get(key)?.find(here)) ?? otherOverrides.find(here)
}

/** Null when the rule does not serve this context and the next one is asked. */
function ofRule(found: CompiledFlag, compiled: CompiledRule, asking: Asking): Resolution | null {
  const { rule, tests, percentage, seed, bucketBy } = compiled
  const { flag } = found
  const say = (matched: boolean, detail: string): void =>
    asking.trace?.({ step: 'rule', name: rule.id, matched, detail })
  const failed = tests.find(({ attribute, holds }) => !holds(attributeOf(flag, attribute, asking)))
  if (failed !== undefined) {
    say(false, `A constraint on ${failed.attribute} does not hold.`)
    return null
  }
  const value = bucketValue(flag, bucketBy, asking)
  // Unleash serves no context without the named attribute, not even at 100 %.
  const isNamed = flag.hash_mode === 'unleash' && rule.rollout_percentage !== undefined && bucketBy.length === 1
  if (percentage < 100 || isNamed) {
    if (value === undefined) {
      say(false, `The context has none of ${bucketBy.join(', ')}, and ${percentage} % are served.`)
      return null
    }
    if (!inRollout(flag.hash_mode, seed, value, percentage)) {
      say(false, `Not among the ${percentage} % that are served.`)
      return null
    }
  }
  return serve(found, compiled, { value, asking, say })
}

interface Serving {
  readonly value: string | undefined
  readonly asking: Asking
  readonly say: (matched: boolean, detail: string) => void
}

function serve(found: CompiledFlag, { rule, seed, percentage }: CompiledRule, serving: Serving): Resolution {
  const { variant, split, split_by, split_seed } = rule.serve
  const { flag } = found
  if (split === undefined) {
    serving.say(true, `Serves ${variant ?? flag.default_variant}.`)
    return served(found, variant ?? flag.default_variant, percentage < 100 ? 'SPLIT' : 'TARGETING_MATCH')
  }
  const value = split_by === undefined ? serving.value : bucketValue(flag, split_by, serving.asking)
  // One share takes everybody, known or not.
  const shares = split.filter(({ weight }) => weight > 0)
  if (value === undefined && shares.length > 1 && flag.hash_mode !== 'unleash') {
    serving.say(false, 'A split needs something to be told apart by.')
    return { ...served(found, flag.default_variant, 'ERROR'), errorCode: 'TARGETING_KEY_MISSING' }
  }
  const picked = pick(flag.hash_mode, split_seed ?? `${seed}:split`, value ?? '', split) ?? flag.default_variant
  serving.say(true, `Serves ${picked} of a split.`)
  return served(found, picked, 'SPLIT')
}

function bucketValue(flag: FlagDefinition, attributes: readonly string[], asking: Asking): string | undefined {
  for (const attribute of attributes) {
    const text = attributeOf(flag, attribute, asking)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** `currentTime` is the moment unless the context says otherwise; for flags from Unleash `userId` may be the targeting key. */
function attributeOf(flag: FlagDefinition, attribute: string, { context, nowMs }: Asking): string | undefined {
  const text = textOf(context, attribute)
  if (text !== undefined) return text
  if (attribute === 'currentTime') return new Date(nowMs).toISOString()
  return attribute === 'userId' && flag.hash_mode === 'unleash' ? textOf(context, 'targetingKey') : undefined
}
