/** Parts of a turn as Anthropic's content blocks. Pure. Tested in encode.test.ts. */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import type { FilePart, ImagePart, MediaSource, Part, ReasoningPart, ToolCall, Turn } from '../../../call/call.ts'
import { readDataUrl } from '../../../call/texts/data-url.ts'
import type { CacheControl } from '../../../call/vendor.ts'
import { UpstreamFault } from '../../fault.ts'
import { anthropicForm } from './own-events.ts'
import { googleSignatureOf } from './thought-signatures.ts'

export type Block = Record<string, unknown>

/** The blocks of a turn in their order: content, then tool calls. */
export function encodeTurn(turn: Turn): readonly Block[] {
  if (turn.role === 'tool') return [encodeResult(turn)]
  return [...turn.parts.flatMap(encodePart), ...turn.toolCalls.map(encodeCall)]
}

export function encodePart(part: Part): readonly Block[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...marked(part.cacheControl) }]
    case 'image':
      return [{ type: 'image', source: imageSource(part), ...marked(part.cacheControl) }]
    case 'file':
      return [encodeFile(part)]
    case 'reasoning':
      return encodeReasoning(part)
    case 'audio':
      throw new UpstreamFault('bad_request', 'This kind of provider takes no audio.')
    default:
      return part satisfies never
  }
}

/** Whether the vendor would know its own thinking again. */
export function isSignedHere({ data }: Pick<ReasoningPart, 'data'>): boolean {
  const isOwn = data?.form === anthropicForm && typeof data.value === 'object' && data.value !== null
  return isOwn && googleSignatureOf(data) === null
}

/**
 * Thinking goes back as it was signed. Thinking that was not signed here, or was changed since, cannot go back: the
 * vendor refuses it, and earlier thinking may always be left out.
 */
function encodeReasoning({ text, data }: ReasoningPart): readonly Block[] {
  if (!isSignedHere({ data }) || typeof data?.value !== 'object' || data.value === null) return []
  return [Reflect.get(data.value, 'type') === 'thinking' ? { thinking: text, ...data.value } : { ...data.value }]
}

export function marked(control: CacheControl | undefined): Block {
  if (control === undefined) return {}
  return { cache_control: { type: 'ephemeral', ...(control.ttl === null ? {} : { ttl: control.ttl }) } }
}

function imageSource({ url }: ImagePart): Block {
  const held = readDataUrl(url)
  if (held === null) return { type: 'url', url }
  if (!held.base64) throw new UpstreamFault('bad_request', 'An image in the request is not base64.')
  return { type: 'base64', media_type: held.mime ?? '', data: held.body }
}

function encodeFile({ source, name, mime, text, cacheControl }: FilePart): Block {
  const from = source === null ? { type: 'text', media_type: 'text/plain', data: text ?? '' } : fileSource(source, mime)
  return { type: 'document', source: from, ...(name === null ? {} : { title: name }), ...marked(cacheControl) }
}

function fileSource(source: MediaSource, mime: string | null): Block {
  switch (source.kind) {
    case 'url':
      return { type: 'url', url: source.url }
    case 'id':
      return { type: 'file', file_id: source.id }
    case 'data': {
      // Only PDF may come as bytes; text is text here.
      if (mime?.startsWith('text/') !== true) return { type: 'base64', media_type: mime ?? pdf, data: source.data }
      return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString('utf8') }
    }
    default:
      return source satisfies never
  }
}

const pdf = 'application/pdf'

function encodeResult({ parts, toolCallId, toolError }: Turn): Block {
  // A mark on the last part is one on the whole result: the prompt up to it is the same.
  const last = parts.at(-1)
  const mark = last !== undefined && 'cacheControl' in last ? last.cacheControl : undefined
  const plain = mark === undefined ? parts : parts.map((part) => (part === last ? withoutMark(part) : part))
  return {
    type: 'tool_result',
    tool_use_id: toolCallId ?? '',
    content: plain.flatMap(encodePart),
    ...(toolError === true ? { is_error: true } : {}),
    ...marked(mark),
  }
}

function withoutMark(part: Part): Part {
  if (!('cacheControl' in part)) return part
  const { cacheControl: _, ...rest } = part
  return rest
}

/** The vendor refuses a block of text without a word. */
export function withoutSilence(blocks: readonly Block[]): Block[] {
  return blocks
    .filter(({ type, text }) => type !== 'text' || typeof text !== 'string' || text.trim() !== '')
    .map((block) => (Array.isArray(block.content) ? { ...block, content: withoutSilence(block.content) } : block))
}

/** Plain text is said in the shorter form; so are results of tools in it. */
export function shortened(blocks: readonly Block[]): string | readonly Block[] {
  return contentOf(blocks.map(shortenedResult))
}

function shortenedResult(block: Block): Block {
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block
  const { content, ...rest } = block
  return content.length === 0 ? rest : { ...block, content: contentOf(content) }
}

function contentOf(blocks: readonly Block[]): string | readonly Block[] {
  const [only] = blocks
  const isPlain = blocks.length === 1 && only !== undefined && only.type === 'text' && Object.keys(only).length === 2
  return isPlain && typeof only.text === 'string' ? only.text : blocks
}

function encodeCall({ id, name, arguments: text }: ToolCall): Block {
  return { type: 'tool_use', id, name, input: inputOf(text) }
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
