import type { CanonicalCall, MediaSource, Part } from '../call/call.ts'
import { readDataUrl } from '../call/texts/data-url.ts'
import { type KeptPart, keptParts } from '../call/texts/kept-parts.ts'
import { matchesAny } from '../words/globs.ts'
import type { EffectivePolicy } from './effective.ts'

/** A part of a call that is not text of its own. */
export interface Attachment {
  /** JSON Pointer into the body. */
  readonly location: string
  /** Null if not given. */
  readonly mime: string | null
  /** Null if the bytes are stored elsewhere. */
  readonly bytes: number | null
  /** The provider would fetch it from an address. */
  readonly remote: boolean
}

export function attachmentsOf(call: CanonicalCall): readonly Attachment[] {
  const understood = call.turns.flatMap(({ parts, at }, turn) =>
    parts.flatMap((part, index) => {
      const place = `${at ?? `/messages/${turn}`}/content${parts.length > 1 ? `/${index}` : ''}`
      return attachmentOf(part, place)
    }),
  )
  return [...understood, ...keptParts(call).flatMap(keptAttachment)]
}

function keptAttachment({ location, media }: KeptPart): readonly Attachment[] {
  if (media === null) return []
  const { mime, data, remote } = media
  // An id alone says nothing of type or size; whether it may be sent unread is asked elsewhere.
  if (mime === null && data === null && !remote) return []
  return [{ location, mime, bytes: data === null ? null : bytesOf(data), remote }]
}

function attachmentOf(part: Part, location: string): readonly Attachment[] {
  if (part.type === 'image') return [{ location, ...imageFacts(part.url) }]
  if (part.type !== 'audio' && part.type !== 'file') return []
  // A file that has nothing but text is text.
  return part.source === null ? [] : [{ location, mime: part.mime, ...sourceFacts(part.source) }]
}

function imageFacts(url: string): Omit<Attachment, 'location'> {
  const held = readDataUrl(url)
  return held === null
    ? { mime: null, bytes: null, remote: true }
    : { mime: held.mime, bytes: bytesOf(held.body), remote: false }
}

function sourceFacts(source: MediaSource): Pick<Attachment, 'bytes' | 'remote'> {
  return { bytes: source.kind === 'data' ? bytesOf(source.data) : null, remote: source.kind === 'url' }
}

/** Of base64 text. */
function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}

/** The first rule an attachment breaks; null for none. */
export function brokenBy(
  { mime, bytes, remote }: Attachment,
  rules: EffectivePolicy['content']['attachments'],
): string | null {
  if (remote && rules.remote_urls === 'deny') return 'attachment-remote'
  // An attachment without a type fits only a policy that allows every type.
  const allowed = rules.allow_mime.every((list) => mime !== null && matchesAny(list, mime))
  if (!allowed && !(remote && mime === null)) return 'attachment-type'
  return bytes !== null && bytes > rules.max_bytes ? 'attachment-size' : null
}
