/**
 * Asks the tenant's embedding model for the vector of a question, as redacted. Promises that the model is asked only where
 * policies and kill switches let it be asked, that the attempt is in the log and its tokens in the cost of the call, and
 * that its failure only means that nothing like the question is found. Tested in semantic.test.ts.
 */
import { Aborter } from '../../../kernel/abort.ts'
import { ProblemError } from '../../../kernel/http/problem.ts'
import { type AnswerEvent, emptyCall } from '../call/call.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import { resolveTargets } from '../call/targets.ts'
import { tokensOf } from '../call/tokens.ts'
import { numbersOf } from '../embeddings/writer.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { classMatters, dataClassOf, isCleared } from '../pipeline/data-class.ts'
import { isGivenUp } from '../pipeline/in-time.ts'
import type { PipelineParts } from '../pipeline/parts.ts'
import { subjectOf } from '../pipeline/steps/02-kill-switch.ts'
import { targetRefusal } from '../pipeline/steps/03-policy-resolution.ts'
import type { Classification } from '../policy/sections/words.ts'
import { hasRead, UpstreamFault } from '../providers/fault.ts'
import type { ProviderSecret, Target } from '../providers/provider.ts'
import { openQuestion, type Question } from '../routing/question.ts'

type Parts = Pick<PipelineParts, 'kernel' | 'aegis' | 'health' | 'upstream'>

/** An answer is worth waiting for; a vector that may find none is not worth more than this, in milliseconds. */
const longestMs = 2000

/** Of length 1; null when the model may not be asked or did not answer. */
export async function vectorOf(
  parts: Parts,
  state: CallState,
  { model, text }: { readonly model: string; readonly text: string },
): Promise<Float32Array | null> {
  const target = embeddingTarget(parts, state, model)
  const taken = target === null ? null : parts.health.take(target, new Set())
  if (target === null || taken?.kind !== 'taken') return null
  const { clock } = parts.kernel
  const startedMs = clock.monotonic()
  const { aborter, leave } = Aborter.following(state.abort)
  const isLate = (): void => aborter.abort(new UpstreamFault('timeout', 'it took too long for the cache'))
  const timer = clock.after(longestMs, isLate)
  const question = openQuestion(state, target, aborter)
  try {
    return await ask(parts, state, { target, secret: taken.secret, text, question })
  } finally {
    timer.stop()
    question.close()
    leave()
    if (!isGivenUp(state, 9)) state.upstreamMs += clock.monotonic() - startedMs
  }
}

function embeddingTarget({ aegis }: Parts, state: CallState, model: string): Target | null {
  try {
    const [target] = resolveTargets(state.snapshot.providers, { provider: null, model })
    if (target === undefined || targetRefusal(target, state.policy.effective) !== null) return null
    // Where only this model has a limit nothing was looked for, and what is not known is not sent.
    if (!isCleared(state, target, knownClass(state))) return null
    return aegis.matchKillSwitch(subjectOf(state, target)) === null ? target : null
  } catch (error) {
    // It was there when the settings were made.
    if (error instanceof ProblemError) return null
    throw error
  }
}

function knownClass(state: CallState): Classification {
  return classMatters(state) ? dataClassOf(state) : 'restricted'
}

interface Asking {
  readonly target: Target
  readonly secret: ProviderSecret | null
  readonly text: string
  readonly question: Question
}

async function ask(parts: Parts, state: CallState, asking: Asking): Promise<Float32Array | null> {
  const { target, secret, text, question } = asking
  const { health, kernel, upstream } = parts
  const { tenantId } = state.facts
  const startedMs = kernel.clock.monotonic()
  // Told and paid for also where the cache is not waited for any more: the model was asked.
  const log = (fault: UpstreamFault | null, why = fault === null ? '' : `: ${fault.kind}: ${fault.message}`): void => {
    const ms = Math.round((kernel.clock.monotonic() - startedMs) * 1000) / 1000
    const reason = `vector for the cache${why}`
    state.attempts.push({
      provider: target.provider.name,
      model: target.model,
      key_id: secret?.id ?? null,
      ok: fault === null && why === '',
      status: fault?.status ?? null,
      reason: reason.slice(0, 300),
      ms,
    })
  }
  try {
    const call = { ...emptyCall, embed: { inputs: [text], dimensions: null, encoding: 'float' as const } }
    const events: AnswerEvent[] = []
    for await (const event of upstream.ask({ call, target, secret, stream: false, signal: question.signal }))
      events.push(event)
    const vector = unitVector(events)
    health.succeeded(tenantId, target, secret)
    state.embedded = { target, usage: usageOf(events, text) }
    log(null)
    return vector
  } catch (error) {
    // Cut off or too slow, it has read the question and will charge for that.
    const isRead = !(error instanceof UpstreamFault) || hasRead(error)
    if (isRead) state.embedded = { target, usage: usageOf([], text) }
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

/** @throws UpstreamFault when there is none */
function unitVector(events: readonly AnswerEvent[]): Float32Array {
  const found = events.find((event) => event.type === 'embedding')
  const numbers = found === undefined ? [] : numbersOf(found.vector)
  const length = Math.hypot(...numbers)
  if (!(length > 0) || !Number.isFinite(length)) throw new UpstreamFault('broken', 'it sent no vector')
  return Float32Array.from(numbers, (value) => value / length)
}

function usageOf(events: readonly AnswerEvent[], text: string): Usage {
  const told = events.find((event) => event.type === 'usage')?.usage
  return told ?? countedTokens('estimated', { inputTokens: tokensOf(text.length), outputTokens: 0 })
}
