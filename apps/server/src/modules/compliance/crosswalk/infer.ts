/**
 * Coverage of a control that follows from controls of other frameworks through mappings, at most two hops away. Success
 * follows along equal and superset, failure along equal and subset; what covers a part gives a lower bound, and several
 * parts give the greatest of theirs. Pure. Tested in infer.test.ts.
 */
import type { Result } from '../scoring/words.ts'
import { compose, inverse, type Relation } from './relations.ts'

/** `<framework key> <ref>`. */
export type ControlName = string

export interface Mapping {
  readonly id: string
  readonly source: ControlName
  readonly target: ControlName
  readonly relation: Relation
  /** Share of the target that the source covers, 0 to 1; null where nobody said. */
  readonly coverage: number | null
  /** 1 to 10; null where nobody said. */
  readonly strength: number | null
  /** 0 to 1. */
  readonly confidence: number
}

export interface SourceState {
  readonly result: Result
  /** s of the control, 0 to 1. */
  readonly value: number
}

export interface Inherited {
  /** Controls from the source to the target, both included. */
  readonly path: readonly ControlName[]
  readonly mapping_ids: readonly string[]
  readonly relation: Relation
  readonly outcome: 'satisfied' | 'partially_satisfied' | 'not_satisfied'
  /** Lower bound of the share of the target that is satisfied, 0 to 1. */
  readonly k: number
  /** The bound rests on an assumption that nobody reviewed, so it counts only after a review. */
  readonly assumed: boolean
  readonly confidence: number
}

export interface Inference {
  readonly inherited: readonly Inherited[]
  /** Greatest lower bound of those without assumptions. */
  readonly lower: number
  /** min(1, Σ kᵢ) of all of them: the most that could be true. */
  readonly upper: number
  /** Satisfied by one source and not satisfied by another. */
  readonly conflict: boolean
}

interface Hop {
  readonly from: ControlName
  readonly relation: Relation
  readonly mapping: Mapping
  /** Read from its target to its source: coverage and strength were said of the other end. */
  readonly reversed: boolean
}

/** Mappings by the control at which they end, each readable from both ends. */
export type MappingIndex = ReadonlyMap<ControlName, readonly Hop[]>

export function indexMappings(mappings: readonly Mapping[]): MappingIndex {
  const index = new Map<ControlName, Hop[]>()
  const add = (to: ControlName, hop: Hop) => {
    const known = index.get(to)
    if (known === undefined) index.set(to, [hop])
    else known.push(hop)
  }
  for (const mapping of mappings) {
    const { source, target, relation } = mapping
    add(target, { from: source, relation, mapping, reversed: false })
    add(source, { from: target, relation: inverse(relation), mapping, reversed: true })
  }
  return index
}

/** Inheritance of `target` from the controls whose states are known. */
export function infer(
  target: ControlName,
  index: MappingIndex,
  stateOf: (control: ControlName) => SourceState | null,
): Inference {
  const inherited = [...pathsTo(target, index)].flatMap((path) => inheritedBy(path, stateOf) ?? [])
  const counted = inherited.filter(({ outcome }) => outcome !== 'not_satisfied')
  return {
    inherited,
    lower: counted.reduce((best, { k, assumed }) => (assumed ? best : Math.max(best, k)), 0),
    upper: Math.min(
      1,
      counted.reduce((sum, { k }) => sum + k, 0),
    ),
    conflict:
      inherited.some(({ outcome }) => outcome === 'satisfied') &&
      inherited.some(({ outcome }) => outcome === 'not_satisfied'),
  }
}

interface Path {
  readonly names: readonly ControlName[]
  readonly mappings: readonly Mapping[]
  /** Of the first control to the last; null where only an overlap is sure. */
  readonly relation: Relation | 'overlap'
  /** Stated share of the last control that the first covers; null where nobody said. */
  readonly stated: number | null
}

function* pathsTo(target: ControlName, index: MappingIndex): Generator<Path> {
  for (const near of index.get(target) ?? []) {
    yield {
      names: [near.from, target],
      mappings: [near.mapping],
      relation: near.relation,
      stated: near.reversed ? null : statedShare(near.mapping),
    }
    for (const far of index.get(near.from) ?? []) {
      if (far.from === target || frameworkOf(far.from) === frameworkOf(target)) continue
      const relation = compose(far.relation, near.relation)
      if (relation === null) continue
      yield {
        names: [far.from, near.from, target],
        mappings: [far.mapping, near.mapping],
        relation,
        // Shares of two hops do not multiply: the parts may be different ones.
        stated: 0,
      }
    }
  }
}

const frameworkOf = (name: ControlName): string => name.slice(0, name.indexOf(' '))

const statedShare = ({ coverage, strength }: Mapping): number | null =>
  coverage ?? (strength === null ? null : strength / 10)

const assumedShare = { 'subset-of': 0.5, 'intersects-with': 0.3 } as const

function inheritedBy(
  { names, mappings, relation, stated }: Path,
  stateOf: (control: ControlName) => SourceState | null,
): Inherited | null {
  const state = stateOf(names[0] ?? '')
  if (state === null) return null
  const shown: Relation = relation === 'overlap' ? 'intersects-with' : relation
  const common = {
    path: names,
    mapping_ids: mappings.map(({ id }) => id),
    relation: shown,
    confidence: mappings.reduce((product, { confidence }) => product * confidence, 1),
  }
  if (state.result === 'not_satisfied')
    return shown === 'equal-to' || shown === 'subset-of'
      ? { ...common, outcome: 'not_satisfied', k: 0, assumed: false }
      : null
  if (state.result !== 'satisfied') return null
  if (shown === 'equal-to' || shown === 'superset-of')
    return { ...common, outcome: 'satisfied', k: state.value, assumed: false }
  if (shown === 'no-relationship') return null
  const share = stated ?? assumedShare[shown]
  return { ...common, outcome: 'partially_satisfied', k: share * state.value, assumed: stated === null }
}
