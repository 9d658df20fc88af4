/**
 * Reads flagd's flag definitions (https://flagd.dev/schema/v0/flags.json): variants and the targeting that ordered
 * rules can express: `if` chains of comparisons with `and`, `or`, `!`, and `fractional`. Promises that everybody gets
 * the variant flagd gave; a flag with any other targeting is refused with a reason instead of guessed. Tested in
 * flagd.test.ts against flagd's own evaluator.
 */

import type { FlagDefinition } from '../schemas/flags.ts'
import type { Rule } from '../schemas/rules.ts'
import { attributeIn, conditionOf, Unsupported } from './flagd-conditions.ts'
import { resolved, variableIn } from './flagd-expressions.ts'
import { type Imported, isJson, type Json, textIn } from './imported.ts'
import { keyFor } from './key.ts'

export interface RefusedFlag {
  readonly name: string
  readonly why: string
}

export interface FlagdReading {
  readonly flags: readonly Imported[]
  readonly refused: readonly RefusedFlag[]
}

export function readFlagd(document: Json): FlagdReading {
  const flags: Imported[] = []
  const refused: RefusedFlag[] = []
  for (const [name, definition] of Object.entries(isJson(document.flags) ? document.flags : {})) {
    try {
      flags.push(readFlag(name, definition, isJson(document.$evaluators) ? document.$evaluators : {}))
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      refused.push({ name, why: error.message })
    }
  }
  return { flags, refused }
}

/** @throws Unsupported */
function readFlag(name: string, definition: unknown, evaluators: Json): Imported {
  if (!isJson(definition) || !isJson(definition.variants)) throw new Unsupported('It has no variants.')
  const variants = Object.entries(definition.variants).map(([key, value]) => ({ key, value }))
  const first = variants[0]
  if (first === undefined) throw new Unsupported('It has no variants.')
  const fallback = textIn(definition.defaultVariant)
  if (fallback === null) throw new Unsupported('It has no default variant.')
  return {
    name,
    description: null,
    warnings: [],
    flag: {
      key: keyFor(name),
      value_type: typeOf(variants.map(({ value }) => value)),
      variants,
      default_variant: fallback,
      off_variant: fallback,
      status: definition.state === 'DISABLED' ? 'disabled' : 'enabled',
      rules: [...rulesOf(definition.targeting, { name, evaluators })],
      prerequisites: [],
      overrides: [],
      hash_mode: 'flagd',
    },
  }
}

function typeOf(values: readonly unknown[]): FlagDefinition['value_type'] {
  const types = new Set(values.map((value) => (isJson(value) ? 'object' : typeof value)))
  const [type] = types
  if (types.size === 1 && (type === 'boolean' || type === 'string' || type === 'number' || type === 'object'))
    return type
  throw new Unsupported('Its variants are not of one type.')
}

interface Where {
  readonly name: string
  readonly evaluators: Json
}

function rulesOf(targeting: unknown, where: Where): readonly Rule[] {
  const logic = resolved(targeting, where.evaluators)
  if (logic === undefined || logic === null || (isJson(logic) && Object.keys(logic).length === 0)) return []
  if (!isJson(logic) || !Array.isArray(logic.if)) return numbered([{ serve: serveOf(logic, where) }])
  const rules: Omit<Rule, 'id'>[] = []
  const parts: readonly unknown[] = logic.if
  for (let at = 0; at < parts.length; at += 2) {
    if (at + 1 === parts.length) {
      if (parts[at] !== null) rules.push({ serve: serveOf(parts[at], where) })
      break
    }
    const serve = parts[at + 1] === null ? null : serveOf(parts[at + 1], where)
    if (serve === null) throw new Unsupported('A branch of its targeting serves the default variant.')
    // Alternatives become rules one after the other that serve the same.
    for (const constraints of conditionOf(parts[at], where.evaluators))
      rules.push({ constraints: [...constraints], serve })
  }
  return numbered(rules)
}

function numbered(rules: readonly Omit<Rule, 'id'>[]): readonly Rule[] {
  return rules.map((rule, at) => ({ id: `rule-${at + 1}`, ...rule }))
}

function serveOf(given: unknown, { name, evaluators }: Where): Rule['serve'] {
  const logic = resolved(given, evaluators)
  if (typeof logic === 'string') return { variant: logic }
  if (typeof logic === 'boolean') return { variant: String(logic) }
  if (!isJson(logic) || !Array.isArray(logic.fractional))
    throw new Unsupported('Its targeting serves something other than a variant or a fractional split.')
  const [head, ...rest]: readonly unknown[] = logic.fractional
  const buckets = Array.isArray(head) ? [head, ...rest] : rest
  return {
    split: buckets.map(bucketOf),
    ...(Array.isArray(head) ? { split_by: ['targetingKey'], split_seed: name } : bucketedBy(head, name)),
  }
}

function bucketOf(bucket: unknown) {
  const [variant, weight]: readonly unknown[] = Array.isArray(bucket) ? bucket : []
  if (typeof variant !== 'string' || (weight !== undefined && !Number.isInteger(weight)))
    throw new Unsupported('A bucket of its fractional split is not a name and a whole number.')
  return { variant, weight: typeof weight === 'number' ? Math.max(0, weight) : 1 }
}

/** `{"var": …}`, or `{"cat": [{"var": "$flagd.flagKey"}, {"var": …}]}`. */
function bucketedBy(expression: unknown, name: string) {
  const alone = attributeIn(expression)
  if (alone !== null) return { split_by: [alone], split_seed: '' }
  const parts: readonly unknown[] = isJson(expression) && Array.isArray(expression.cat) ? expression.cat : []
  const [prefix, variable, ...more] = parts
  const attribute = attributeIn(variable)
  const seed = variableIn(prefix) === '$flagd.flagKey' ? name : textIn(prefix)
  if (attribute === null || seed === null || more.length > 0)
    throw new Unsupported('Its fractional split is bucketed by an expression.')
  return { split_by: [attribute], split_seed: seed }
}
