/** How the events of one group become a hit, by the type of the rule. Pure. Tested in correlation.test.ts. */
import type { Bounds } from '../../declared/schema.ts'
import type { CorrelationType } from '../../declared/words.ts'

/** One event that matched, as the plan needs it. */
export interface Contribution {
  /** Unix milliseconds. */
  readonly at: number
  /** Which of the rule's sources matched. */
  readonly source: number
  /** Value of the rule's field in the event; undefined where it has none. */
  readonly value: unknown
}

export interface Step {
  /** As it is stored, as JSON. */
  readonly state: unknown
  readonly fired: boolean
  /** Too late for its window, and not counted. */
  readonly late: boolean
  /** Unix milliseconds after which the state says nothing any more. */
  readonly expiresAt: number
  /** Unix milliseconds at which the absence of another event is a hit; null where it is none. */
  readonly dueAt: number | null
}

/** The step from the state of a group (undefined for a new one) to the next. The state that it is given is used up. */
export type Plan = (state: unknown, contribution: Contribution) => Step

export interface CorrelationPlan {
  readonly type: CorrelationType
  readonly windowMs: number
  readonly bounds: Bounds
  readonly percentile: number | null
  readonly sources: number
}

export function withinBounds(value: number, { gt, gte, lt, lte, eq }: Bounds): boolean {
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte) &&
    (eq === undefined || value === eq)
  )
}

/** The list of entries out of a stored state; a state of any other form counts as empty. */
export function entriesOf<E extends readonly unknown[]>(state: unknown): E[] {
  const entries: unknown = typeof state === 'object' && state !== null && 'e' in state ? state.e : undefined
  return Array.isArray(entries) ? entries : []
}
