/**
 * Mistral's chat completions towards providers: OpenAI's body but for its messages and a few names; it refuses unknown
 * members, so nothing is sent that was not asked for. Pure. Tested in mistral.test.ts.
 */
import { sha256 } from '../../../../../kernel/crypto/digest.ts'
import type { CanonicalCall, FilePart, MediaSource, Part, ToolChoice, Turn } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { tellingFailure } from '../failed-tools.ts'
import { textOfFile } from '../file-texts.ts'
import { encodeRequest as encodeOpenAi, openAiChatForm, putBack, withoutNulls } from '../openai/encode.ts'

export interface MistralRequest {
  readonly model: string
  readonly stream: boolean
}

const dialect = { maxTokensField: 'max_tokens', knowsStore: false, knowsDeveloper: false } as const

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, { model, stream }: MistralRequest): Record<string, unknown> {
  const {
    seed,
    stream_options: _,
    ...rest
  } = encodeOpenAi(
    { ...call, turns: [], extra: [], toolChoice: null, reasoning: null, user: null },
    { model, stream },
    dialect,
  )
  const body: Record<string, unknown> = withoutNulls({
    ...rest,
    messages: call.turns.map((turn, index) => encodeTurn(tellingFailure(turn), index === call.turns.length - 1)),
    random_seed: seed ?? null,
    tool_choice: encodeToolChoice(call.toolChoice),
    reasoning_effort: effortOf(call),
  })
  putBack(body, call, openAiChatForm)
  return body
}

/** It thinks or it does not. */
function effortOf({ reasoning }: CanonicalCall): string | null {
  if (reasoning === null) return null
  if (!('effort' in reasoning)) return 'high'
  return reasoning.effort === 'none' ? 'none' : 'high'
}

function encodeToolChoice(choice: ToolChoice): unknown {
  if (choice === 'required') return 'any'
  return choice === null || typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function encodeTurn(turn: Turn, isLast: boolean): Record<string, unknown> {
  const calls = turn.toolCalls.map(({ id, name, arguments: text }) => ({
    id: callId(id),
    type: 'function',
    function: { name, arguments: text },
  }))
  return {
    role: turn.role,
    content: encodeContent(turn.parts),
    ...withoutNulls({
      tool_calls: calls.length > 0 ? calls : null,
      tool_call_id: turn.toolCallId === null ? null : callId(turn.toolCallId),
      // An answer that was begun for the model is only gone on with when this is said.
      prefix: isLast && turn.role === 'assistant' && calls.length === 0 ? true : null,
    }),
  }
}

const ownId = /^[A-Za-z0-9]{9}$/

/** It takes nine letters and digits. Ids of other vendors become such, the same one every time. */
function callId(id: string): string {
  return ownId.test(id) ? id : sha256(id).slice(0, 9)
}

function encodeContent(parts: readonly Part[]): unknown {
  const [only] = parts
  if (only === undefined) return ''
  if (parts.length === 1 && only.type === 'text') return only.text
  return parts.map(encodePart)
}

function encodePart(part: Part): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: withoutNulls({ url: part.url, detail: part.detail }) }
    case 'audio':
      return { type: 'input_audio', input_audio: placeOf(part.source) }
    case 'file':
      return encodeFile(part)
    case 'reasoning':
      return { type: 'thinking', thinking: [{ type: 'text', text: part.text }] }
    default:
      return part satisfies never
  }
}

/** A file without a source is its text; files as bytes do not come here. */
function encodeFile({ source, name, text }: FilePart): Record<string, unknown> {
  if (source === null) return { type: 'text', text: textOfFile({ name, text }) }
  if (source.kind === 'id') return { type: 'file', file_id: source.id }
  return withoutNulls({ type: 'document_url', document_url: placeOf(source), document_name: name })
}

function placeOf(source: MediaSource): string {
  switch (source.kind) {
    case 'data':
      return source.data
    case 'url':
      return source.url
    case 'id':
      return source.id
    default:
      return source satisfies never
  }
}

export function encodeEmbeddings(call: CanonicalCall, model: string): Record<string, unknown> {
  const inputs = call.embed?.inputs ?? []
  if (inputs.some((input) => typeof input !== 'string'))
    throw new UpstreamFault('bad_request', 'This kind of provider embeds texts, not lists of tokens.')
  const body = withoutNulls({
    model,
    input: inputs,
    output_dimension: call.embed?.dimensions ?? null,
    encoding_format: call.embed?.encoding ?? null,
  })
  putBack(body, call, 'openai_embeddings')
  return body
}
