import type { Kernel } from '../../../kernel/kernel.ts'
import { childOf, formatTraceparent, parseTraceparent } from '../../../kernel/observe/trace.ts'
import type { WithFacts } from '../call/facts.ts'
import type { Target } from '../providers/provider.ts'
import type { AttemptTrace, WithAttempts } from './call-attempts.ts'

/** Begins an attempt and records it in the call. */
export function traceAttempt(
  { clock, random, telemetry }: Kernel,
  state: WithFacts & WithAttempts,
  target: Target,
): AttemptTrace {
  const isHeardOf = telemetry !== null || target.provider.continuesTrace === true
  const parent = isHeardOf ? parseTraceparent(state.facts.traceparent) : null
  const attempt: AttemptTrace = {
    target,
    span: parent === null ? null : childOf(parent, random.hex),
    startedMs: clock.monotonic(),
    endedMs: null,
    end: null,
    body: { bytes: 0, isAnnounced: false },
  }
  state.attempts.traces.push(attempt)
  return attempt
}

/** `traceparent` header for the provider; null (none) unless the provider is one of the operator's own. */
export function traceparentFor({ span, target }: AttemptTrace): string | null {
  return span !== null && target.provider.continuesTrace === true ? formatTraceparent(span) : null
}
