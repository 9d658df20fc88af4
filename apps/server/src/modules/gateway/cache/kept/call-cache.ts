import type { Remarks } from '../../findings/remark.ts'
import type { CacheStatus } from '../../words/cache-status.ts'
import type { CacheRules } from '../question/rules.ts'
import type { CachedAnswer, Near } from './entry.ts'
import type { Flight } from './flights.ts'

/** Findings of a miss on its way: the place its answer is kept at. */
export interface Fill {
  readonly key: string
  readonly near: Near | null
  readonly rules: CacheRules
  /** Where others wait for the answer; null where the call is not the one they wait for. */
  readonly flight: Flight<CachedAnswer> | null
}

/** A call at the answer cache. */
export interface CallCache {
  readonly status: CacheStatus
  /** Set by the cache step when the answer of this call may be kept. */
  readonly fill: Fill | null
  /** Remarks on an answer out of the cache from when it came. */
  readonly told: Remarks | null
  /** Whether other calls wait for the answer of this one; null where none can. */
  readonly awaited: (() => boolean) | null
  /** Milliseconds the model took for an answer out of the cache. */
  readonly savedMs: number | null
}

export interface WithCache {
  readonly cached: CallCache
}

export function notCached(): CallCache {
  return { status: 'off', fill: null, told: null, awaited: null, savedMs: null }
}
