/**
 * Reads the document that Unleash's client API and its export give: features with strategies, constraints, segments,
 * variants and dependencies. Promises that everybody gets the answer Unleash gave; parts without a counterpart (random
 * rollout, unknown strategies) never match and are reported. Tested in unleash.test.ts against Unleash's own
 * client specification.
 */
import { constraintProblem } from '../engine/constraints.ts'
import { type Constraint, operators, type Rule } from '../schemas/rules.ts'
import { type Imported, isJson, type Json, objectsIn, textIn, textsIn } from './imported.ts'
import { keyFor } from './key.ts'

type Split = NonNullable<Rule['serve']['split']>

interface Reading {
  readonly segments: ReadonlyMap<string, readonly Constraint[]>
  readonly warnings: string[]
  readonly variants: Map<string, unknown>
}

export const onVariant = 'on'
export const offVariant = 'off'

/** Never matches: stands for a part without a counterpart. */
const nobody: Constraint = { attribute: 'userId', operator: 'IN', values: [] }

export function readUnleash(document: Json): readonly Imported[] {
  const segments = new Map<string, readonly Constraint[]>()
  const ofSegments: string[] = []
  for (const segment of objectsIn(document.segments))
    segments.set(
      String(segment.id),
      objectsIn(segment.constraints).map((one) => constraintOf(one, ofSegments)),
    )
  const features = objectsIn(document.features)
  const dependent = new Set(features.filter((one) => objectsIn(one.dependencies).length > 0).map(({ name }) => name))
  return features.map((feature) => {
    const imported = readFeature(feature, segments, ofSegments)
    // Unleash takes dependencies of dependencies for unmet.
    const isDeep = objectsIn(feature.dependencies).some(({ feature: parent }) => dependent.has(parent))
    return isDeep ? servingNobody(imported) : imported
  })
}

function servingNobody({ flag, warnings, ...rest }: Imported): Imported {
  const rules = flag.rules.map((rule) => ({ ...rule, constraints: [nobody] }))
  const warning = 'It depends on a feature that depends on another; Unleash serves it to nobody.'
  return { ...rest, flag: { ...flag, rules, prerequisites: [] }, warnings: [...warnings, warning] }
}

function readFeature(feature: Json, segments: Reading['segments'], ofSegments: readonly string[]): Imported {
  const name = textIn(feature.name) ?? ''
  const reading: Reading = { segments, warnings: [...ofSegments], variants: new Map() }
  reading.variants.set(offVariant, { enabled: false, name: 'disabled', payload: null })
  reading.variants.set(onVariant, { enabled: true, name: 'disabled', payload: null })
  const own = objectsIn(feature.variants)
  const strategies = objectsIn(feature.strategies)
  const rules = (strategies.length === 0 ? [{ name: 'default' }] : strategies).flatMap((strategy, at) =>
    rulesOf(strategy, { at, feature: name, variants: own, reading }),
  )
  const isPlain = reading.variants.size === 2
  return {
    name,
    description: textIn(feature.description),
    warnings: reading.warnings,
    flag: {
      key: keyFor(name),
      value_type: isPlain ? 'boolean' : 'object',
      variants: [...reading.variants].map(([key, value]) => ({ key, value: isPlain ? key === onVariant : value })),
      default_variant: offVariant,
      off_variant: offVariant,
      status: feature.enabled === true ? 'enabled' : 'disabled',
      rules,
      prerequisites: objectsIn(feature.dependencies).map(prerequisiteOf),
      overrides: [],
      hash_mode: 'unleash',
    },
  }
}

function prerequisiteOf(dependency: Json) {
  // A feature that is on without variants serves Unleash's `disabled`.
  const variants = textsIn(dependency.variants).map((name) => (name === 'disabled' ? onVariant : name))
  return {
    flag: keyFor(textIn(dependency.feature) ?? ''),
    ...(variants.length > 0 ? { variants: [...variants] } : {}),
    ...(dependency.enabled === false ? { negated: true } : {}),
  }
}

interface StrategyInput {
  readonly at: number
  readonly feature: string
  /** Of the feature; a strategy's own come before them. */
  readonly variants: readonly Json[]
  readonly reading: Reading
}

function rulesOf(strategy: Json, { at, feature, variants, reading }: StrategyInput): readonly Rule[] {
  const parameters = isJson(strategy.parameters) ? strategy.parameters : {}
  const own = objectsIn(strategy.variants)
  const constraints = [
    ...objectsIn(strategy.constraints).map((one) => constraintOf(one, reading.warnings)),
    ...segmentsOf(strategy, reading),
    ...ownConstraints(strategy, parameters, reading.warnings),
  ]
  const base = {
    id: `strategy-${at + 1}`,
    ...(constraints.length > 0 ? { constraints } : {}),
    ...rolloutOf(strategy, parameters, { feature, warnings: reading.warnings }),
  }
  const offered = own.length > 0 ? own : variants
  const split = splitOf(offered, reading)
  if (split.length === 0) return [{ ...base, serve: { variant: onVariant } }]
  const stickiness =
    textIn(offered[0]?.stickiness) ?? textIn(own.length > 0 ? parameters.stickiness : null) ?? 'default'
  const split_seed = own.length > 0 ? (textIn(parameters.groupId) ?? feature) : feature
  return [...overriding(offered, base), { ...base, serve: { split, split_by: [...stickyBy(stickiness)], split_seed } }]
}

/** A variant that a variant's overrides name comes before the split, for those the rule serves. */
function overriding(variants: readonly Json[], base: Omit<Rule, 'serve'>): readonly Rule[] {
  return variants.flatMap((variant) =>
    objectsIn(variant.overrides).map((override, at) => ({
      ...base,
      id: `${base.id}.${textIn(variant.name) ?? ''}.${at + 1}`.slice(0, 100),
      constraints: [
        ...(base.constraints ?? []),
        {
          attribute: textIn(override.contextName) ?? '',
          operator: 'IN' as const,
          values: [...textsIn(override.values)],
        },
      ],
      serve: { variant: textIn(variant.name) ?? onVariant },
    })),
  )
}

function splitOf(variants: readonly Json[], { variants: known }: Reading): Split {
  return variants.map((variant) => {
    const name = textIn(variant.name) ?? ''
    known.set(name, { enabled: true, name, payload: isJson(variant.payload) ? variant.payload : null })
    return { variant: name, weight: typeof variant.weight === 'number' ? variant.weight : 0 }
  })
}

function segmentsOf(strategy: Json, { segments, warnings }: Reading): readonly Constraint[] {
  const ids = Array.isArray(strategy.segments) ? strategy.segments.map(String) : []
  return ids.flatMap((id) => {
    const found = segments.get(id)
    if (found === undefined) warnings.push(`The segment ${id} is not in the document; its strategy serves nobody.`)
    return found ?? [nobody]
  })
}

/** Conditions that a strategy implies by its name, as constraints. */
function ownConstraints({ name }: Json, parameters: Json, warnings: string[]): readonly Constraint[] {
  switch (name) {
    case 'default':
    case 'flexibleRollout':
    case 'gradualRolloutUserId':
    case 'gradualRolloutSessionId':
    case 'gradualRolloutRandom':
      return []
    case 'userWithId':
      return [{ attribute: 'userId', operator: 'IN', values: [...listed(parameters.userIds)] }]
    case 'remoteAddress':
      return [
        constraintOf({ contextName: 'remoteAddress', operator: 'IN_CIDR', values: listed(parameters.IPs) }, warnings),
      ]
    case 'applicationHostname':
      return [{ attribute: 'hostname', operator: 'IN', values: [...listed(parameters.hostNames)] }]
    default:
      warnings.push(`The strategy ${String(name)} has no counterpart and serves nobody.`)
      return [nobody]
  }
}

function listed(text: unknown): readonly string[] {
  return (textIn(text) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

interface Where {
  readonly feature: string
  readonly warnings: string[]
}

function rolloutOf({ name }: Json, parameters: Json, { feature, warnings }: Where): Partial<Rule> {
  const percentage = Number(parameters.rollout ?? parameters.percentage ?? Number.NaN)
  const rollout_percentage = Number.isFinite(percentage) ? Math.min(100, Math.max(0, percentage)) : 0
  const seed = textIn(parameters.groupId) ?? feature
  switch (name) {
    case 'flexibleRollout':
      return { rollout_percentage, seed, bucket_by: [...stickyBy(textIn(parameters.stickiness) ?? 'default')] }
    case 'gradualRolloutUserId':
      return { rollout_percentage, seed, bucket_by: ['userId'] }
    case 'gradualRolloutSessionId':
      return { rollout_percentage, seed, bucket_by: ['sessionId'] }
    case 'gradualRolloutRandom':
      if (rollout_percentage > 0 && rollout_percentage < 100)
        warnings.push('A rollout by chance has no counterpart; it is kept by user or session instead.')
      return { rollout_percentage, seed, bucket_by: [...stickyBy('default')] }
    default:
      return {}
  }
}

function stickyBy(stickiness: string): readonly string[] {
  return stickiness === 'default' || stickiness === 'random' ? ['userId', 'sessionId'] : [stickiness]
}

const renamed: Readonly<Record<string, string>> = { IN_CIDR: 'CIDR' }

function constraintOf(constraint: Json, warnings: string[]): Constraint {
  const name = textIn(constraint.operator) ?? ''
  const operator = operators.find((known) => known === (renamed[name] ?? name))
  if (operator === undefined) {
    warnings.push(`The operator ${name} has no counterpart; its strategy serves nobody.`)
    return nobody
  }
  const listedValues = textsIn(constraint.values)
  const all = listedValues.length > 0 || constraint.value === undefined ? listedValues : [String(constraint.value)]
  const plain: Constraint = { attribute: textIn(constraint.contextName) ?? '', operator, values: [] }
  const values =
    operator === 'CIDR' ? all.filter((value) => constraintProblem({ ...plain, values: [value] }) === null) : all
  if (values.length < all.length) warnings.push('Addresses that are none were left out of a constraint.')
  const read: Constraint = {
    ...plain,
    values: [...values],
    ...(constraint.caseInsensitive === true ? { case_insensitive: true } : {}),
    ...(constraint.inverted === true ? { inverted: true } : {}),
  }
  const problem = constraintProblem(read)
  if (problem === null) return read
  warnings.push(`${problem} Its strategy serves nobody.`)
  return nobody
}
