import { mostViolations } from './most-violations.ts'
import type { Remark } from './remark.ts'

export interface OutputHit {
  readonly rule: string
  readonly category: string
  readonly action: Remark['action']
  readonly location: string
  /** Type of the entity found. */
  readonly entity?: string
  /** The same value, hidden by the policy, was sent to the provider unredacted. */
  readonly inClear?: boolean
  /** Message configured by the author of the rule. */
  readonly message?: string | null
  /** Number of occurrences; 1 when absent. */
  readonly times?: number
}

/** Hits in an answer, to be reported again elsewhere. */
export interface HitLog {
  add(hit: OutputHit): void
  /** Reporting these in order has the same effect as reporting each hit, and they are few. */
  hits(): readonly OutputHit[]
}

/**
 * The first hits, as many as there are rows to show, are kept one by one; of the others only kind, place and number
 * matter.
 */
export function createHitLog(): HitLog {
  const first: OutputHit[] = []
  const rest = new Map<string, OutputHit>()
  return {
    add: (hit) => {
      if (first.length < mostViolations) return void first.push(hit)
      const { rule, category, action, location, entity = '', inClear = false } = hit
      const key = `${rule}\n${category}\n${action}\n${location}\n${entity}\n${inClear}`
      rest.set(key, { ...hit, times: (rest.get(key)?.times ?? 0) + (hit.times ?? 1) })
    },
    hits: () => [...first, ...rest.values()],
  }
}
