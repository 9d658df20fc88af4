/**
 * Asks the tenant's embedding model for the vector of a redacted question. The model is asked only if policies and kill
 * switches allow it, the attempt is in the log and its tokens in the cost of the call, and a failure only means that no
 * similar question is found. Tested in semantic.test.ts.
 */

import { Aborter, type AbortWatch } from '../../../kernel/base/abort.ts'
import type { WithLife } from '../admission/call-life.ts'
import { logAttempt, type WithAttempts } from '../attempts/call-attempts.ts'
import { type AnswerEvent, type CanonicalCall, emptyCall } from '../call/call.ts'
import { numbersOf } from '../call/embedded-numbers.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithTimings } from '../call/timings.ts'
import type { Writes } from '../call/writes.ts'
import { classMatters, dataClassOf, isCleared } from '../inspection/data-class.ts'
import type { WithMoney } from '../money/call-money.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { isGivenUp } from '../pipeline/progress/in-time.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { subjectOf } from '../plan/kill-subjects.ts'
import { hasRead, UpstreamFault } from '../providers/fault.ts'
import type { ProviderSecret, Target } from '../providers/provider.ts'
import type { AskingParts } from '../routing/asking-parts.ts'
import { takePlace } from '../routing/brake.ts'
import { openQuestion, type Question } from '../routing/question.ts'
import { countInput } from '../tokens/bounds.ts'
import type { Classification } from '../words/policy-words.ts'
import { embeddingTarget } from './question/vector-plan.ts'

type AskingCall = WithFacts &
  WithLife &
  WithPlan &
  WithMoney &
  WithAttempts &
  WithTimings &
  WithProgress &
  Writes<WithMoney & WithTimings>

export type VectorParts = Pick<AskingParts, 'kernel' | 'aegis' | 'health' | 'upstream' | 'concurrency'>

/** An answer is worth waiting for; a vector that may not find one is worth at most this many milliseconds. */
const longestMs = 2000

interface Wanted {
  readonly model: string
  readonly text: string
}

/** A vector of length 1; null if the model may not be asked or did not answer. */
export async function vectorOf(
  parts: VectorParts,
  state: AskingCall,
  { model, text }: Wanted,
): Promise<Float32Array | null> {
  const call = { ...emptyCall, embed: { inputs: [text], dimensions: null, encoding: 'float' as const } }
  const target = payableTarget(parts, state, { model, call })
  const taken = target === null ? null : parts.health.take(target, new Set())
  if (target === null || taken?.kind !== 'taken') return null
  const { clock } = parts.kernel
  const startedMs = clock.monotonic()
  const { aborter, leave } = Aborter.following(state.life.abort)
  const isLate = (): void => aborter.abort(new UpstreamFault('timeout', 'it took too long for the cache'))
  const timer = clock.after(longestMs, isLate)
  try {
    return await askWithin(parts, state, { target, secret: taken.secret, call, signal: aborter })
  } finally {
    timer.stop()
    leave()
    if (!isGivenUp(state, 9))
      state.write({ timings: { upstreamMs: state.timings.upstreamMs + clock.monotonic() - startedMs } })
  }
}

interface Opening {
  readonly target: Target
  readonly secret: ProviderSecret | null
  readonly call: CanonicalCall
  readonly signal: AbortWatch
}

/** Within the tenant's own limits at the provider, as for any other call. */
async function askWithin(
  parts: VectorParts,
  state: WithFacts & WithLife & WithPlan & WithAttempts & WithProgress & Writes<WithMoney>,
  { signal, ...asking }: Opening,
): Promise<Float32Array | null> {
  const { target, secret, call } = asking
  // Registered before any wait, so that a kill switch activated in between finds it.
  const question = openQuestion(state, target, signal)
  try {
    const place = await takePlace(parts, { tenantId: state.facts.tenantId, call }, target)
    const leave = 'leave' in place ? place.leave : null
    // The call that waited for the vector may be gone; then no caller would pay for it.
    if (leave !== null && !question.signal.aborted && !isGivenUp(state, 9))
      return await ask(parts, state, { ...asking, question }).finally(leave)
    leave?.()
    parts.health.left(target, secret)
    return null
  } finally {
    question.close()
  }
}

/** Null if the model may not be asked, or not for this size. */
function payableTarget(
  { aegis }: VectorParts,
  state: WithFacts & WithPlan & WithMoney,
  { model, call }: { readonly model: string; readonly call: CanonicalCall },
): Target | null {
  const target = embeddingTarget(state, model)
  // If only this model has a limit, nothing was searched, and data of unknown class is not sent.
  if (target === null || !isCleared(state.plan.policy, target, knownClass(state))) return null
  // A question that exceeds the reserved tokens is not asked.
  if (countInput(call).atMost > state.money.vectorTokens) return null
  return aegis.matchKillSwitch(subjectOf(state, target)) === null ? target : null
}

function knownClass(state: WithPlan): Classification {
  return classMatters(state) ? dataClassOf(state) : 'restricted'
}

interface Asking extends Omit<Opening, 'signal'> {
  readonly question: Question
}

async function ask(
  parts: VectorParts,
  state: WithFacts & WithAttempts & Writes<WithMoney>,
  asking: Asking,
): Promise<Float32Array | null> {
  const { target, secret, call, question } = asking
  const { health, kernel, upstream } = parts
  const { tenantId } = state.facts
  const hops = state.facts.hops + 1
  const startedMs = kernel.clock.monotonic()
  // Logged and charged even if the cache no longer waits for it: the model was asked.
  const log = (fault: UpstreamFault | null, why = fault === null ? '' : `: ${fault.kind}: ${fault.message}`): void => {
    const ms = Math.round((kernel.clock.monotonic() - startedMs) * 1000) / 1000
    const reason = `vector for the cache${why}`
    logAttempt(state, {
      provider: target.provider.name,
      model: target.model,
      key_id: secret?.id ?? null,
      ok: fault === null && why === '',
      status: fault?.status ?? null,
      reason: reason.slice(0, 300),
      ms,
    })
  }
  const events: AnswerEvent[] = []
  // Written before the request: if the call ends first, the input read by then is charged all the same.
  state.write({ money: { embedded: { target, usage: usageOf(events, call) } } })
  try {
    const { signal } = question
    for await (const event of upstream.ask({ tenantId, call, target, secret, stream: false, signal, hops }))
      events.push(event)
    state.write({ money: { embedded: { target, usage: usageOf(events, call) } } })
    const vector = unitVector(events)
    health.succeeded(tenantId, target, secret)
    log(null)
    return vector
  } catch (error) {
    // If it was cut off or too slow, the model has read the question and will charge for it; an answer is charged in
    // any case.
    if (error instanceof UpstreamFault && !hasRead(error) && events.length === 0)
      state.write({ money: { embedded: null } })
    if (error instanceof UpstreamFault) {
      health.failed(tenantId, target, { fault: error, secret })
      log(error)
      return null
    }
    health.left(target, secret)
    if (question.stopped() === null || error !== question.stopped()) throw error
    log(null, ': cancelled: a kill switch stopped this target')
    return null
  }
}

/** @throws UpstreamFault if there is no vector */
function unitVector(events: readonly AnswerEvent[]): Float32Array {
  const found = events.find((event) => event.type === 'embedding')
  const numbers = found === undefined ? [] : numbersOf(found.vector)
  const length = Math.hypot(...numbers)
  if (!(length > 0) || !Number.isFinite(length)) throw new UpstreamFault('broken', 'it sent no vector')
  return Float32Array.from(numbers, (value) => value / length)
}

function usageOf(events: readonly AnswerEvent[], call: CanonicalCall): Usage {
  const told = events.find((event) => event.type === 'usage')?.usage
  return told ?? countedTokens('estimated', { inputTokens: countInput(call).about, outputTokens: 0 })
}
