/**
 * Ollama's own chat towards providers: the request body of a canonical call. Its form for OpenAI's clients takes less
 * (no `top_k`, no level of thinking) and cuts prompts without saying so. Pure. Tested in ollama.test.ts.
 */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import type { CanonicalCall, ImagePart, OutputFormat, Reasoning, Tool, Turn } from '../../../call/call.ts'
import { readDataUrl } from '../../../call/texts/data-url.ts'
import { UpstreamFault } from '../../fault.ts'
import { tellingFailure } from '../failed-tools.ts'
import { textOfFile } from '../file-texts.ts'
import { withoutNulls } from '../openai/encode.ts'

export interface OllamaRequest {
  readonly model: string
  readonly stream: boolean
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, { model, stream }: OllamaRequest): Record<string, unknown> {
  // It cannot be told not to call tools, so it is not shown any.
  const tools = call.toolChoice === 'none' ? [] : call.tools
  const options = encodeOptions(call)
  return withoutNulls({
    model,
    messages: call.turns.map((turn, index) => encodeTurn(tellingFailure(turn), call.turns.slice(0, index))),
    tools: tools.length > 0 ? tools.map(encodeTool) : null,
    format: encodeFormat(call.format),
    think: encodeThinking(call.reasoning),
    options: Object.keys(options).length > 0 ? options : null,
    logprobs: call.logprobs,
    top_logprobs: call.topLogprobs,
    // It streams unless told otherwise.
    stream,
    // A prompt or an answer that does not fit into the model's window is an error and an end, not cut at the front.
    truncate: false,
    shift: false,
  })
}

function encodeOptions(call: CanonicalCall): Record<string, unknown> {
  return withoutNulls({
    temperature: call.temperature,
    top_p: call.topP,
    top_k: call.topK,
    seed: call.seed,
    num_predict: call.maxTokens,
    stop: call.stop.length > 0 ? call.stop : null,
    presence_penalty: call.presencePenalty,
    frequency_penalty: call.frequencyPenalty,
  })
}

function encodeTool(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'opaque') return tool.value
  const { name, description, parameters } = tool
  const schema = parameters ?? { type: 'object', properties: {} }
  return { type: 'function', function: withoutNulls({ name, description, parameters: schema }) }
}

function encodeFormat(format: OutputFormat): unknown {
  if (format === null || format.type === 'text') return null
  return format.type === 'json_schema' ? format.schema : 'json'
}

const levels = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

/** Models that know no levels think for each of them. */
function encodeThinking(reasoning: Reasoning | null): string | boolean | null {
  return reasoning === null || !('effort' in reasoning) ? null : levels[reasoning.effort]
}

function encodeTurn(turn: Turn, before: readonly Turn[]): Record<string, unknown> {
  const images = turn.parts.filter((part) => part.type === 'image').map(imageOf)
  const thoughts = turn.parts.filter((part) => part.type === 'reasoning').map(({ text }) => text)
  return {
    role: turn.role,
    content: textOf(turn),
    ...withoutNulls({
      thinking: thoughts.length > 0 ? thoughts.join('\n') : null,
      images: images.length > 0 ? images : null,
      tool_calls: turn.toolCalls.length > 0 ? turn.toolCalls.map(encodeCall) : null,
      tool_name: turn.role === 'tool' ? toolName(turn, before) : null,
      tool_call_id: turn.toolCallId,
    }),
  }
}

/** The pieces of text one after the other; there is one text per message. */
function textOf({ parts }: Turn): string {
  const texts = parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'file' ? [textOfFile(part)] : []
  })
  return texts.join('\n')
}

function imageOf({ url }: ImagePart): string {
  const held = readDataUrl(url)
  if (held?.base64 !== true)
    throw new UpstreamFault('bad_request', 'This kind of provider fetches no images: send them as base64 data.')
  return held.body
}

function encodeCall({ id, name, arguments: text }: Turn['toolCalls'][number], index: number) {
  return { id, function: { index, name, arguments: inputOf(text) } }
}

function inputOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const input = parseExact(text)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  } catch {
    // Said below, for every text that is no object.
  }
  throw new UpstreamFault('bad_request', 'The arguments of a tool call are no JSON object.')
}

/** Results are told by the name of the tool: older versions know no ids. */
function toolName({ toolCallId, name }: Turn, before: readonly Turn[]): string | null {
  const calls = before.flatMap(({ toolCalls }) => toolCalls)
  return calls.findLast(({ id }) => id === toolCallId)?.name ?? name
}
