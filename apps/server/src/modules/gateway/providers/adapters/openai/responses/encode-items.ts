/** Turns as the input items of OpenAI's Responses. One turn may have been read from several items. Pure. */
import type { FilePart, Part, ReasoningPart, Role, ToolCall, Turn } from '../../../../call/call.ts'
import { UpstreamFault } from '../../../fault.ts'
import { tellingFailure } from '../../failed-tools.ts'
import { textOfFile } from '../../file-texts.ts'
import { withoutNulls } from '../encode.ts'

export interface Item {
  /** Where it stood in the caller's body; null where it is not the caller's. */
  readonly at: string | null
  readonly value: Record<string, unknown>
}

/**
 * Items in the order they were read in: thinking, a message, calls of tools. A content that is one text is said in the
 * shorter form, but where something of its list is put back.
 */
export function itemsOf(turn: Turn, isListed: (at: string) => boolean): readonly Item[] {
  const places = turn.places ?? [turn.at ?? null]
  const thoughts = turn.parts.filter((part) => part.type === 'reasoning')
  const said = turn.parts.filter((part) => part.type !== 'reasoning')
  const others = thoughts.length + turn.toolCalls.length
  // A message with only unknown members still exists: its members are put back into it.
  const hasMessage = turn.places === undefined ? said.length > 0 || others === 0 : places.length > others
  const listed = isListed(places[thoughts.length] ?? '')
  const values = [
    ...thoughts.map(encodeThought),
    ...(hasMessage ? [turn.role === 'tool' ? encodeResult(turn, listed) : encodeMessage(turn, said, listed)] : []),
    ...turn.toolCalls.map(encodeCall),
  ]
  return values.flatMap((value, index) => (value === null ? [] : [{ at: places[index] ?? null, value }]))
}

/** Whether the vendor would know its own thinking again. */
export function isSealedHere(part: ReasoningPart): boolean {
  return encodeThought(part) !== null
}

/** Thinking goes back as its vendor sealed it. Thinking that was not sealed or was changed since may be left out. */
function encodeThought({ data }: ReasoningPart): Record<string, unknown> | null {
  return data?.form === 'openai_responses' && typeof data.value === 'object' ? { ...data.value } : null
}

function encodeMessage({ role, developer }: Turn, parts: readonly Said[], listed: boolean): Record<string, unknown> {
  const content = encodeContent(role, parts, listed)
  return { type: 'message', role: developer === true ? 'developer' : role, content }
}

function encodeResult(turn: Turn, listed: boolean): Record<string, unknown> {
  const { toolCallId, parts } = tellingFailure(turn)
  const said = parts.filter((part) => part.type !== 'reasoning')
  return { type: 'function_call_output', call_id: toolCallId ?? '', output: encodeContent('tool', said, listed) }
}

function encodeCall({ id, name, arguments: text }: ToolCall): Record<string, unknown> {
  return { type: 'function_call', call_id: id, name, arguments: text }
}

type Said = Exclude<Part, ReasoningPart>

function encodeContent(role: Role, parts: readonly Said[], listed: boolean): string | readonly object[] {
  const [only] = parts
  if (!listed && parts.length === 1 && only?.type === 'text') return only.text
  return parts.map((part) => encodePart(part, role === 'assistant' ? 'output_text' : 'input_text'))
}

function encodePart(part: Said, type: 'input_text' | 'output_text'): object {
  switch (part.type) {
    case 'text':
      return { type, text: part.text }
    case 'image':
      return { type: 'input_image', ...withoutNulls({ image_url: part.url, detail: part.detail }) }
    case 'file':
      return encodeFile(part)
    case 'audio':
      throw new UpstreamFault('bad_request', 'This interface takes no audio.')
    default:
      return part satisfies never
  }
}

function encodeFile({ source, name, mime, text }: FilePart): object {
  if (source === null) return { type: 'input_text', text: textOfFile({ name, text }) }
  const file = {
    id: () => ({ file_id: source.kind === 'id' ? source.id : '' }),
    url: () => ({ file_url: source.kind === 'url' ? source.url : '' }),
    data: () => ({
      file_data: `data:${mime ?? 'application/octet-stream'};base64,${source.kind === 'data' ? source.data : ''}`,
    }),
  }[source.kind]()
  return { type: 'input_file', ...withoutNulls({ filename: name, ...file }) }
}
