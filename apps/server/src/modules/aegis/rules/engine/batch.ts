/**
 * A batch of events through the rules of a tenant, in two steps around one read of the state of their groups: matching,
 * which needs no state, and advancing the groups that matched, in the order of the events. Pure. Tested in batch.test.ts.
 */
import type { Group } from '../../alerts/declared/fingerprint.ts'
import type { Entity, Evidence, GroupValue } from '../../alerts/declared/schema.ts'
import type { Getter, RuleRecord } from './base/record.ts'
import type { CompiledRule } from './compile.ts'
import { textOf } from './detection/values.ts'
import { entitiesOf, evidenceOf } from './event-facts.ts'
import type { RuleSet } from './rule-set.ts'

export interface ActiveRule {
  readonly id: string
  readonly compiled: CompiledRule
}

/** One event that a rule matched. */
export interface Matched<R extends ActiveRule> {
  readonly rule: R
  readonly record: RuleRecord
  readonly source: number
  readonly group: Group
  /** Tells the groups of a rule apart. */
  readonly key: string
}

/** Occurrences that a group remembers, for the evidence of its alert. */
const mostKept = 10

export interface Kept {
  readonly evidence: Evidence
  readonly entities: readonly Entity[]
}

/** Stored state of a group. Advancing it uses it up. */
export interface GroupState {
  readonly plan: unknown
  readonly group: Group
  readonly kept: Kept[]
}

export interface Hit<R extends ActiveRule> {
  readonly rule: R
  readonly group: Group
  readonly record: RuleRecord
  /** Events, oldest first: the event itself, and those that the group remembers. */
  readonly kept: readonly Kept[]
}

export interface StateChange {
  readonly ruleId: string
  readonly key: string
  readonly state: GroupState
  /** Unix milliseconds. */
  readonly lastSeen: number
  readonly expiresAt: number
  readonly dueAt: number | null
}

export function matchAll<R extends ActiveRule>(
  ruleSet: RuleSet<R>,
  records: readonly RuleRecord[],
  observe?: (rule: R, ms: number, undecided: boolean) => void,
): readonly Matched<R>[] {
  return records.flatMap((record) =>
    ruleSet.match(record, observe).map(({ rule, source }) => matchedOf({ rule, source, record })),
  )
}

export function matchedOf<R extends ActiveRule>(match: Pick<Matched<R>, 'rule' | 'source' | 'record'>): Matched<R> {
  const { rule, source, record } = match
  const { groupBy, sources } = rule.compiled
  const getters = sources[source]?.group ?? []
  const values: [string, GroupValue][] = []
  let key = ''
  for (const [place, name] of groupBy.entries()) {
    const read = getters[place]
    const value = read === undefined ? null : groupValue(read, record)
    values.push([name, value])
    // JSON where it could be taken for another value: of a number, or of a text with a line break.
    key += typeof value === 'string' && !value.includes('\n') ? `'${value}\n` : `${JSON.stringify(value)}\n`
  }
  return { rule, source, record, group: Object.fromEntries(values), key }
}

const mostValue = 512

/** Lists and objects count by their JSON; a field that is missing is null. */
function groupValue(read: Getter, record: RuleRecord): GroupValue {
  const value = read(record)
  if (typeof value === 'string') return value.slice(0, mostValue)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  return JSON.stringify(value).slice(0, mostValue)
}

export interface Advanced<R extends ActiveRule> {
  readonly hits: readonly Hit<R>[]
  readonly changes: readonly StateChange[]
  readonly late: readonly Matched<R>[]
}

export const stateKey = (ruleId: string, key: string): string => `${ruleId}\n${key}`

/** @param states what the groups remember, by `stateKey` */
export function advanceAll<R extends ActiveRule>(
  matched: readonly Matched<R>[],
  states: ReadonlyMap<string, GroupState>,
): Advanced<R> {
  const hits: Hit<R>[] = []
  const late: Matched<R>[] = []
  const changes = new Map<string, StateChange>()
  for (const match of matched) {
    const { plan } = match.rule.compiled
    if (plan === null) {
      hits.push(hitOf(match, []))
      continue
    }
    const at = stateKey(match.rule.id, match.key)
    const before = changes.get(at)?.state ?? states.get(at)
    const { change, fired, isLate } = advanced(match, before)
    if (isLate) late.push(match)
    changes.set(at, change)
    if (fired) hits.push(hitOf(match, change.state.kept))
  }
  return { hits, late, changes: [...changes.values()] }
}

function advanced<R extends ActiveRule>(
  { rule, record, source, group, key }: Matched<R>,
  before: GroupState | undefined,
) {
  const { plan, sources } = rule.compiled
  const contribution = { at: record.at, source, value: sources[source]?.value?.(record) }
  const step = plan?.(before?.plan, contribution)
  if (step === undefined) throw new TypeError('A rule without a plan has no groups')
  const kept = before?.kept ?? []
  if (!step.late) kept.push(keptOf(record))
  if (kept.length > mostKept) kept.shift()
  const change: StateChange = {
    ruleId: rule.id,
    key,
    state: { plan: step.state, group, kept },
    lastSeen: record.at,
    expiresAt: step.expiresAt,
    dueAt: step.dueAt,
  }
  return { change, fired: step.fired, isLate: step.late }
}

/** Made once for an event, however many rules match it. */
const keptByRecord = new WeakMap<RuleRecord, Kept>()

function keptOf(record: RuleRecord): Kept {
  const known = keptByRecord.get(record)
  if (known !== undefined) return known
  const kept = { evidence: evidenceOf(record), entities: entitiesOf(record) }
  keptByRecord.set(record, kept)
  return kept
}

/** The event itself, or all that the group remembers. */
function hitOf<R extends ActiveRule>({ rule, group, record }: Matched<R>, kept: readonly Kept[]): Hit<R> {
  return { rule, group, record, kept: kept.length === 0 ? [keptOf(record)] : [...kept] }
}

/** The name of the rule with the values of the group, by which alerts are distinguished. */
export function titleOf(name: string, group: Group): string {
  const values = Object.values(group).flatMap((value) => {
    const text = textOf(value)
    return text === null || text === '' ? [] : [text.slice(0, 64)]
  })
  return values.length === 0 ? name : `${name}: ${values.join(', ')}`
}
