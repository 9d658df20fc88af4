/** Parts of a turn as Converse's content blocks. Pure. Tested in encode.test.ts. */

import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import type { FilePart, ImagePart, Part, ReasoningPart, ToolCall, Turn } from '../../../call/call.ts'
import { readDataUrl } from '../../../call/texts/data-url.ts'
import type { CacheControl } from '../../../call/vendor.ts'
import { UpstreamFault } from '../../fault.ts'
import { anthropicForm } from '../anthropic/own-events.ts'
import { googleSignatureOf } from '../anthropic/thought-signatures.ts'
import { textOfFile } from '../file-texts.ts'
import type { Block } from './block.ts'
import { documentName } from './document-names.ts'

/** The blocks of a turn in their order: content, then tool calls. */
export function encodeTurn(turn: Turn): readonly Block[] {
  if (turn.role === 'tool') return encodeResult(turn)
  return [...turn.parts.flatMap(encodePart), ...turn.toolCalls.map(encodeCall)]
}

/** A cache point follows the content it applies to. */
export function cachePoint(control: CacheControl | undefined): readonly Block[] {
  if (control === undefined) return []
  return [{ cachePoint: { type: 'default', ...(control.ttl === null ? {} : { ttl: control.ttl }) } }]
}

export function encodePart(part: Part): readonly Block[] {
  switch (part.type) {
    case 'text':
      // The vendor refuses a block without a word, which other forms write beside calls of tools.
      return [...(part.text.trim() === '' ? [] : [{ text: part.text }]), ...cachePoint(part.cacheControl)]
    case 'image':
      return [encodeImage(part), ...cachePoint(part.cacheControl)]
    case 'file':
      return [encodeFile(part), ...cachePoint(part.cacheControl)]
    case 'reasoning':
      return encodeReasoning(part)
    case 'audio':
      throw new UpstreamFault('bad_request', 'This kind of provider takes no audio.')
    default:
      return part satisfies never
  }
}

/** Whether a model here would know its own thinking again. */
export function isSignedHere(part: Pick<ReasoningPart, 'data'>): boolean {
  const value = signedValue(part)
  return 'signature' in value || 'data' in value
}

function signedValue({ data }: Pick<ReasoningPart, 'data'>): Readonly<{ signature?: unknown; data?: unknown }> {
  if (data?.form !== anthropicForm || googleSignatureOf(data) !== null) return {}
  return typeof data.value === 'object' && data.value !== null ? data.value : {}
}

/** Thinking goes back as it was signed; thinking that was not signed for models here may always be left out. */
function encodeReasoning({ text, data }: ReasoningPart): readonly Block[] {
  const value = signedValue({ data })
  if ('signature' in value) return [{ reasoningContent: { reasoningText: { text, signature: value.signature } } }]
  return 'data' in value ? [{ reasoningContent: { redactedContent: value.data } }] : []
}

const imageType = /^image\/(png|jpeg|gif|webp)$/

function encodeImage({ url }: ImagePart): Block {
  if (url.startsWith('s3://')) return { image: { format: endingOf(url), source: { s3Location: { uri: url } } } }
  const held = readDataUrl(url)
  const format = imageType.exec(held?.mime ?? '')?.[1]
  if (held?.base64 !== true || format === undefined)
    throw new UpstreamFault(
      'bad_request',
      'This kind of provider takes images as base64 (PNG, JPEG, GIF, WebP) or in S3.',
    )
  return { image: { format, source: { bytes: held.body } } }
}

function endingOf(url: string): string {
  const ending = /\.([a-z]+)$/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return ending === 'jpg' ? 'jpeg' : ending
}

/** Formats of documents by their media types. */
const formats: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
}

function encodeFile({ source, name, mime, text }: FilePart): Block {
  if (source === null) return { text: textOfFile({ name, text }) }
  const format = formats[mime ?? 'application/pdf']
  if (source.kind !== 'data' || format === undefined)
    throw new UpstreamFault('bad_request', 'This kind of provider takes files as base64: PDF, Office, HTML, CSV, text.')
  return { document: { format, name: documentName(name), source: { bytes: source.data } } }
}

/** A mark inside a result is one on the whole of it: the prompt up to it is the same. */
function encodeResult({ parts, toolCallId, toolError }: Turn): readonly Block[] {
  const blocks = parts.flatMap(encodePart)
  const status = toolError === true ? { status: 'error' } : {}
  return [
    {
      toolResult: {
        toolUseId: toolCallId ?? '',
        content: blocks.filter((block) => !('cachePoint' in block)),
        ...status,
      },
    },
    ...blocks.filter((block) => 'cachePoint' in block).slice(-1),
  ]
}

function encodeCall({ id, name, arguments: text }: ToolCall): Block {
  return { toolUse: { toolUseId: id, name, input: inputOf(text) } }
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
