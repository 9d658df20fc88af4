/** Turns as Gemini's contents. Pure. Tested in encode.test.ts and round-trip.test.ts. */
import { parseExact } from '../../../../../kernel/base/exact-json.ts'
import type { FilePart, ImagePart, MediaSource, Part, ToolCall, Turn } from '../../../call/call.ts'
import { readDataUrl } from '../../../call/texts/data-url.ts'
import { UpstreamFault } from '../../fault.ts'
import { googleSignatureOf } from '../anthropic/thought-signatures.ts'
import { textOfFile } from '../file-texts.ts'
import { isMadeUp } from './call-ids.ts'

type Json = Record<string, unknown>

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: Json[]
  /** Holds tool results. */
  readonly results: boolean
}

export interface ContentOptions {
  /** The model refuses a call of its own without the signature that came with it. */
  readonly needsSignature: boolean
}

/** Value that the vendor accepts as the signature of a call whose own was lost or is another vendor's. */
const noSignature = 'skip_thought_signature_validator'

/** System text stands apart, even if other turns came between. */
export function encodeSystem(turns: readonly Turn[]): { readonly parts: readonly Json[] } | null {
  const parts = turns.filter(({ role }) => role === 'system').flatMap((turn) => turn.parts.flatMap(encodePart))
  return parts.length === 0 ? null : { parts }
}

/** Results of calls that were made at once belong into one content, in which there is nothing else. */
export function encodeContents(turns: readonly Turn[], options: ContentOptions): readonly Json[] {
  const contents: Content[] = []
  const calls = new Map<string, string>()
  for (const turn of turns) {
    if (turn.role === 'system') continue
    for (const { id, name } of turn.toolCalls) calls.set(id, name)
    const results = turn.role === 'tool'
    const parts = results ? encodeResult(turn, calls) : encodeTurn(turn, options)
    const last = contents.at(-1)
    if (results && last?.results === true) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role: turn.role === 'assistant' ? 'model' : 'user', parts, results })
  }
  return contents.map(({ role, parts }) => ({ role, parts }))
}

function encodeTurn(turn: Turn, { needsSignature }: ContentOptions): Json[] {
  const signature = turn.parts.reduce<string | null>(
    (found, part) => (part.type === 'reasoning' ? (googleSignatureOf(part.data) ?? found) : found),
    null,
  )
  const said = turn.parts.flatMap(encodePart)
  const calls = turn.toolCalls.map(encodeCall)
  const [first, ...more] = calls
  if (first === undefined) return signature === null ? said : signedAtEnd(said, signature)
  const ofCall = signature ?? (needsSignature ? noSignature : null)
  return [...said, ofCall === null ? first : { ...first, thoughtSignature: ofCall }, ...more]
}

/** A signature without a call is one of the last thing that was said. */
function signedAtEnd(said: readonly Json[], signature: string): Json[] {
  const last = said.findLastIndex((part) => !('thought' in part))
  if (last < 0) return [...said, { text: '', thoughtSignature: signature }]
  return said.map((part, index) => (index === last ? { ...part, thoughtSignature: signature } : part))
}

function encodeCall({ id, name, arguments: text }: ToolCall): Json {
  return { functionCall: { ...idOf(id), name, args: argumentsOf(text) } }
}

function idOf(id: string): Json {
  return isMadeUp(id) ? {} : { id }
}

function argumentsOf(text: string): Json {
  if (text.trim() === '') return {}
  const found = objectIn(text)
  if (found === null) throw new UpstreamFault('bad_request', 'The arguments of a tool call are no JSON object.')
  return found
}

function objectIn(text: string): Json | null {
  try {
    const value = parseExact(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A result names its function, while callers name the call. Content other than text stands beside it. */
function encodeResult({ parts, toolCallId, toolError }: Turn, calls: ReadonlyMap<string, string>): Json[] {
  const id = toolCallId ?? ''
  const name = calls.get(id)
  if (name === undefined)
    throw new UpstreamFault('bad_request', 'A tool message answers a call that no message before it makes.')
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const response = toolError === true ? { error: text } : (objectIn(text) ?? { output: text })
  return [
    { functionResponse: { ...idOf(id), name, response } },
    ...parts.filter(({ type }) => type !== 'text').flatMap(encodePart),
  ]
}

function encodePart(part: Part): Json[] {
  switch (part.type) {
    case 'text':
      // The vendor refuses a part without a word, which other forms write beside calls of tools.
      return part.text.trim() === '' ? [] : [{ text: part.text }]
    case 'image':
      return [encodeImage(part)]
    case 'audio':
      return [encodeMedia(part.source, part.mime)]
    case 'file':
      return encodeFile(part)
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true }]
    default:
      return part satisfies never
  }
}

function encodeImage({ url }: ImagePart): Json {
  const held = readDataUrl(url)
  if (held === null) return fileData(url, imageType(url))
  if (!held.base64) throw new UpstreamFault('bad_request', 'An image in the request is not base64.')
  return { inlineData: { mimeType: held.mime ?? '', data: held.body } }
}

/** There is no place for a name beside a file, so the model reads it before. */
function encodeFile({ source, name, mime, text }: FilePart): Json[] {
  if (source === null) return [{ text: textOfFile({ name, text }) }]
  return [...(name === null ? [] : [{ text: `File: ${name}` }]), encodeMedia(source, mime)]
}

function encodeMedia(source: MediaSource, mime: string | null): Json {
  switch (source.kind) {
    case 'data':
      return { inlineData: { mimeType: mime ?? 'application/pdf', data: source.data } }
    case 'url':
      return fileData(source.url, mime)
    case 'id':
      throw new UpstreamFault('bad_request', 'A file in the request is at another provider.')
    default:
      return source satisfies never
  }
}

function fileData(uri: string, mime: string | null): Json {
  return { fileData: { ...(mime === null ? {} : { mimeType: mime }), fileUri: uri } }
}

/** The type of an image, as far as its address tells it. */
function imageType(url: string): string | null {
  const ending = /\.(png|jpe?g|webp|gif|heic|heif)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase()
  if (ending === undefined) return null
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`
}
