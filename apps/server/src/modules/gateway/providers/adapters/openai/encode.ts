/**
 * The OpenAI chat-completions dialect towards providers: the request body of a canonical call. Pure. Members that are
 * not understood go back to where they stood. Tested in openai.test.ts.
 */
import type {
  CanonicalCall,
  FilePart,
  MediaSource,
  OutputFormat,
  Part,
  Reasoning,
  ReasoningPart,
  Tool,
  ToolChoice,
  Turn,
  VendorForm,
} from '../../../call/call.ts'
import { setAt } from '../../../call/pointer.ts'
import { UpstreamFault } from '../../fault.ts'
import { googleSignatureOf } from '../anthropic/thought-signatures.ts'
import { tellingFailure } from '../failed-tools.ts'
import { textOfFile } from '../file-texts.ts'

export const openAiChatForm = 'openai_chat' satisfies VendorForm

export interface OpenAiDialect {
  /** Newer OpenAI models refuse the old name of the limit, other servers only know the old one. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Other servers keep nothing anyway and may refuse the word. */
  readonly knowsStore: boolean
  /** Other servers, and older versions of the interface, know the system only. */
  readonly knowsDeveloper: boolean
  /** Accepts its model's thoughts back, in the member in which they were sent. */
  readonly knowsThought?: true
}

export interface OpenAiRequest {
  readonly model: string
  readonly stream: boolean
  readonly withoutUsage?: boolean
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(
  call: CanonicalCall,
  request: OpenAiRequest,
  dialect: OpenAiDialect,
): Record<string, unknown> {
  const body = withoutNulls({
    model: request.model,
    messages: call.turns.map((turn, index) =>
      encodeTurn(tellingFailure(turn), { dialect, asList: hasExtraParts(call, turn.at ?? `/messages/${index}`) }),
    ),
    temperature: call.temperature,
    top_p: call.topP,
    seed: call.seed,
    stop: call.stop.length > 0 ? call.stop : null,
    n: call.choices > 1 ? call.choices : null,
    [dialect.maxTokensField]: call.maxTokens,
    frequency_penalty: call.frequencyPenalty,
    presence_penalty: call.presencePenalty,
    logprobs: call.logprobs,
    top_logprobs: call.topLogprobs,
    parallel_tool_calls: call.parallelToolCalls,
    reasoning_effort: effortOf(call.reasoning),
    user: call.user,
    store: dialect.knowsStore ? call.store : null,
    service_tier: call.serviceTier,
    tools: call.tools.length > 0 ? call.tools.map(encodeTool) : null,
    tool_choice: encodeToolChoice(call.toolChoice),
    response_format: encodeFormat(call.format),
    stream: request.stream ? true : null,
    stream_options: request.stream && request.withoutUsage !== true ? { include_usage: true } : null,
  })
  putBack(body, call, openAiChatForm)
  return body
}

/** A budget as the effort that thinks about as much: the vendor knows no budgets. Bounds as in Google's own table of efforts. */
export function effortOf(reasoning: Reasoning | null): string | null {
  if (reasoning === null) return null
  if ('effort' in reasoning) return reasoning.effort
  const { budgetTokens } = reasoning
  if (budgetTokens <= 1024) return 'low'
  return budgetTokens <= 8192 ? 'medium' : 'high'
}

/** Members that are not understood go where they stood. @throws UpstreamFault for one that has no place any more */
export function putBack(body: Record<string, unknown>, { extra, turns }: CanonicalCall, form: VendorForm): void {
  const lost = extra.find((member) => member.form === form && !setAt(body, placeOf(turns, member.at), member.value))
  if (lost !== undefined) throw new UpstreamFault('bad_request', `There is no place for ${lost.at}.`)
}

/** Turns that a policy added move the others; members of a message stay with it. */
function placeOf(turns: readonly Turn[], at: string): string {
  const [, message = '', rest = ''] = /^(\/messages\/\d+)(\/.*)$/s.exec(at) ?? []
  const index = turns.findIndex((turn) => turn.at === message)
  return message === '' || index < 0 ? at : `/messages/${index}${rest}`
}

/** A part with members of its own must stay a part, also where it is the only one. */
function hasExtraParts({ extra }: CanonicalCall, at: string): boolean {
  return extra.some((member) => member.at.startsWith(`${at}/content/`))
}

export function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

interface TurnForm {
  readonly dialect: OpenAiDialect
  /** Its content is a list, also where it is one text. */
  readonly asList: boolean
}

function encodeTurn(turn: Turn, { dialect, asList }: TurnForm): Record<string, unknown> {
  const thoughts = dialect.knowsThought === true ? turn.parts.filter((part) => part.type === 'reasoning') : []
  const thought = thoughts.map(({ text }) => text).join('')
  const signature = thoughts.reduce<string | null>((found, { data }) => googleSignatureOf(data) ?? found, null)
  const calls = turn.toolCalls.map(({ id, name, arguments: text }, index) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
    ...(index > 0 || signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  }))
  const content = encodeContent(turn.parts, asList) ?? (turn.role === 'assistant' ? null : '')
  return {
    role: turn.developer === true && dialect.knowsDeveloper ? 'developer' : turn.role,
    // An assistant turn that only calls tools has the member and it is null.
    content,
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...withoutNulls({ name: turn.name, tool_call_id: turn.toolCallId, tool_calls: calls.length > 0 ? calls : null }),
  }
}

function encodeContent(parts: readonly Part[], asList: boolean): unknown {
  const shown = parts.filter((part) => part.type !== 'reasoning')
  const [only] = shown
  if (only === undefined) return asList ? [] : null
  if (!asList && shown.length === 1 && only.type === 'text') return only.text
  return shown.map(encodePart)
}

/** Reasoning is no part of a content in this dialect. */
function encodePart(part: Exclude<Part, ReasoningPart>): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: withoutNulls({ url: part.url, detail: part.detail }) }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: dataOf(part.source), format: audioFormat(part.mime) } }
    case 'file':
      return part.source === null ? { type: 'text', text: textOfFile(part) } : { type: 'file', file: encodeFile(part) }
    default:
      return part satisfies never
  }
}

function encodeFile({ source, name, mime }: FilePart): Record<string, unknown> {
  if (source?.kind === 'id') return { file_id: source.id }
  const data = `data:${mime ?? 'application/octet-stream'};base64,${source === null ? '' : dataOf(source)}`
  return withoutNulls({ filename: name, file_data: data })
}

/** The base64 of a part; the table lets no other source through. */
function dataOf(source: MediaSource): string {
  return source.kind === 'data' ? source.data : ''
}

/** This dialect calls `audio/mpeg` `mp3`; the other names are the same. */
function audioFormat(mime: string): string {
  const name = mime.replace(/^audio\/(?:x-)?/, '')
  return name === 'mpeg' ? 'mp3' : name
}

function encodeTool(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'opaque') return tool.value
  const { name, description, parameters, strict } = tool
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
