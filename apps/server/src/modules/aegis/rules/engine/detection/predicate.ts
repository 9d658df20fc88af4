import type { RuleRecord } from '../base/record.ts'

export type Predicate = (record: RuleRecord) => boolean

/**
 * Condition necessary for a predicate to be true: the field has one of the values (lower case). These fields index the
 * rules, so that a rule is not evaluated for every event.
 */
export type Anchors = ReadonlyMap<string, ReadonlySet<string>>

export interface Compiled {
  readonly holds: Predicate
  readonly anchors: Anchors
}

export const noAnchors: Anchors = new Map()

export function allOf(parts: readonly Compiled[]): Compiled {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const predicates = parts.map(({ holds }) => holds)
  const anchors = new Map<string, ReadonlySet<string>>()
  for (const part of parts)
    for (const [field, values] of part.anchors) {
      const before = anchors.get(field)
      if (before === undefined || values.size < before.size) anchors.set(field, values)
    }
  const [one, two] = predicates
  if (predicates.length === 2 && one !== undefined && two !== undefined)
    return { holds: (record) => one(record) && two(record), anchors }
  return { holds: (record) => predicates.every((holds) => holds(record)), anchors }
}

export function anyOf(parts: readonly Compiled[]): Compiled {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const predicates = parts.map(({ holds }) => holds)
  const anchors = new Map<string, ReadonlySet<string>>()
  for (const field of first?.anchors.keys() ?? []) {
    const sets = parts.map((part) => part.anchors.get(field))
    if (sets.every((set) => set !== undefined)) anchors.set(field, new Set(sets.flatMap((set) => [...set])))
  }
  return { holds: (record) => predicates.some((holds) => holds(record)), anchors }
}

export const not = ({ holds }: Compiled): Compiled => ({ holds: (record) => !holds(record), anchors: noAnchors })
