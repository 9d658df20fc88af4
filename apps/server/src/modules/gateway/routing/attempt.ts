/**
 * One question to one target, from taking a key to the first content. Promises that every attempt is in the log with its
 * outcome, that health and traffic hear of it, and that the state of the call is changed only by the one that is used.
 * Tested in upstream-routes.test.ts.
 */

import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { WithLife } from '../admission/call-life.ts'
import { traceAttempt, traceparentFor } from '../attempts/attempt-trace.ts'
import { type AttemptEnd, logAttempt, type WithAttempts } from '../attempts/call-attempts.ts'
import type { AnswerFlow, WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithTimings } from '../call/timings.ts'
import type { Writes } from '../call/writes.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { faultOfLast } from '../plan/deadline.ts'
import { withinLimits } from '../plan/limits.ts'
import type { CutBody } from '../providers/body-text.ts'
import { UpstreamFault } from '../providers/fault.ts'
import { type ProviderSecret, type Target, targetKey } from '../providers/provider.ts'
import type { AskingParts } from './asking-parts.ts'
import { attemptEntry } from './attempt-entry.ts'
import { takePlace } from './brake.ts'
import { tellDropped } from './dropped.ts'
import { fitTarget } from './fit-target.ts'
import { openQuestion, type Question, stopProblem } from './question.ts'
import { receive } from './received.ts'
import { withShownFaults } from './shown-faults.ts'
import type { Attempting } from './traffic.ts'

export interface Trial {
  readonly target: Target
  /** Keys that were refused or limited in this call; the attempt adds its own. */
  readonly spent: Set<string>
  readonly signal: AbortWatch
  readonly refuseFiltered: boolean
}

export interface Answered {
  readonly kind: 'answered'
  readonly target: Target
  readonly flow: AnswerFlow
  readonly dropped: readonly string[]
  /** Requested output tokens, within the limits of its model. */
  readonly maxTokens: number | null
}

export type Attempted =
  | Answered
  /** `asked` is false where all keys rest, so no provider was asked. */
  | { readonly kind: 'failed'; readonly target: Target; readonly fault: UpstreamFault; readonly asked: boolean }
  /** Its breaker is open or the tenant's own limits are used up, and it was not asked. */
  | { readonly kind: 'resting'; readonly target: Target; readonly restMs: number; readonly limited: boolean }
  /** A kill switch stopped it, before or while it was asked. */
  | { readonly kind: 'killed'; readonly target: Target; readonly problem: ProblemError; readonly asked: boolean }

/** The other one of two that were asked was quicker. */
export class Outrun extends Error {}

/** @throws the error that ended the call, or `Outrun` */
export async function attempt(
  parts: AskingParts,
  state: WithFacts & WithLife & WithPlan & WithAttempts,
  trial: Trial,
): Promise<Attempted> {
  const { target, spent } = trial
  const problem = stopProblem(parts, state, target)
  if (problem !== null) return { kind: 'killed', target, problem, asked: false }
  const taken = parts.health.take(target, spent)
  if (taken.kind === 'open') return { kind: 'resting', target, restMs: taken.restMs, limited: false }
  if (taken.kind === 'limited') {
    const fault = new UpstreamFault('rate_limited', 'every key rests', { retryAfterMs: taken.restMs })
    return { kind: 'failed', target, fault, asked: false }
  }
  const { secret } = taken
  // Opened before anything is waited for: a switch that comes in between must find it.
  const question = openQuestion(state, target, trial.signal)
  const place = await takePlace(parts, { tenantId: state.facts.tenantId, call: state.plan.call }, target)
  if ('restMs' in place) {
    parts.health.left(target, secret)
    question.close()
    return { kind: 'resting', target, restMs: place.restMs, limited: true }
  }
  const form = state.facts.asked.stream ? 'stream' : 'whole'
  const begun = parts.routing.traffic.begin(targetKey(target), form)
  const ended = (): void => {
    begun.ended()
    place.leave()
    question.close()
  }
  // However the call ends, the place is given back.
  state.life.cleanups.push(ended)
  return ask(parts, state, { question, secret, traffic: { ...begun, ended }, ...trial })
}

interface Asking extends Trial {
  readonly question: Question
  readonly secret: ProviderSecret | null
  readonly traffic: Attempting
}

type AskingState = WithFacts & WithPlan & WithAttempts

async function ask(parts: AskingParts, state: AskingState, asking: Asking): Promise<Attempted> {
  const { target, secret, traffic, question, refuseFiltered } = asking
  const { tenantId, requestId, asked } = state.facts
  const { call, dropped } = fitTarget(state, target)
  const { maxTokens } = withinLimits(state.plan.call, target)
  const record = recordAttempt(parts, state, asking)
  try {
    const asking = {
      tenantId,
      requestId,
      call,
      target,
      secret,
      signal: question.signal,
      stream: asked.stream,
      traceparent: record.traceparent,
      hops: state.facts.hops + 1,
      cutOff: record.cutOff,
    }
    const events = parts.upstream.ask(asking)
    const flow = await receive(withShownFaults(events, state), {
      stream: asked.stream,
      refuseFiltered,
      provider: target.provider.name,
      faultOf: record.faultOf,
      broke: (fault) => {
        record.log(fault)
        parts.health.failed(tenantId, target, { fault, secret })
      },
      ended: record.ended,
    })
    traffic.answered()
    parts.health.succeeded(tenantId, target, secret)
    record.log(null)
    return { kind: 'answered', target, flow, dropped, maxTokens }
  } catch (error) {
    record.ended()
    return error instanceof UpstreamFault
      ? failed(parts, asking, { fault: error, tenantId, record })
      : interrupted(parts, asking, { error, tenantId, record })
  }
}

/** The span and the log line of one attempt. */
interface AttemptRecord {
  readonly traceparent: string | null
  readonly ended: () => void
  readonly cutOff: (body: CutBody) => void
  /** An attempt has one line in the log, also where its answer broke after it had begun. */
  readonly log: (outcome: AttemptEnd) => void
  /** The fault behind an error, such as a deadline that passed; null where the provider is not at fault. */
  readonly faultOf: (error: unknown) => UpstreamFault | null
}

function recordAttempt({ kernel }: AskingParts, state: AskingState, asking: Asking): AttemptRecord {
  const trace = traceAttempt(kernel, state, asking.target)
  const elapsedMs = (): number => kernel.clock.monotonic() - trace.startedMs
  let logged: number | undefined
  return {
    traceparent: traceparentFor(trace),
    ended: () => {
      trace.endedMs ??= kernel.clock.monotonic()
      asking.traffic.ended()
    },
    cutOff: (body) => {
      trace.body = body
    },
    log: (outcome) => {
      trace.end = outcome
      logged = logAttempt(state, attemptEntry(asking, outcome, elapsedMs()), logged)
    },
    faultOf: (error) => (error instanceof UpstreamFault ? error : faultOfLast(state, error, elapsedMs())),
  }
}

interface Ending {
  readonly tenantId: WithFacts['facts']['tenantId']
  readonly record: AttemptRecord
}

/** The provider's fault: the next target may be asked. */
function failed(
  { health }: AskingParts,
  { target, secret, traffic, spent }: Asking,
  { fault, tenantId, record }: Ending & { readonly fault: UpstreamFault },
): Attempted {
  traffic.failed()
  record.log(fault)
  if (secret !== null && (fault.kind === 'rate_limited' || fault.kind === 'credential')) spent.add(secret.id)
  health.failed(tenantId, target, { fault, secret })
  return { kind: 'failed', target, fault, asked: true }
}

/** Not the provider's doing: a kill switch, a quicker attempt, a caller who left, or a deadline of the whole call. */
function interrupted(
  { health }: AskingParts,
  { target, secret, question }: Asking,
  { error, tenantId, record }: Ending & { readonly error: unknown },
): Attempted {
  const late = record.faultOf(error)
  if (late === null) health.left(target, secret)
  else health.failed(tenantId, target, { fault: late, secret })
  const problem = question.stopped()
  if (problem === null || error !== problem) {
    record.log(error instanceof Outrun ? 'outrun' : (late ?? 'ended'))
    throw error
  }
  record.log('killed')
  return { kind: 'killed', target, problem, asked: true }
}

/** Makes an answer the answer of the call. */
export function useAnswer(
  state: WithFacts & WithPlan & WithFindings & WithAttempts & Writes<WithAttempts & WithAnswer & WithTimings>,
  { target, flow, dropped, maxTokens: sent }: Answered,
  nowMs: number,
): void {
  const { maxTokens: asked } = state.plan.call
  if (sent !== null && sent !== asked)
    state.write({ attempts: { lowered: [...state.attempts.lowered, { asked, sent, source: 'model' }] } })
  state.write({ attempts: { served: target }, answer: { flow } })
  if (flow.kind === 'stream') state.write({ timings: { ttftMs: nowMs - state.facts.startedMs } })
  tellDropped(state, dropped)
}
