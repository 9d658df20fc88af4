import type { WithFacts } from '../call/facts.ts'
import type { WithAttempts } from './call-attempts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { childOf, formatTraceparent, parseTraceparent, type Trace } from '../../../kernel/observe/trace.ts'
import type { UpstreamFault } from '../providers/fault.ts'
import type { Target } from '../providers/provider.ts'

/** How an attempt ended: null is well, and the words are ends that are nobody's fault. */
export type AttemptEnd = UpstreamFault | 'outrun' | 'ended' | 'killed' | null

/** One question to one target, for telemetry. Times are of the monotonic clock. */
export interface AttemptTrace {
  readonly target: Target
  /** Its own span; null where nobody will hear of it. */
  readonly span: Trace | null
  readonly startedMs: number
  /** The last of its answer came; null while it runs. */
  endedMs: number | null
  end: AttemptEnd
}

/** Begins an attempt of the call and remembers it there. */
export function traceAttempt({ clock, random, telemetry }: Kernel, state: WithFacts & WithAttempts, target: Target): AttemptTrace {
  const isHeardOf = telemetry !== null || target.provider.continuesTrace === true
  const parent = isHeardOf ? parseTraceparent(state.facts.traceparent) : null
  const attempt: AttemptTrace = {
    target,
    span: parent === null ? null : childOf(parent, random.hex),
    startedMs: clock.monotonic(),
    endedMs: null,
    end: null,
  }
  state.attempts.traces.push(attempt)
  return attempt
}

/** What the provider is told about the trace: nothing, unless it is one of the operator's own. */
export function traceparentFor({ span, target }: AttemptTrace): string | null {
  return span !== null && target.provider.continuesTrace === true ? formatTraceparent(span) : null
}
