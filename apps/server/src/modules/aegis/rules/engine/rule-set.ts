/**
 * Many rules over one event: found by its log source and by a field that a rule compares with constants, so that a rule is
 * asked only about events that can match. Pure. Tested in rule-set.test.ts.
 */
import type { Category } from '../declared/words.ts'
import { fieldGetter, type Getter, type RuleRecord } from './base/record.ts'
import { categoriesOf } from './channels.ts'
import { CelFault, type CompiledRule, type CompiledSource } from './compile.ts'
import { lowerCase, textOf } from './detection/values.ts'

export interface Match<R> {
  readonly rule: R
  readonly source: number
}

/** Told of every evaluation: its duration in milliseconds, and whether it could not be decided. */
export type Observer<R> = (rule: R, ms: number, undecided: boolean) => void

export interface RuleSet<R> {
  /** Rules that match the event, with the source that does. */
  match(record: RuleRecord, observe?: Observer<R>): readonly Match<R>[]
}

interface Candidate<R> extends Match<R> {
  readonly compiled: CompiledSource
}

interface Anchored<R> {
  readonly read: Getter
  readonly byValue: Map<string, Candidate<R>[]>
}

interface Index<R> {
  readonly anchored: Map<string, Anchored<R>>
  /** Rules without an anchor, asked about every event. */
  readonly rest: Candidate<R>[]
}

/** Duration is not measured without an observer. */
export function createRuleSet<R>(
  rules: readonly { readonly rule: R; readonly compiled: CompiledRule }[],
  monotonic: () => number = () => 0,
): RuleSet<R> {
  const indexes = new Map<Category, Index<R>>()
  for (const { rule, compiled } of rules)
    for (const [source, part] of compiled.sources.entries()) place(indexes, { rule, source, compiled: part })
  return {
    match: (record, observe) => {
      const found: Match<R>[] = []
      const ask = (candidate: Candidate<R>): void => {
        if (holds(candidate, record, { observe, monotonic })) found.push(candidate)
      }
      for (const category of categoriesOf(record.channel)) {
        const index = indexes.get(category)
        if (index !== undefined) askCandidates(index, record, ask)
      }
      return found
    },
  }
}

function place<R>(indexes: Map<Category, Index<R>>, candidate: Candidate<R>): void {
  const { category, anchors } = candidate.compiled
  const index: Index<R> = indexes.get(category) ?? { anchored: new Map(), rest: [] }
  indexes.set(category, index)
  const field = anchorOf(candidate.compiled)
  if (field === null) {
    index.rest.push(candidate)
    return
  }
  const anchored: Anchored<R> = index.anchored.get(field) ?? { read: fieldGetter(field), byValue: new Map() }
  index.anchored.set(field, anchored)
  for (const value of anchors.get(field) ?? []) {
    const candidates = anchored.byValue.get(value)
    if (candidates === undefined) anchored.byValue.set(value, [candidate])
    else candidates.push(candidate)
  }
}

/** The field with the fewest values; the channel only where there is no other, because many events share one. */
function anchorOf({ anchors }: CompiledSource): string | null {
  const fields = [...anchors].toSorted(([, one], [, other]) => one.size - other.size).map(([field]) => field)
  return fields.find((field) => field !== 'channel') ?? fields[0] ?? null
}

/** Asks each rule once that the event can match. */
function askCandidates<R>(
  { anchored, rest }: Index<R>,
  record: RuleRecord,
  ask: (candidate: Candidate<R>) => void,
): void {
  for (const candidate of rest) ask(candidate)
  for (const { read, byValue } of anchored.values()) {
    const value = read(record)
    if (value === undefined || value === null) continue
    if (Array.isArray(value))
      for (const candidate of new Set(value.flatMap((item) => lookUp(byValue, item)))) ask(candidate)
    else for (const candidate of lookUp(byValue, value)) ask(candidate)
  }
}

const none: readonly never[] = []

function lookUp<R>(byValue: ReadonlyMap<string, readonly Candidate<R>[]>, value: unknown): readonly Candidate<R>[] {
  const text = textOf(value)
  return text === null ? none : (byValue.get(lowerCase(text)) ?? none)
}

interface Observation<R> {
  readonly observe: Observer<R> | undefined
  readonly monotonic: () => number
}

/** An event that a condition cannot decide does not match it. */
function holds<R>(
  { rule, compiled }: Candidate<R>,
  record: RuleRecord,
  { observe, monotonic }: Observation<R>,
): boolean {
  if (observe === undefined) return decided(compiled, record) ?? false
  const from = monotonic()
  const decision = decided(compiled, record)
  observe(rule, monotonic() - from, decision === null)
  return decision ?? false
}

function decided(compiled: CompiledSource, record: RuleRecord): boolean | null {
  try {
    return compiled.holds(record)
  } catch (error) {
    if (error instanceof CelFault) return null
    throw error
  }
}

export type { CompiledRule }
