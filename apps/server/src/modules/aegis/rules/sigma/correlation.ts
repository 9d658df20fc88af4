/** A Sigma correlation over rules of the same text. Pure. Tested in sigma.test.ts. */

import { type Bounds, type Correlation, type Definition, mostGroupFields } from '../declared/schema.ts'
import { type CorrelationType, correlationTypes } from '../declared/words.ts'
import { RuleRefusal, segment } from '../engine/base/refusal.ts'
import { isMap } from '../engine/detection/selection.ts'

const root = '/correlation'
const members: ReadonlySet<string> = new Set([
  'type',
  'rules',
  'group-by',
  'timespan',
  'condition',
  'aliases',
  'generate',
])
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const temporals: ReadonlySet<string> = new Set(['temporal', 'temporal_ordered'])

export interface ReadCorrelation {
  /** Names or ids of the rules that it brings together, in their order. */
  readonly rules: readonly string[]
  /** Whether these rules open alerts of their own, too. */
  readonly generate: boolean
  readonly definition: Omit<Definition, 'sources'>
}

/** @throws RuleRefusal */
export function readCorrelation(correlation: unknown): ReadCorrelation {
  if (!isMap(correlation)) throw new RuleRefusal('correlation', root, 'The correlation is no map.')
  const unknown = Object.keys(correlation).find((name) => !members.has(name))
  if (unknown !== undefined)
    throw new RuleRefusal(
      `correlation ${unknown.slice(0, 60)}`,
      root + segment(unknown.slice(0, 60)),
      'This member is not supported.',
    )
  const type = typeOf(correlation.type)
  const rules = textsOf(correlation.rules, `${root}/rules`)
  if (rules.length === 0) throw new RuleRefusal('rules', `${root}/rules`, 'The correlation names no rules.')
  if (rules.length > 20)
    throw new RuleRefusal('rules', `${root}/rules`, 'A correlation brings together at most 20 rules.')
  const groupBy = textsOf(correlation['group-by'] ?? [], `${root}/group-by`)
  if (groupBy.length > mostGroupFields)
    throw new RuleRefusal('group-by', `${root}/group-by`, `At most ${mostGroupFields} fields make a group.`)
  const { field, percentile, bounds } = conditionOf(type, correlation.condition)
  return {
    rules,
    generate: correlation.generate === true,
    definition: {
      type: 'correlation',
      group_by: [...groupBy],
      window_seconds: secondsOf(correlation.timespan),
      threshold: null,
      field: null,
      correlation: { type, field, percentile, bounds, aliases: aliasesOf(correlation.aliases) },
    },
  }
}

function typeOf(type: unknown): CorrelationType {
  const found = correlationTypes.find((name) => name === type)
  if (found !== undefined) return found
  const told = typeof type === 'string' ? type.slice(0, 60) : 'without type'
  const detail = `Supported are ${correlationTypes.join(', ')}.`
  throw new RuleRefusal(`correlation ${told}`, `${root}/type`, detail)
}

function secondsOf(timespan: unknown): number {
  const [, digits = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(String(timespan)) ?? []
  const seconds = Number(digits) * (unitSeconds[unit] ?? 0)
  if (seconds >= 10 && seconds <= 86_400) return seconds
  throw new RuleRefusal('timespan', `${root}/timespan`, 'The timespan is 10 seconds to one day, as 5m, 1h or 1d.')
}

function conditionOf(type: CorrelationType, condition: unknown) {
  const at = `${root}/condition`
  if (condition === undefined && temporals.has(type)) return { field: null, percentile: null, bounds: {} }
  if (typeof condition === 'string')
    throw new RuleRefusal('condition expression', at, 'Extended conditions of correlations are not supported.')
  if (!isMap(condition)) throw new RuleRefusal('condition', at, 'The correlation needs a condition.')
  if (temporals.has(type)) throw new RuleRefusal('condition', at, `A correlation ${type} has no condition.`)
  const { field, percentile, ...written } = condition
  if (field !== undefined && typeof field !== 'string')
    throw new RuleRefusal('field', `${at}/field`, 'Only one field is supported.')
  if (percentile !== undefined && !(typeof percentile === 'number' && percentile >= 0 && percentile <= 100))
    throw new RuleRefusal('percentile', `${at}/percentile`, 'A percentile is a number from 0 to 100.')
  return { field: field ?? null, percentile: percentile ?? null, bounds: boundsOf(written, at) }
}

const operators = ['gt', 'gte', 'lt', 'lte', 'eq'] as const

function boundsOf(written: Readonly<Record<string, unknown>>, at: string): Bounds {
  const unknown = Object.keys(written).find((name) => !operators.some((operator) => operator === name))
  if (unknown !== undefined) {
    const detail = `Supported are ${operators.join(', ')}.`
    throw new RuleRefusal(`condition ${unknown.slice(0, 40)}`, at + segment(unknown.slice(0, 60)), detail)
  }
  const bounds: Bounds = {}
  for (const operator of operators) {
    const bound = written[operator]
    if (bound === undefined) continue
    if (typeof bound !== 'number') throw new RuleRefusal(operator, `${at}/${operator}`, 'A bound is a number.')
    bounds[operator] = bound
  }
  return bounds
}

function aliasesOf(aliases: unknown): Correlation['aliases'] {
  const at = `${root}/aliases`
  if (aliases === undefined) return {}
  if (!isMap(aliases)) throw new RuleRefusal('aliases', at, 'Aliases are a map.')
  return Object.fromEntries(
    Object.entries(aliases).map(([name, byRule]) => {
      const isTexts = isMap(byRule) && Object.values(byRule).every((field) => typeof field === 'string')
      if (!isTexts) throw new RuleRefusal('aliases', at + segment(name), 'An alias is a field for each rule.')
      return [name, Object.fromEntries(Object.entries(byRule).map(([rule, field]) => [rule, String(field)]))]
    }),
  )
}

function textsOf(value: unknown, pointer: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item, index) => {
    if (typeof item === 'string' && item.length <= 256) return item
    throw new RuleRefusal(pointer.split('/').at(-1) ?? 'value', pointer + segment(index), 'A text is expected.')
  })
}
