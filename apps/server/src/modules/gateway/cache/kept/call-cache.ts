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
  /** Flight in which others wait for the answer; null if the call is not the one they wait for. */
  readonly flight: Flight<CachedAnswer> | null
}

/** State of a call regarding the answer cache. */
export interface CallCache {
  readonly status: CacheStatus
  /** Set by the cache step if the answer of this call may be stored. */
  readonly fill: Fill | null
  /** Original remarks on an answer from the cache. */
  readonly told: Remarks | null
  /** Whether other calls wait for the answer of this one; null if none can. */
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
