/**
 * The OpenAI chat-completions dialect from providers: canonical events of an answer or of the frames of a stream. Pure.
 * Tested in openai.test.ts.
 */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall, TokenLogprob } from '../../../call/call.ts'
import { type FinishReason, finishReasons } from '../../../call/finish-reason.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { errorInAnswer } from '../../said-error.ts'
import { servedTier } from '../service-tier.ts'
import { pushText } from './content.ts'
import { openAiChatForm } from './encode.ts'
import { extraOfCall, pushAnswerExtras, pushExtras, signatureBeside } from './extras.ts'
import { OpenAiAnswer, OpenAiChunk, type OpenAiLogprob, type OpenAiLogprobs } from './schema.ts'
import { faultOfStreamError } from './stream-errors.ts'
import { argumentsText, callPlaces, madeUpId } from './tool-calls.ts'
import { usageOf } from './usage.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string, { form }: Pick<CanonicalCall, 'form'>): readonly AnswerEvent[] {
  const answer = parseJson(text)
  refuseError(answer)
  if (!fits(OpenAiAnswer, answer)) throw new UpstreamFault('invalid', 'it is not a chat completion')
  const keeps = form === openAiChatForm
  const events: AnswerEvent[] = [startOf(answer)]
  if (keeps) pushAnswerExtras(events, answer)
  for (const one of answer.choices) {
    const { index, message, finish_reason: reason, logprobs } = one
    const choice = index ?? 0
    refuseFailedChoice(one)
    if (keeps) pushExtras(events, choice, { choice: one, message })
    pushText(events, message, { choice, keeps })
    pushLogprobs(events, choice, logprobs)
    message.tool_calls?.forEach((call, at) => {
      const { name, text, custom } = calledBy(call)
      const id = call.id || madeUpId([answer.id, answer.created, choice, at, name])
      if (!keeps) events.push(...signatureBeside(call))
      events.push({ type: 'tool_call', choice, index: at, id, name, ...custom, ...(keeps ? extraOfCall(call) : {}) })
      events.push({ type: 'tool_arguments', choice, index: at, text, ...custom })
    })
    events.push({ type: 'finish', choice, ...endOf(reason) })
  }
  return [...events, ...usageOf(answer.usage, servedTier(answer.service_tier))]
}

type Called = Exclude<OpenAiAnswer['choices'][number]['message']['tool_calls'], null | undefined>[number]

/** The input of a custom tool is text, not JSON. */
function calledBy(call: Called) {
  if (!('function' in call))
    return { name: call.custom.name, text: call.custom.input, custom: { custom: true } as const }
  return { name: call.function.name, text: argumentsText(call.function.arguments) || '{}', custom: {} }
}

/** A proxy that streams already may say there that its provider failed. @throws UpstreamFault */
function refuseError(value: unknown): void {
  const said = errorInAnswer(value, 'choices')
  if (said !== null) throw faultOfStreamError(said)
}

/** @throws UpstreamFault */
function refuseFailedChoice(choice: { readonly error?: unknown; readonly finish_reason?: string | null }): void {
  const said = errorInAnswer({ error: choice.error }, 'choices')
  if (said !== null || choice.finish_reason === 'error') throw faultOfStreamError(said ?? {})
}

export function createStreamDecoder({ form }: Pick<CanonicalCall, 'form'>): StreamDecoder {
  const keeps = form === openAiChatForm
  const unfinished = new Set<number>()
  const ended = new Set<number>()
  const places = new Map<number, CallsOfChoice>()
  const placesOf = (choice: number): CallsOfChoice => {
    const known = places.get(choice) ?? { place: callPlaces(), withoutArguments: new Set() }
    places.set(choice, known)
    return known
  }
  let started = false
  let tier: ReturnType<typeof servedTier> = {}
  const finish = (choice: number, native: string | null): readonly AnswerEvent[] => {
    unfinished.delete(choice)
    ended.add(choice)
    const calls = places.get(choice)
    return [
      ...[...(calls?.withoutArguments ?? [])].map((index) => noArguments(choice, index)),
      { type: 'finish', choice, ...endOf(native ?? (calls === undefined ? 'stop' : 'tool_calls')) },
    ]
  }
  /** Some servers end their answer and give no reason. */
  const finishRest = (): readonly AnswerEvent[] => [...unfinished].flatMap((choice) => finish(choice, null))
  return {
    push: ({ data }) => {
      if (data.trim() === '[DONE]') return finishRest()
      const chunk = readChunk(data)
      const events: AnswerEvent[] = []
      if (!started) events.push(startOf(chunk))
      started = true
      if (keeps) pushAnswerExtras(events, chunk)
      for (const part of chunk.choices ?? []) {
        const choice = part.index ?? 0
        refuseFailedChoice(part)
        // A filter that works beside the model adds its remarks when the choice has long ended.
        if (!ended.has(choice)) unfinished.add(choice)
        if (keeps) pushExtras(events, choice, { choice: part, message: part.delta ?? {} })
        pushText(events, part.delta ?? {}, { choice, keeps })
        const calls = part.delta?.tool_calls ?? []
        if (calls.length > 0)
          pushCalls(events, calls, { choice, keeps, ...placesOf(choice), facts: [chunk.id, chunk.created, choice] })
        pushLogprobs(events, choice, part.logprobs)
        if (part.finish_reason && !ended.has(choice)) events.push(...finish(choice, part.finish_reason))
      }
      tier = { ...tier, ...servedTier(chunk.service_tier) }
      return [...events, ...usageOf(chunk.usage, tier)]
    },
    end: () => {
      if (unfinished.size > 0 || ended.size === 0) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function readChunk(data: string): OpenAiChunk {
  const chunk = parseJson(data)
  refuseError(chunk)
  if (!fits(OpenAiChunk, chunk)) throw new UpstreamFault('invalid', 'an event of its stream is not a chunk')
  return chunk
}

type Calls = NonNullable<NonNullable<NonNullable<OpenAiChunk['choices']>[number]['delta']>['tool_calls']>

interface CallsOfChoice {
  readonly place: ReturnType<typeof callPlaces>
  /** Indexes of functions that were called and given nothing yet. */
  readonly withoutArguments: Set<number>
}

interface ReadingCalls extends CallsOfChoice {
  readonly choice: number
  /** The caller speaks this form. */
  readonly keeps: boolean
  readonly facts: readonly unknown[]
}

function noArguments(choice: number, index: number): AnswerEvent {
  return { type: 'tool_arguments', choice, index, text: '{}' }
}

function pushCalls(events: AnswerEvent[], calls: Calls, reading: ReadingCalls): void {
  const { choice, keeps, place, facts, withoutArguments } = reading
  for (const call of calls) {
    const name = call.function?.name ?? call.custom?.name ?? ''
    const { index, announced } = place({ index: call.index ?? undefined, id: call.id, name }, facts)
    if (announced !== null) {
      if (!keeps) events.push(...signatureBeside(call))
      const own = keeps ? extraOfCall(call) : {}
      events.push({ type: 'tool_call', choice, index, id: announced, name, ...customOf(call), ...own })
    }
    const text = argumentsText(call.function?.arguments) || call.custom?.input
    if (announced !== null && customOf(call).custom !== true) withoutArguments.add(index)
    if (text) withoutArguments.delete(index)
    if (text) events.push({ type: 'tool_arguments', choice, index, text, ...customOf(call) })
  }
}

function customOf({ custom }: { readonly custom?: object | null }): { readonly custom?: true } {
  return custom === undefined || custom === null ? {} : { custom: true }
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
