/**
 * Compiles the definition of a rule to closures. Promises that a definition is read completely before it runs, that what
 * cannot be compiled is refused with its construct and place, and that no event costs more than the bounds of its parts.
 * Pure. Tested in detection.test.ts and rule-set.test.ts.
 */
import { type CelCondition, CelFault, compileCel } from '../../../../kernel/cel/program.ts'
import type { CelFields } from '../../../../kernel/cel/shape.ts'
import type { Correlation, Definition, Source } from '../declared/schema.ts'
import type { Category } from '../declared/words.ts'
import { fieldGetter, type Getter, type RuleRecord } from './base/record.ts'
import { RuleRefusal } from './base/refusal.ts'
import { channelsOf } from './channels.ts'
import { eventCount, valueAvg, valueCount, valuePercentile, valueSum } from './correlation/counts.ts'
import { absence, anomaly, newValue } from './correlation/native.ts'
import type { CorrelationPlan, Plan } from './correlation/plan.ts'
import { temporal } from './correlation/temporal.ts'
import { compileDetection } from './detection/detection.ts'
import { type Anchors, type Compiled, noAnchors } from './detection/predicate.ts'

export interface CompiledSource {
  readonly category: Category
  /** @throws CelFault where a condition cannot be decided for the event */
  readonly holds: (record: RuleRecord) => boolean
  readonly anchors: Anchors
  /** Values of the group, in the order of its fields. */
  readonly group: readonly Getter[]
  readonly value: Getter | null
}

export interface CompiledRule {
  readonly sources: readonly CompiledSource[]
  /** Names of the group's fields. */
  readonly groupBy: readonly string[]
  /** Null where each event that matches is a hit. */
  readonly plan: Plan | null
  /** Beginnings of the channels whose events can match; none for rules without a source. */
  readonly channels: readonly string[]
}

const eventFields: CelFields = {
  event: {
    shape: {
      fields: {
        channel: { shape: 'string' },
        subject: { shape: 'string' },
        time: { shape: 'timestamp' },
        data: { shape: 'dyn' },
      },
    },
  },
}

/** @throws RuleRefusal */
export function compileRule(definition: Definition): CompiledRule {
  const { group_by: groupBy, correlation } = definition
  const field = correlation?.field ?? definition.field
  const sources = definition.sources.map((source, index) => ({
    category: source.category,
    ...compileSource(source, definition.sources.length === 1 ? '' : `/sources/${index}`),
    group: groupBy.map((name) => fieldGetter(correlation?.aliases[name]?.[source.name] ?? name)),
    value: field === null ? null : fieldGetter(field),
  }))
  return { sources, groupBy, plan: planOf(definition), channels: [...new Set(sources.flatMap(channelsOfSource))] }
}

function compileSource({ condition, detection }: Source, pointer: string): Compiled {
  if (detection !== null && condition === null) return compileDetection(detection, `${pointer}/detection`)
  if (condition === null || detection !== null) {
    const detail = 'Give either a condition in CEL or a detection.'
    throw new RuleRefusal('condition', `${pointer}/condition`, detail)
  }
  const compiled = compileCel(condition, eventFields)
  if (!compiled.ok) {
    const place = compiled.position === null ? '' : ` (character ${compiled.position})`
    throw new RuleRefusal('condition', `${pointer}/condition`, `${compiled.reason}${place}`, 'expression')
  }
  return { holds: celPredicate(compiled.condition), anchors: anchorsOfCel(condition) }
}

const celPredicate =
  (condition: CelCondition) =>
  ({ channel, subject, time, data }: RuleRecord): boolean =>
    condition.holds({ event: { channel, subject, time, data } })

/** The channel, where the condition begins by comparing it. */
function anchorsOfCel(condition: string): Anchors {
  const [, channel] = /^\s*event\.channel\s*==\s*["']([a-z0-9_.]+)["']\s*(?:&&|$)(?!.*\|\|)/s.exec(condition) ?? []
  return channel === undefined ? noAnchors : new Map([['channel', new Set([channel])]])
}

export { CelFault }

/** The channels that a source compares with, else those of its log source. */
function channelsOfSource({ anchors, category }: Pick<CompiledSource, 'anchors' | 'category'>): readonly string[] {
  const named = anchors.get('channel')
  const own = channelsOf[category]
  if (named === undefined) return own
  return [...named].filter((channel) => own.some((prefix) => channel.startsWith(prefix)))
}

/** @throws RuleRefusal */
function planOf(definition: Definition): Plan | null {
  const { type, threshold, field } = definition
  const windowMs = (definition.window_seconds ?? 0) * 1_000
  switch (type) {
    case 'match':
      return null
    case 'new_value':
      if (field === null) throw missing('field', 'A rule of type new_value needs the field whose values it watches.')
      return newValue(windowMs)
    case 'absence':
      return absence(neededWindow(windowMs))
    case 'anomaly':
      return anomaly(neededWindow(windowMs), threshold ?? 6)
    case 'threshold': {
      if (threshold === null) throw missing('threshold', 'A rule of type threshold needs a threshold.')
      const plan = { windowMs: neededWindow(windowMs), bounds: { gte: threshold }, percentile: null, sources: 1 }
      return field === null
        ? eventCount({ ...plan, type: 'event_count' })
        : valueCount({ ...plan, type: 'value_count' })
    }
    case 'correlation':
      if (definition.correlation === null)
        throw missing('correlation', 'A rule of type correlation needs a correlation.')
      return correlationPlan(definition.correlation, definition.sources.length, neededWindow(windowMs))
  }
}

function neededWindow(windowMs: number): number {
  if (windowMs === 0) throw missing('window_seconds', 'A rule of this type needs a window.')
  return windowMs
}

const missing = (member: string, detail: string): RuleRefusal => new RuleRefusal(member, `/${member}`, detail)

const counted: ReadonlySet<string> = new Set(['event_count', 'value_count'])

function correlationPlan(correlation: Correlation, sources: number, windowMs: number): Plan {
  const { type, bounds, percentile, field } = correlation
  const plan: CorrelationPlan = { type, windowMs, bounds, percentile, sources }
  if (type === 'temporal' || type === 'temporal_ordered') {
    if (sources < 2) throw missing('correlation', 'A temporal correlation needs at least two rules.')
    return temporal(plan, type === 'temporal_ordered')
  }
  if (Object.keys(bounds).length === 0) throw missing('correlation', 'The correlation needs a condition.')
  if (type !== 'event_count' && field === null) throw missing('correlation', `The correlation ${type} needs a field.`)
  if (counted.has(type) && bounds.gt === undefined && bounds.gte === undefined && bounds.eq === undefined) {
    const detail = 'A count below a bound needs the end of the window; use a rule of type absence.'
    throw new RuleRefusal(`${type} below a bound`, '/correlation/condition', detail)
  }
  if (counted.has(type) && Object.values(bounds).some((bound) => bound > 10_000)) {
    throw new RuleRefusal(`${type} above 10000`, '/correlation/condition', 'At most 10,000 events are counted.')
  }
  return {
    event_count: eventCount,
    value_count: valueCount,
    value_sum: valueSum,
    value_avg: valueAvg,
    value_percentile: valuePercentile,
  }[type](plan)
}
