/**
 * OpenAI's Responses from the vendor, for callers of the same form: a complete answer is read as the equivalent stream.
 * Deltas of unknown kinds are left out; their content is repeated when it is complete. Pure. Tested in
 * sdk-own-responses.test.ts.
 */
import { fits } from '../../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../../call/call.ts'
import { countedTokens } from '../../../../call/events.ts'
import type { FinishReason } from '../../../../call/finish-reason.ts'
import type { StreamDecoder } from '../../../adapter.ts'
import { UpstreamFault } from '../../../fault.ts'
import { servedTier } from '../../service-tier.ts'
import { parseJson, readLogprob } from '../decode.ts'
import { unknownUsage } from '../extras.ts'
import { OpenAiError } from '../schema.ts'
import { faultOfStreamError } from '../stream-errors.ts'
import { framesOf } from './frames.ts'
import { Frame, Logprobs, type OutputItem, ResponseBody, ResponsesUsage, type SealedThought } from './schema.ts'
import { emptied, emptyText, kindOfPiece, mapItem, partName, placeOfFrame, textKinds } from './texts.ts'

const form = 'openai_responses'

/** Events of a complete answer. @throws UpstreamFault */
export function decodeResponse(text: string): readonly AnswerEvent[] {
  const response = parseJson(text)
  if (!fits(ResponseBody, response)) throw new UpstreamFault('invalid', 'it is not a response')
  const { read, end } = reader()
  return [...framesOf(response).flatMap(read), ...end()]
}

export function createResponsesDecoder(): StreamDecoder {
  const { read, end } = reader()
  return {
    push: ({ data }) => {
      if (data.trim() === '[DONE]') return []
      const frame = parseJson(data)
      if (!fits(Frame, frame)) throw new UpstreamFault('invalid', 'an event of its stream has another form')
      return read(frame)
    },
    end,
  }
}

function reader() {
  /** Indexes of tool calls, by that of their item. */
  const tools = new Map<number, number>()
  /** Texts of which something was said. */
  const said = new Set<string>()
  let started = false
  let finished = false

  const begin = (response: ResponseBody | undefined): readonly AnswerEvent[] => {
    if (started || response === undefined) return []
    started = true
    return [
      { type: 'start', model: response.model ?? '', fingerprint: null, ...(response.id ? { id: response.id } : {}) },
    ]
  }

  const readText = (frame: Frame): readonly AnswerEvent[] | null => {
    const place = placeOfFrame(frame)
    if (place === null) return null
    const at = { channel: textKinds[place.kind], part: partName(place) } as const
    const spoken = (text: string): readonly AnswerEvent[] => {
      if (text === '') return []
      said.add(at.part)
      return [{ type: 'text', choice: 0, ...at, text }]
    }
    const tokens = (): readonly AnswerEvent[] => {
      if (at.channel !== 'text' || !fits(Logprobs, frame.logprobs) || frame.logprobs.length === 0) return []
      return [{ type: 'logprobs', choice: 0, channel: 'text', part: at.part, tokens: frame.logprobs.map(readLogprob) }]
    }
    if (place.verb === 'delta') return [...spoken(typeof frame.delta === 'string' ? frame.delta : ''), ...tokens()]
    const late = said.has(at.part) ? [] : [...spoken(frame.text ?? frame.refusal ?? ''), ...tokens()]
    return [...late, { type: 'text_end', choice: 0, of: at }, raw({ ...frame, ...emptyText(place.kind) })]
  }

  const readArguments = (frame: Frame): readonly AnswerEvent[] | null => {
    const [, verb] = /^response\.function_call_arguments\.(delta|done)$/.exec(frame.type) ?? []
    if (verb === undefined) return null
    const tool = tools.get(frame.output_index ?? 0) ?? 0
    const key = `tool ${tool}`
    const spoken = (text: string): readonly AnswerEvent[] => {
      if (text === '') return []
      said.add(key)
      return [{ type: 'tool_arguments', choice: 0, index: tool, text }]
    }
    if (verb === 'delta') return spoken(typeof frame.delta === 'string' ? frame.delta : '')
    const late = said.has(key) ? [] : spoken(frame.arguments ?? '')
    return [...late, { type: 'text_end', choice: 0, of: { tool } }, raw({ ...frame, arguments: '' })]
  }

  const readItem = (frame: Frame): readonly AnswerEvent[] | null => {
    const { item, output_index: index = 0 } = frame
    if (item === undefined) return null
    const { encrypted_content: sealed, ...open } = mapItem(item, index, emptied)
    const shown = raw({ ...frame, item: item.type === 'function_call' ? { ...open, arguments: '' } : open })
    if (frame.type === 'response.output_item.done') return [...(sealed ? [sealedThought(index, sealed)] : []), shown]
    return item.type === 'function_call' ? [shown, beginTool(tools, item, index)] : [shown]
  }

  const finish = ({ status, incomplete_details: why, usage, ...response }: ResponseBody): readonly AnswerEvent[] => {
    finished = true
    const reason = status === 'incomplete' ? incomplete(why?.reason) : tools.size > 0 ? 'tool_calls' : 'stop'
    return [
      {
        type: 'answer_extra',
        form,
        members: { ...unknownOf(response), ...tellsOf(usage), incomplete_details: why ?? null },
      },
      { type: 'finish', choice: 0, reason },
      ...(fits(ResponsesUsage, usage)
        ? [{ type: 'usage', usage: { ...readUsage(usage), ...servedTier(response.service_tier) } } as const]
        : []),
    ]
  }

  const readOther = (frame: Frame): readonly AnswerEvent[] => {
    switch (frame.type) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return begin(frame.response)
      case 'response.completed':
      case 'response.incomplete':
        return [...begin(frame.response), ...finish(frame.response ?? {})]
      case 'response.failed':
        throw faultOfStreamError(frame.response?.error ?? {})
      case 'error':
        throw faultOfStreamError(fits(OpenAiError, frame) ? frame.error : frame)
      default:
        return isShown(frame) ? [raw({ ...frame, ...emptiedPiece(frame) })] : []
    }
  }

  return {
    read: (frame: Frame) => readText(frame) ?? readArguments(frame) ?? readItem(frame) ?? readOther(frame),
    end: (): readonly AnswerEvent[] => {
      if (!finished) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

/**
 * Members that the encoder of the answer writes anew, and members that only repeat the request as the vendor got it.
 */
const known: ReadonlySet<string> = new Set([
  ...['id', 'object', 'created_at', 'completed_at', 'model', 'output', 'error', 'store', 'background', 'metadata'],
  ...['instructions', 'tools', 'tool_choice', 'text', 'prompt', 'user', 'previous_response_id', 'conversation'],
  ...['max_output_tokens', 'safety_identifier', 'prompt_cache_key'],
])

function unknownOf(response: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(response).filter(([name]) => !known.has(name)))
}

const knownUsage = {
  counts: new Set(['input_tokens', 'output_tokens', 'total_tokens']),
  details: {
    input_tokens_details: new Set(['cached_tokens', 'cache_write_tokens']),
    output_tokens_details: new Set(['reasoning_tokens']),
  },
}

function tellsOf(usage: ResponseBody['usage']): { readonly usage?: object } {
  const unknown = unknownUsage(usage, knownUsage)
  return unknown === null ? {} : { usage: unknown }
}

/** An event of the vendor as it came, except for members that are counted and padded anew. */
function raw({ type, ...members }: Frame): AnswerEvent {
  const own = Object.entries(members).filter(([name]) => name !== 'sequence_number' && name !== 'obfuscation')
  return { type: 'raw', event: type, item: { form, value: Object.fromEntries(own) } }
}

/** Pieces of a text or of a picture under way, which cannot be inspected, come again when they are complete. */
function isShown({ type }: Frame): boolean {
  return /^response\.[a-z_0-9.]{1,100}$/.test(type) && !/(?:\.delta|partial_image)$/.test(type)
}

function emptiedPiece({ part }: Frame): Partial<Frame> {
  const kind = part === undefined ? null : kindOfPiece(part)
  return part === undefined || kind === null ? {} : { part: { ...part, ...emptyText(kind) } }
}

function beginTool(tools: Map<number, number>, { call_id: id, name }: OutputItem, at: number): AnswerEvent {
  const index = tools.size
  tools.set(at, index)
  return { type: 'tool_call', choice: 0, index, id: id ?? '', name: name ?? '' }
}

/** Not text: no detector reads it, and it is worth something only as it is. */
function sealedThought(item: number, sealed: string): AnswerEvent {
  return {
    type: 'reasoning_data',
    choice: 0,
    data: { form, value: { item, encrypted_content: sealed } satisfies SealedThought },
  }
}

function incomplete(reason: string | undefined): FinishReason {
  return reason === 'content_filter' ? 'content_filter' : 'length'
}

function readUsage({ input_tokens, output_tokens, ...details }: ResponsesUsage) {
  return countedTokens('upstream', {
    inputTokens: input_tokens,
    cachedTokens: details.input_tokens_details?.cached_tokens ?? 0,
    cacheWrite5mTokens: details.input_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: output_tokens,
    reasoningTokens: details.output_tokens_details?.reasoning_tokens ?? 0,
  })
}
