/** Conditions of flagd's targeting (JSON Logic) as alternatives of constraints that hold together. Tested in flagd.test.ts. */
import type { Constraint } from '../schemas/rules.ts'
import { resolved, variableIn } from './flagd-expressions.ts'
import { isJson, type Json } from './imported.ts'

/** Says in words what cannot be taken over. */
export class Unsupported extends Error {}

type Alternatives = readonly (readonly Constraint[])[]

/** Alternatives kept; a condition with more is no list of rules any more. */
const most = 50

/** @throws Unsupported */
export function conditionOf(given: unknown, evaluators: Json): Alternatives {
  const logic = resolved(given, evaluators)
  if (logic === true) return [[]]
  if (!isJson(logic)) throw new Unsupported('A condition of its targeting is not an operation.')
  const [entry, ...more] = Object.entries(logic)
  if (entry === undefined || more.length > 0)
    throw new Unsupported('A condition of its targeting is not one operation.')
  const [operation, operand] = entry
  const args: readonly unknown[] = Array.isArray(operand) ? operand : [operand]
  if (operation === 'or') return bounded(args.flatMap((arg) => conditionOf(arg, evaluators)))
  if (operation === 'and')
    return args
      .map((arg) => conditionOf(arg, evaluators))
      .reduce((all, next) => bounded(all.flatMap((left) => next.map((right) => [...left, ...right]))), [
        [],
      ] as Alternatives)
  if (operation === '!') return [[negated(conditionOf(args[0], evaluators))]]
  return [comparison(operation, args)]
}

function bounded(alternatives: Alternatives): Alternatives {
  if (alternatives.length > most) throw new Unsupported('A condition of its targeting has too many alternatives.')
  return alternatives
}

function negated(alternatives: Alternatives): Constraint {
  const [only, ...more] = alternatives
  const [constraint, ...others] = only ?? []
  if (constraint === undefined || more.length > 0 || others.length > 0)
    throw new Unsupported('Its targeting negates more than one comparison.')
  return { ...constraint, inverted: constraint.inverted !== true }
}

const numeric: Readonly<Record<string, Constraint['operator']>> = {
  '>': 'NUM_GT',
  '>=': 'NUM_GTE',
  '<': 'NUM_LT',
  '<=': 'NUM_LTE',
}
const versions: Readonly<Record<string, Constraint['operator']>> = {
  '=': 'SEMVER_EQ',
  '>': 'SEMVER_GT',
  '>=': 'SEMVER_GTE',
  '<': 'SEMVER_LT',
  '<=': 'SEMVER_LTE',
}

function comparison(operation: string, args: readonly unknown[]): readonly Constraint[] {
  const [left, middle, right] = args
  if (operation === 'in') return [membership(left, middle)]
  const attribute = attributeIn(left)
  if (attribute === null)
    throw new Unsupported(`A comparison of its targeting (${operation}) does not begin with an attribute.`)
  if (operation === 'sem_ver') {
    const operator = versions[String(middle)]
    if (operator === undefined || typeof right !== 'string')
      throw new Unsupported(`The version range ${String(middle)} has no counterpart.`)
    return [{ attribute, operator, values: [right] }]
  }
  const value = single(middle)
  const operator = numeric[operation]
  if (operator !== undefined && typeof middle === 'number') return numberIn({ attribute, operator, value: middle })
  if (operation === '===' || operation === '!==') assertText(middle)
  if (operation === '==' || operation === '===') return [{ attribute, operator: 'IN', values: [value] }]
  if (operation === '!=' || operation === '!==') return [{ attribute, operator: 'NOT_IN', values: [value] }]
  if (operation === 'starts_with') return [{ attribute, operator: 'STR_STARTS_WITH', values: [value] }]
  if (operation === 'ends_with') return [{ attribute, operator: 'STR_ENDS_WITH', values: [value] }]
  throw new Unsupported(`The operation ${operation} has no counterpart.`)
}

/**
 * JSON Logic reads an attribute that is not there as 0, which our operators do not: where 0 would hold, the opposite is
 * negated, which holds for a missing attribute, and text that is no number is left out.
 */
function numberIn(wanted: {
  readonly attribute: string
  readonly operator: Constraint['operator']
  readonly value: number
}): readonly Constraint[] {
  const { attribute, operator, value } = wanted
  const zero: Partial<Record<Constraint['operator'], readonly [holds: boolean, opposite: Constraint['operator']]>> = {
    NUM_GT: [value < 0, 'NUM_LTE'],
    NUM_GTE: [value <= 0, 'NUM_LT'],
    NUM_LT: [value > 0, 'NUM_GTE'],
    NUM_LTE: [value >= 0, 'NUM_GT'],
  }
  const [holds, opposite] = zero[operator] ?? [false, operator]
  const values = [String(value)]
  if (!holds) return [{ attribute, operator, values }]
  return [
    { attribute, operator: opposite, values, inverted: true },
    { attribute, operator: 'REGEX', values: ['[^\\d\\s.eE+-]'], inverted: true },
  ]
}

/** Values are compared as text here: a strict comparison that tells the number 18 from the text "18" cannot be said. */
function assertText(value: unknown): void {
  if (typeof value === 'string' && !/^\s*(?:[+-]?[\d.]|true$|false$)/.test(value)) return
  throw new Unsupported('A strict comparison of its targeting is with a number or a boolean, which has no counterpart.')
}

/** The attribute a comparison asks for; null where it is none. @throws Unsupported for one that cannot be read here */
export function attributeIn(expression: unknown): string | null {
  const attribute = variableIn(expression)
  if (attribute === null) return null
  if (isJson(expression) && Array.isArray(expression.var) && expression.var.length > 1)
    throw new Unsupported(`The attribute ${attribute} of its targeting has a default value, which has no counterpart.`)
  if (attribute.startsWith('$flagd.'))
    throw new Unsupported(`Its targeting asks for ${attribute}, which has no counterpart.`)
  if (attribute.includes('.'))
    throw new Unsupported(`Its targeting asks for ${attribute} inside another attribute, which has no counterpart.`)
  return attribute
}

/** A value in a list, or a text in a text. */
function membership(item: unknown, container: unknown): Constraint {
  const attribute = attributeIn(item)
  if (attribute !== null && Array.isArray(container))
    return { attribute, operator: 'IN', values: container.map(single) }
  const searched = attributeIn(container)
  if (searched !== null && typeof item === 'string')
    return { attribute: searched, operator: 'STR_CONTAINS', values: [item] }
  throw new Unsupported('An `in` of its targeting is neither a value in a list nor a text in an attribute.')
}

function single(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Unsupported('A comparison of its targeting is with something that is no single value.')
}
