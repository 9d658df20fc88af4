import type { Trace } from '../../../kernel/observe/trace.ts'
import type { CutBody } from '../providers/body-text.ts'
import type { UpstreamFault } from '../providers/fault.ts'
import type { Target } from '../providers/provider.ts'
import type { LeftOut } from '../schemas/left-out.ts'
import type { MaxTokens } from '../schemas/max-tokens.ts'
import type { Attempt } from '../schemas/request.ts'

/** Requests of a call to its targets. Only functions of this folder add to the lists. */
export interface CallAttempts {
  readonly log: Attempt[]
  /** The same attempts from their first moment, for telemetry and charging. */
  readonly traces: AttemptTrace[]
  /** The target that is being asked, or that has answered. */
  readonly served: Target | null
  /** Reductions of the maximum tokens of the answer, in order of application. */
  readonly lowered: readonly MaxTokens[]
  /** Targets that could not be asked. */
  readonly leftOut: readonly LeftOut[]
  /** Pointers of request members that were omitted for the last target, because it does not support them. */
  readonly dropped: readonly string[]
}

export interface WithAttempts {
  readonly attempts: CallAttempts
}

export function noAttempts(): CallAttempts {
  return { log: [], traces: [], served: null, lowered: [], leftOut: [], dropped: [] }
}

/** Logs an attempt, replacing its earlier log entry; returns the index of the entry. */
export function logAttempt({ attempts: { log } }: WithAttempts, attempt: Attempt, at = log.length): number {
  log[at] = attempt
  return at
}

/** How an attempt ended: null is success; the string values are ends that are not the target's fault. */
export type AttemptEnd = UpstreamFault | 'outrun' | 'ended' | 'killed' | null

/** One request to one target, for telemetry. Times are from the monotonic clock. */
export interface AttemptTrace {
  readonly target: Target
  /** Its own span; null when no telemetry is recorded. */
  readonly span: Trace | null
  readonly startedMs: number
  /** Time of the last event of its answer; null while it runs. */
  endedMs: number | null
  end: AttemptEnd
  /** Received part of a complete answer that was cut off. */
  body: CutBody
}
