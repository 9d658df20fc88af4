/**
 * Constraints as predicates, made once when a flag is taken into memory. Patterns run on RE2, so that no pattern takes
 * more than linear time. A constraint whose attribute the context lacks does not hold, but for NOT_IN; `inverted` turns
 * that around too. Tested in ../import/unleash.test.ts and engine.test.ts.
 */
import { RE2JS } from 're2js'
import { compare, parse } from 'semver'
import { isAllowedAddress, isNetwork } from '../../../../kernel/net/networks.ts'
import type { Constraint, Operator } from '../schemas/rules.ts'

export type Attributes = Readonly<Record<string, unknown>>

/** Takes the text of an attribute; time predicates also take the moment. */
export type Predicate = (text: string | undefined) => boolean

/** Longest text a pattern is run on. */
const longestText = 10_000
const longestPattern = 512

/** The attribute as text; undefined where the context lacks it or holds something that is no single value. */
export function textOf(context: Attributes, attribute: string): string | undefined {
  if (!Object.hasOwn(context, attribute)) return undefined
  const value = context[attribute]
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Description of the error in the constraint; null when it is valid. */
export function constraintProblem({ operator, values }: Constraint): string | null {
  if (listOperators.has(operator)) {
    if (operator !== 'CIDR') return null
    const bad = values.find((value) => !isNetwork(value))
    return bad === undefined ? null : `${bad} is not a network in CIDR form.`
  }
  const [value, ...more] = values
  if (value === undefined || more.length > 0) return `${operator} takes exactly one value.`
  return valueProblem(operator, value)
}

const listOperators: ReadonlySet<Operator> = new Set<Operator>([
  'IN',
  'NOT_IN',
  'STR_CONTAINS',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'CIDR',
])

function valueProblem(operator: Operator, value: string): string | null {
  if (operator === 'REGEX')
    return patternOf(value, false) === null
      ? `The pattern is not in RE2 syntax or longer than ${longestPattern} characters.`
      : null
  if (operator.startsWith('NUM_')) return numberIn(value) === null ? `${value} is not a number.` : null
  if (operator.startsWith('DATE_')) return Number.isNaN(Date.parse(value)) ? `${value} is not a time.` : null
  return versionIn(value) === null ? `${value} is not a semantic version.` : null
}

/** How versions are read: as semver.org writes them, or as flagd does, also with a `v` and without the last numbers. */
export type VersionForm = 'semver' | 'flagd'

export function predicateOf(constraint: Constraint, versions: VersionForm = 'semver'): Predicate {
  const holds = plainPredicate(constraint, versions)
  return constraint.inverted === true ? (text) => !holds(text) : holds
}

function plainPredicate(constraint: Constraint, versions: VersionForm): Predicate {
  const { operator, values, case_insensitive: folded = false } = constraint
  const first = values[0] ?? ''
  if (operator === 'IN' || operator === 'NOT_IN') {
    const set = new Set(values)
    return operator === 'IN'
      ? (text) => text !== undefined && set.has(text)
      : (text) => text === undefined || !set.has(text)
  }
  if (operator === 'STR_CONTAINS') return ofText(values, folded, (text, value) => text.includes(value))
  if (operator === 'STR_STARTS_WITH') return ofText(values, folded, (text, value) => text.startsWith(value))
  if (operator === 'STR_ENDS_WITH') return ofText(values, folded, (text, value) => text.endsWith(value))
  if (operator === 'REGEX') return ofPattern(first, folded)
  if (operator === 'CIDR') {
    const networks = values.filter(isNetwork)
    return (text) => text !== undefined && networks.length > 0 && isAllowedAddress(text, networks)
  }
  if (operator === 'DATE_BEFORE' || operator === 'DATE_AFTER') {
    const sign = operator === 'DATE_BEFORE' ? -1 : 1
    return compared(
      Date.parse(first),
      (text) => Date.parse(text),
      (difference) => Math.sign(difference) === sign,
    )
  }
  if (operator.startsWith('SEMVER_'))
    return ofVersion(first, { order: orderOf(operator), read: versions === 'flagd' ? flagdVersionIn : versionIn })
  return compared(numberIn(first) ?? Number.NaN, (text) => numberIn(text) ?? Number.NaN, orderOf(operator))
}

function ofText(values: readonly string[], folded: boolean, test: (text: string, value: string) => boolean): Predicate {
  const fold = (text: string): string => (folded ? text.toLowerCase() : text)
  const wanted = values.map(fold)
  return (text) => {
    if (text === undefined) return false
    const given = fold(text)
    return wanted.some((value) => test(given, value))
  }
}

function ofPattern(source: string, folded: boolean): Predicate {
  const pattern = patternOf(source, folded)
  if (pattern === null) return () => false
  return (text) => text !== undefined && text.length <= longestText && pattern.matcher(text).find()
}

function patternOf(source: string, folded: boolean): RE2JS | null {
  if (source.length > longestPattern) return null
  try {
    return RE2JS.compile(source, folded ? RE2JS.CASE_INSENSITIVE : 0)
  } catch {
    // Syntax that RE2 lacks: declaring such a flag is refused, and an imported one never matches.
    return null
  }
}

function orderOf(operator: Operator): (difference: number) => boolean {
  if (operator.endsWith('_GTE')) return (difference) => difference >= 0
  if (operator.endsWith('_GT')) return (difference) => difference > 0
  if (operator.endsWith('_LTE')) return (difference) => difference <= 0
  if (operator.endsWith('_LT')) return (difference) => difference < 0
  return (difference) => difference === 0
}

function compared(wanted: number, read: (text: string) => number, order: (difference: number) => boolean): Predicate {
  return (text) => {
    const difference = text === undefined ? Number.NaN : read(text) - wanted
    return !Number.isNaN(difference) && order(difference)
  }
}

interface VersionTest {
  readonly order: (difference: number) => boolean
  readonly read: typeof versionIn
}

function ofVersion(value: string, { order, read }: VersionTest): Predicate {
  const wanted = read(value)
  return (text) => {
    const given = text === undefined ? null : read(text)
    return wanted !== null && given !== null && order(compare(given, wanted))
  }
}

/** The library reads `v1.0.0` and ` 1.0.0` as well, which semver.org does not. */
function versionIn(text: string) {
  return /^\d/.test(text) ? parse(text) : null
}

/** `v1.3` and `1` as well, as flagd's `sem_ver` takes them. */
function flagdVersionIn(text: string) {
  const plain = text.replace(/^[vV]/, '')
  return (
    versionIn(plain) ??
    (/^\d+(?:\.\d+)?$/.test(plain) ? versionIn(plain.includes('.') ? `${plain}.0` : `${plain}.0.0`) : null)
  )
}

function numberIn(text: string): number | null {
  if (!/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}
