/**
 * The outer form of a token, checked before anything in it is believed: size, three strict base64url segments, and JSON
 * exactly as we write it. Every token we meet was written by us, so whatever is not in our own form is refused:
 * duplicate members, blanks, padding, other numbers' spelling. Tested in tokens.test.ts.
 */

/** Header and payload as written, and the bytes that were signed. */
export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

const largestToken = 8 * 1024
// An Ed25519 signature of 64 bytes is 86 characters.
const compactForm = /^[A-Za-z0-9_-]{1,200}\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{86}$/
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The parts of a well-formed token, or null. */
export function readToken(token: string): TokenParts | null {
  if (token.length > largestToken || !compactForm.test(token)) return null
  const [head = '', body = '', tail = ''] = token.split('.')
  const header = readObject(head)
  const payload = readObject(body)
  const signature = readSegment(tail)
  if (header === null || payload === null || signature === null) return null
  return { header, payload, signature, signed: Buffer.from(`${head}.${body}`, 'latin1') }
}

/** `header.payload` of a new token, ready to be signed. */
export function writeSigned(header: object, payload: object): string {
  return `${segmentOf(header)}.${segmentOf(payload)}`
}

function segmentOf(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Unused bits of the last character must be zero, or one token would have several spellings. */
function readSegment(segment: string): Buffer | null {
  const bytes = Buffer.from(segment, 'base64url')
  return bytes.toString('base64url') === segment ? bytes : null
}

function readObject(segment: string): Readonly<Record<string, unknown>> | null {
  const bytes = readSegment(segment)
  if (bytes === null) return null
  try {
    const text = strictText.decode(bytes)
    const value: unknown = JSON.parse(text)
    if (!isPlainObject(value)) return null
    // Duplicate members and any other freedom of JSON do not survive being written again.
    return JSON.stringify(value) === text ? value : null
  } catch {
    // Not UTF-8 or not JSON: malformed like everything else here, and the caller must not learn how.
    return null
  }
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
