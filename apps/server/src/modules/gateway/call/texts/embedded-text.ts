/**
 * Text sent as the bytes of a file: the recipient reads it, so it is inspected like any other text. Bytes that are not
 * text stay bytes. Pure. Tested in embedded-text.test.ts.
 */
import type { FilePart } from '../call.ts'
import { readDataUrl } from './data-url.ts'

/** Types whose bytes are text, with any parameters. */
const textTypes =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|csv|rtf|x-ndjson|ld\+json|[\w.-]+\+(?:json|xml|yaml))|image\/svg\+xml|message\/rfc822)$/i

/** The part with its text, if its bytes are text; otherwise the same part. */
export function withEmbeddedText(part: FilePart): FilePart {
  if (part.text !== null || part.source?.kind !== 'data') return part
  const text = textOf(part.mime ?? '', Buffer.from(part.source.data, 'base64'))
  return text === null ? part : { ...part, text }
}

/** The text of a `data:` address; null if it holds something else. */
export function textOfDataUrl(url: string): string | null {
  const held = readDataUrl(url)
  if (held === null || !held.hasData) return null
  // Without a type it is plain text (RFC 2397).
  return textOf(held.mime ?? 'text/plain', held.base64 ? Buffer.from(held.body, 'base64') : unescapedBytes(held.body))
}

/** A text as a `data:` address. */
export function dataUrlOf(text: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}

/** Null for another type and for bytes that are not UTF-8. */
function textOf(mime: string, bytes: Uint8Array): string | null {
  if (!textTypes.test(mime)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function unescapedBytes(body: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(body))
  } catch {
    return Buffer.from(body)
  }
}
