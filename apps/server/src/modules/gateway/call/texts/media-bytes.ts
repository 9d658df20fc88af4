/**
 * Invalid bytes: text in a base64 field that is not base64 would be sent unchanged without being inspected. Pure.
 * Tested in media-bytes.test.ts.
 */
import type { CanonicalCall, Part } from '../call.ts'
import { readDataUrl } from './data-url.ts'
import { textOfDataUrl } from './embedded-text.ts'
import { placeOfPart } from './texts.ts'

/** JSON Pointers of the parts whose bytes are not base64. */
export function falseBytes({ turns }: Pick<CanonicalCall, 'turns'>): readonly string[] {
  return turns.flatMap((turn, index) =>
    turn.parts.flatMap((part, place) =>
      holdsFalseBytes(part) ? [placeOfPart(turn, turn.at ?? `/messages/${index}`, place)] : [],
    ),
  )
}

/** Some clients break base64 into lines, as in mail; only up to two padding characters may follow at the end. */
const foreign = /[^A-Za-z0-9+/_=\r\n-]|=[\r\n]*[^=\r\n]|={3}/

const isBase64 = (text: string): boolean => !foreign.test(text)

function holdsFalseBytes(part: Part): boolean {
  if (part.type === 'image') return isFalseImage(part.url)
  if (part.type !== 'audio' && part.type !== 'file') return false
  return part.source?.kind === 'data' && !isBase64(part.source.data)
}

function isFalseImage(url: string): boolean {
  const held = readDataUrl(url)
  if (held === null || !held.hasData || (held.base64 && isBase64(held.body))) return false
  // Text in the place of an image is inspected as text.
  return textOfDataUrl(url) === null
}
