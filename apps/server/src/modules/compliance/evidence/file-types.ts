/**
 * Type of an uploaded file, judged by its content and compared with its name: of the allowed types, and nothing that runs.
 * Pure. Tested in file-types.test.ts.
 */
export interface FileType {
  readonly mediaType: string
  /** Opened by the unpacking room before it is kept. */
  readonly archive: boolean
}

type Kind = 'pdf' | 'png' | 'jpeg' | 'webp' | 'zip' | 'mp4' | 'text'

const byEnding: Readonly<Record<string, readonly [kind: Kind, mediaType: string]>> = {
  pdf: ['pdf', 'application/pdf'],
  png: ['png', 'image/png'],
  jpg: ['jpeg', 'image/jpeg'],
  jpeg: ['jpeg', 'image/jpeg'],
  webp: ['webp', 'image/webp'],
  mp4: ['mp4', 'video/mp4'],
  zip: ['zip', 'application/zip'],
  docx: ['zip', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  xlsx: ['zip', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  pptx: ['zip', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  txt: ['text', 'text/plain'],
  csv: ['text', 'text/csv'],
  json: ['text', 'application/json'],
  ndjson: ['text', 'application/x-ndjson'],
  yaml: ['text', 'application/yaml'],
  yml: ['text', 'application/yaml'],
  xml: ['text', 'application/xml'],
  eml: ['text', 'message/rfc822'],
}

/** Every media type that evidence can have. */
export const mediaTypes: readonly string[] = [...new Set(Object.values(byEnding).map(([, mediaType]) => mediaType))]

const starts = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

const signatures: readonly (readonly [Kind, (bytes: Uint8Array) => boolean])[] = [
  ['pdf', (bytes) => starts(bytes, '%PDF-')],
  ['png', (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n')],
  ['jpeg', (bytes) => starts(bytes, '\xff\xd8\xff')],
  ['webp', (bytes) => starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)],
  ['zip', (bytes) => starts(bytes, 'PK\x03\x04') || starts(bytes, 'PK\x05\x06')],
  ['mp4', (bytes) => starts(bytes, 'ftyp', 4)],
]

const utf8 = new TextDecoder('utf-8', { fatal: true })

function isText(bytes: Uint8Array): boolean {
  try {
    return !utf8.decode(bytes).includes('\0')
  } catch {
    return false
  }
}

/** Active content that a browser would run whatever the file is called. */
const active = /^\s*(?:<!doctype\s+html|<html|<svg|<script|<\?xml[^>]{0,200}>\s*(?:<!--[^>]{0,200}-->\s*)?<svg)/i
const activeInside = /<script[\s>]/i

/** The type of the file, or why it is refused. */
export function fileTypeOf(name: string, bytes: Uint8Array): FileType | string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = byEnding[ending]
  if (known === undefined)
    return `Files that end in ".${ending}" are not taken. Send one of: ${Object.keys(byEnding).join(', ')}.`
  const [kind, mediaType] = known
  if (bytes.byteLength === 0) return 'The file is empty.'
  const found = signatures.find(([, matches]) => matches(bytes))?.[0] ?? (isText(bytes) ? 'text' : null)
  if (found !== kind) return `The content is not what the name ${name.slice(0, 100)} says.`
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  if (active.test(head) || (kind === 'pdf' && activeInside.test(head)))
    return 'The file holds content that a browser would run.'
  return { mediaType, archive: kind === 'zip' }
}

/** Base64 without its padding, which is two characters at most and may be left out. */
export const unpadded = (text: string): string => text.replace(/={1,2}$/, '')
