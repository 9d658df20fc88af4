/**
 * The OpenAI chat-completions dialect towards providers: a request body from a canonical call, canonical events from an
 * answer or from the data of a stream. Pure; the network is upstream.ts. Tested in openai.test.ts.
 */
import { Value } from 'typebox/value'
import type {
  AnswerEvent,
  CanonicalCall,
  FinishReason,
  OutputFormat,
  Part,
  ToolChoice,
  Turn,
  Usage,
} from '../call/call.ts'
import { finishReasons } from '../call/call.ts'
import { faultOfStatus, scrub, UpstreamFault } from './fault.ts'
import { OpenAiAnswer, OpenAiChunk, OpenAiError, type OpenAiUsage } from './openai-schema.ts'

export interface OpenAiDialect {
  /** Newer OpenAI models refuse the old name of the limit, other servers only know the old one. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
}

export interface OpenAiRequest {
  readonly model: string
  readonly stream: boolean
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(
  call: CanonicalCall,
  request: OpenAiRequest,
  dialect: OpenAiDialect,
): Record<string, unknown> {
  const body = {
    model: request.model,
    messages: call.turns.map(encodeTurn),
    temperature: call.temperature,
    top_p: call.topP,
    seed: call.seed,
    stop: call.stop.length > 0 ? call.stop : null,
    n: call.choices > 1 ? call.choices : null,
    [dialect.maxTokensField]: call.maxTokens,
    tools: call.tools.length > 0 ? call.tools.map(encodeTool) : null,
    tool_choice: encodeToolChoice(call.toolChoice),
    response_format: encodeFormat(call.format),
    stream: request.stream ? true : null,
    stream_options: request.stream ? { include_usage: true } : null,
  }
  return withoutNulls(body)
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

function encodeTurn(turn: Turn): Record<string, unknown> {
  const calls = turn.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  const content = encodeContent(turn.parts)
  return {
    role: turn.role,
    // An assistant turn that only calls tools has the member and it is null.
    content,
    ...withoutNulls({ name: turn.name, tool_call_id: turn.toolCallId, tool_calls: calls.length > 0 ? calls : null }),
  }
}

function encodeContent(parts: readonly Part[]): unknown {
  const [only] = parts
  if (only === undefined) return null
  if (parts.length === 1 && only.type === 'text') return only.text
  return parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: withoutNulls({ url: part.url, detail: part.detail }) },
  )
}

function encodeTool({
  name,
  description,
  parameters,
  strict,
}: CanonicalCall['tools'][number]): Record<string, unknown> {
  return { type: 'function', function: withoutNulls({ name, description, parameters, strict }) }
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return choice === null || typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function encodeFormat(format: OutputFormat): unknown {
  if (format === null || format.type !== 'json_schema') return format
  const { name, schema, strict } = format
  return { type: 'json_schema', json_schema: withoutNulls({ name, schema, strict }) }
}

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!Value.Check(OpenAiAnswer, answer)) throw new UpstreamFault('invalid', 'it is not a chat completion')
  const events: AnswerEvent[] = [
    { type: 'start', model: answer.model ?? '', fingerprint: answer.system_fingerprint ?? null },
  ]
  for (const { index, message, finish_reason: reason } of answer.choices) {
    const choice = index ?? 0
    pushText(events, choice, message)
    message.tool_calls?.forEach((call, at) => {
      events.push({ type: 'tool_call', choice, index: at, id: call.id, name: call.function.name })
      events.push({ type: 'tool_arguments', choice, index: at, text: call.function.arguments })
    })
    events.push({ type: 'finish', choice, reason: finishReason(reason) })
  }
  if (answer.usage) events.push({ type: 'usage', usage: readUsage(answer.usage) })
  return events
}

interface Texts {
  readonly content?: string | null
  readonly reasoning_content?: string | null
  readonly refusal?: string | null
}

function pushText(events: AnswerEvent[], choice: number, texts: Texts): void {
  const { content, reasoning_content: reasoning, refusal } = texts
  if (reasoning) events.push({ type: 'text', choice, channel: 'reasoning', text: reasoning })
  if (content) events.push({ type: 'text', choice, channel: 'text', text: content })
  if (refusal) events.push({ type: 'text', choice, channel: 'refusal', text: refusal })
}

export interface StreamDecoder {
  /** Events of one server-sent data text. @throws UpstreamFault for an error event or data that is not a chunk */
  push(data: string): readonly AnswerEvent[]
  /** @throws UpstreamFault `broken` when a choice never finished */
  end(): void
}

export function createStreamDecoder(): StreamDecoder {
  const unfinished = new Set<number>()
  const announced = new Set<string>()
  let started = false
  let finished = false
  return {
    push: (data) => {
      if (data.trim() === '[DONE]') return []
      const chunk = readChunk(data)
      const events: AnswerEvent[] = []
      if (!started)
        events.push({ type: 'start', model: chunk.model ?? '', fingerprint: chunk.system_fingerprint ?? null })
      started = true
      for (const part of chunk.choices ?? []) {
        const choice = part.index ?? 0
        unfinished.add(choice)
        pushDelta(events, { choice, announced }, part.delta ?? {})
        if (!part.finish_reason) continue
        events.push({ type: 'finish', choice, reason: finishReason(part.finish_reason) })
        unfinished.delete(choice)
        finished = true
      }
      if (chunk.usage) events.push({ type: 'usage', usage: readUsage(chunk.usage) })
      return events
    },
    end: () => {
      if (unfinished.size > 0 || !finished) throw new UpstreamFault('broken', 'its stream ended early')
    },
  }
}

function readChunk(data: string): OpenAiChunk {
  const chunk = parseJson(data)
  if (Value.Check(OpenAiError, chunk)) throw faultOfEvent(chunk)
  if (!Value.Check(OpenAiChunk, chunk)) throw new UpstreamFault('invalid', 'an event of its stream is not a chunk')
  return chunk
}

/** An error event inside a 200 stream is the HTTP error it stands for. */
function faultOfEvent({ error }: OpenAiError): UpstreamFault {
  const message = scrub(error.message ?? 'an error event')
  const status = typeof error.code === 'number' ? error.code : statusOfType(error.type ?? '')
  return faultOfStatus(status, message, null) ?? new UpstreamFault('server_error', message)
}

function statusOfType(type: string): number {
  if (type.includes('rate_limit')) return 429
  if (type.includes('authentication') || type.includes('permission')) return 401
  return type.includes('invalid_request') ? 400 : 500
}

type Delta = Exclude<Exclude<OpenAiChunk['choices'], undefined>[number]['delta'], undefined>

/** Some servers repeat a tool call's id with every piece of its arguments; it is announced once. */
function pushDelta(
  events: AnswerEvent[],
  { choice, announced }: { readonly choice: number; readonly announced: Set<string> },
  delta: Delta,
): void {
  pushText(events, choice, delta)
  for (const call of delta.tool_calls ?? []) {
    const index = call.index ?? 0
    const key = `${choice}:${index}`
    if (call.id && !announced.has(key)) {
      announced.add(key)
      events.push({ type: 'tool_call', choice, index, id: call.id, name: call.function?.name ?? '' })
    }
    if (call.function?.arguments) events.push({ type: 'tool_arguments', choice, index, text: call.function.arguments })
  }
}

/** The message of an error body, safe to pass on. */
export function errorMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (Value.Check(OpenAiError, body)) return scrub(body.error.message ?? 'no message')
  } catch {
    // Not JSON: nothing of it is passed on.
  }
  return 'The provider refused the request without saying why.'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new UpstreamFault('invalid', 'it is not JSON', { cause: error })
  }
}

function finishReason(reason: string | null | undefined): FinishReason {
  const known = finishReasons.find((name) => name === reason)
  return known ?? (reason === 'function_call' ? 'tool_calls' : 'stop')
}

function readUsage(usage: OpenAiUsage): Usage {
  return {
    inputTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    source: 'upstream',
  }
}
