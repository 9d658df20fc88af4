/**
 * The OpenAI chat-completions dialect from providers: canonical events of an answer or of the frames of a stream. Pure.
 * Tested in openai.test.ts.
 */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall, TokenLogprob } from '../../../call/call.ts'
import { type FinishReason, finishReasons } from '../../../call/finish-reason.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { scrub, UpstreamFault } from '../../fault.ts'
import { servedTier } from '../service-tier.ts'
import { openAiChatForm } from './encode.ts'
import { pushAnswerExtras, pushExtras } from './extras.ts'
import { OpenAiAnswer, OpenAiChunk, OpenAiError, type OpenAiLogprob, type OpenAiLogprobs } from './schema.ts'
import { faultOfStreamError } from './stream-errors.ts'
import { callPlaces, madeUpId } from './tool-calls.ts'
import { usageOf } from './usage.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string, { form }: Pick<CanonicalCall, 'form'>): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(OpenAiAnswer, answer)) throw new UpstreamFault('invalid', 'it is not a chat completion')
  const keeps = form === openAiChatForm
  const events: AnswerEvent[] = [startOf(answer)]
  if (keeps) pushAnswerExtras(events, answer)
  for (const one of answer.choices) {
    const { index, message, finish_reason: reason, logprobs } = one
    const choice = index ?? 0
    if (keeps) pushExtras(events, choice, { choice: one, message })
    pushText(events, message, { choice, keeps })
    pushLogprobs(events, choice, logprobs)
    message.tool_calls?.forEach((call, at) => {
      const { name, text, custom } = calledBy(call)
      const id = call.id || madeUpId([answer.id, answer.created, choice, at, name])
      events.push({ type: 'tool_call', choice, index: at, id, name, ...custom })
      events.push({ type: 'tool_arguments', choice, index: at, text, ...custom })
    })
    events.push({ type: 'finish', choice, ...endOf(reason) })
  }
  return [...events, ...usageOf(answer.usage, servedTier(answer.service_tier))]
}

type Called = Exclude<OpenAiAnswer['choices'][number]['message']['tool_calls'], null | undefined>[number]

/** What a custom tool is given is a text and no JSON. */
function calledBy(call: Called) {
  if (!('function' in call))
    return { name: call.custom.name, text: call.custom.input, custom: { custom: true } as const }
  return { name: call.function.name, text: call.function.arguments, custom: {} }
}

interface Texts {
  readonly content?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: unknown
  readonly refusal?: string | null
}

function pushText(events: AnswerEvent[], texts: Texts, { choice, keeps }: Reading): void {
  const { content, refusal } = texts
  // Callers of this form get the other name as it is, with what else is not understood.
  const other = typeof texts.reasoning === 'string' && !keeps ? texts.reasoning : null
  const reasoning = texts.reasoning_content ?? other
  if (reasoning) events.push({ type: 'text', choice, channel: 'reasoning', text: reasoning })
  if (content) events.push({ type: 'text', choice, channel: 'text', text: content })
  if (refusal) events.push({ type: 'text', choice, channel: 'refusal', text: refusal })
}

export function createStreamDecoder({ form }: Pick<CanonicalCall, 'form'>): StreamDecoder {
  const keeps = form === openAiChatForm
  const unfinished = new Set<number>()
  const places = new Map<number, ReturnType<typeof callPlaces>>()
  const placesOf = (choice: number) => {
    const known = places.get(choice) ?? callPlaces()
    places.set(choice, known)
    return known
  }
  let started = false
  let finished = false
  let tier: ReturnType<typeof servedTier> = {}
  return {
    push: ({ data }) => {
      if (data.trim() === '[DONE]') return []
      const chunk = readChunk(data)
      const events: AnswerEvent[] = []
      if (!started) events.push(startOf(chunk))
      started = true
      if (keeps) pushAnswerExtras(events, chunk)
      for (const part of chunk.choices ?? []) {
        const choice = part.index ?? 0
        unfinished.add(choice)
        if (keeps) pushExtras(events, choice, { choice: part, message: part.delta ?? {} })
        pushText(events, part.delta ?? {}, { choice, keeps })
        pushCalls(events, part.delta?.tool_calls ?? [], {
          choice,
          place: placesOf(choice),
          facts: [chunk.id, chunk.created, choice],
        })
        pushLogprobs(events, choice, part.logprobs)
        if (!part.finish_reason) continue
        events.push({ type: 'finish', choice, ...endOf(part.finish_reason) })
        unfinished.delete(choice)
        finished = true
      }
      tier = { ...tier, ...servedTier(chunk.service_tier) }
      return [...events, ...usageOf(chunk.usage, tier)]
    },
    end: () => {
      if (unfinished.size > 0 || !finished) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function readChunk(data: string): OpenAiChunk {
  const chunk = parseJson(data)
  if (fits(OpenAiError, chunk)) throw faultOfStreamError(chunk.error)
  if (!fits(OpenAiChunk, chunk)) throw new UpstreamFault('invalid', 'an event of its stream is not a chunk')
  return chunk
}

type Calls = NonNullable<NonNullable<NonNullable<OpenAiChunk['choices']>[number]['delta']>['tool_calls']>

interface Reading {
  readonly choice: number
  /** The caller speaks this form. */
  readonly keeps: boolean
}

interface ReadingCalls {
  readonly choice: number
  readonly place: ReturnType<typeof callPlaces>
  readonly facts: readonly unknown[]
}

function pushCalls(events: AnswerEvent[], calls: Calls, { choice, place, facts }: ReadingCalls): void {
  for (const call of calls) {
    const name = call.function?.name ?? call.custom?.name ?? ''
    const { index, announced } = place({ index: call.index, id: call.id, name }, facts)
    if (announced !== null) events.push({ type: 'tool_call', choice, index, id: announced, name, ...customOf(call) })
    const text = call.function?.arguments ?? call.custom?.input
    if (text) events.push({ type: 'tool_arguments', choice, index, text, ...customOf(call) })
  }
}

function customOf({ custom }: { readonly custom?: object | null }): { readonly custom?: true } {
  return custom === undefined || custom === null ? {} : { custom: true }
}

/** The message of an error body, safe to pass on. */
export function errorMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (fits(OpenAiError, body)) return scrub(body.error.message ?? 'no message')
  } catch {
    // Not JSON: nothing of it is passed on.
  }
  return 'The provider refused the request without saying why.'
}

export function parseJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new UpstreamFault('invalid', 'it is not JSON', { cause: error })
  }
}

/** The reason in our words, and the provider's own where ours says less. */
function endOf(native: string | null | undefined): { readonly reason: FinishReason; readonly native?: string } {
  const known = finishReasons.find((name) => name === native)
  if (known !== undefined) return { reason: known }
  const reason = native === 'function_call' ? 'tool_calls' : 'stop'
  return native ? { reason, native } : { reason }
}

function startOf(answer: Pick<OpenAiChunk, 'id' | 'model' | 'system_fingerprint'>): AnswerEvent {
  const { id, model, system_fingerprint: fingerprint } = answer
  return { type: 'start', model: model ?? '', fingerprint: fingerprint ?? null, ...(id ? { id } : {}) }
}

function pushLogprobs(events: AnswerEvent[], choice: number, found: OpenAiLogprobs): void {
  if (found?.content?.length)
    events.push({ type: 'logprobs', choice, channel: 'text', tokens: found.content.map(readLogprob) })
  if (found?.refusal?.length)
    events.push({ type: 'logprobs', choice, channel: 'refusal', tokens: found.refusal.map(readLogprob) })
}

export function readLogprob({ token, logprob, bytes, top_logprobs: top }: OpenAiLogprob): TokenLogprob {
  const others = (top ?? []).map((other) => ({
    token: other.token,
    logprob: other.logprob,
    bytes: other.bytes ?? null,
  }))
  return { token, logprob, bytes: bytes ?? null, top: others }
}
