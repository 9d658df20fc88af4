/**
 * Estimated usage of targets that received the question but whose answer did not arrive. A target whose question was
 * ended while it wrote a complete answer is charged for the text written so far: the bytes that arrived or were
 * announced by Content-Length, as for streams, and if nothing was announced at least `tokensPerSecond` for the elapsed
 * time. Never more than the call allowed, which is the reserved amount. Tested in cut-off.test.ts and
 * several-targets.test.ts.
 */

import type { AttemptTrace, WithAttempts } from '../attempts/call-attempts.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import type { WithFacts } from '../call/facts.ts'
import { tokensOf } from '../call/tokens.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { withinLimits } from '../plan/limits.ts'
import { hasRead, UpstreamFault } from '../providers/fault.ts'
import type { Target } from '../providers/provider.ts'
import { boundOutput, countInput } from '../tokens/bounds.ts'
import type { WithMoney } from './call-money.ts'

type AskedCall = WithFacts & WithPlan & WithMoney & WithAttempts & WithAnswer

export interface Unanswered {
  readonly target: Target
  readonly used: Usage
}

/** Typical speed of a mid-size hosted model. No provider reports the progress of an answer it did not send. */
export const tokensPerSecond = 50

/** Cut off, too slow, or withheld by their own filter: they charge for the tokens they read and wrote. */
export function unanswered(state: AskedCall): readonly Unanswered[] {
  const { flow } = state.answer
  const { served, traces } = state.attempts
  const answering = flow === null ? undefined : traces.findLast(({ target }) => target === served)
  const inputTokens = countInput(state.plan.call).about
  return traces
    .filter((trace) => trace !== answering && (!(trace.end instanceof UpstreamFault) || hasRead(trace.end)))
    .map((trace) => ({
      target: trace.target,
      used: countedTokens('estimated', { inputTokens, outputTokens: written(state, trace) }),
    }))
}

function written(state: AskedCall, trace: AttemptTrace): number {
  if (!isCutOff(state, trace)) return 0
  const most = mostWritten(state, trace.target)
  const tokens = tokensOf(trace.body.bytes)
  if (state.facts.asked.stream || trace.body.isAnnounced) return Math.min(tokens, most)
  const seconds = ((trace.endedMs ?? trace.startedMs) - trace.startedMs) / 1000
  const choices = Math.max(1, state.plan.call.choices)
  return Math.min(Math.max(tokens, Math.ceil(seconds * tokensPerSecond * choices)), most)
}

/**
 * Ended while the target wrote, and reserved with an answer: the last target that was asked, and the slower of two that
 * were asked at once. Earlier targets that were asked in vain are reserved without an answer.
 */
function isCutOff({ attempts: { traces } }: WithAttempts, trace: AttemptTrace): boolean {
  if (trace.end === null || trace.end === 'outrun') return true
  return trace === traces.at(-1) && (trace.end === 'ended' || trace.end === 'killed')
}

function mostWritten({ plan, money, facts }: AskedCall, target: Target): number {
  const price = money.prices?.find(target, facts.startedAt) ?? null
  return boundOutput(withinLimits(plan.call, target), price?.maxOutputTokens ?? null)
}
