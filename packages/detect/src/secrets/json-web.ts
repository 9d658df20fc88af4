import type { Finding } from '../base/finding.ts'
import { isWord } from '../base/matcher.ts'
import { decodeBase64 } from '../text/bytes/base64.ts'

/** Beginnings of signed tokens and private JSON Web Keys. */
export const jsonWebTriggers = ['eyJ', '"d"', '"k"'] as const

// Header and claims are JSON objects, so both begin with `{"`, which base64 writes as `eyJ`. Encrypted tokens
// (RFC 7516) have five parts, of which only the first is readable.
const header = /eyJ[\w-]{8,1024}\./y
const signed = /eyJ[\w-]{8,1024}\.eyJ[\w-]{8,5000}(?:\.[\w-]{16,1400})?/y
const encrypted = /eyJ[\w-]{8,1024}\.[\w-]{0,700}\.[\w-]{12,32}\.[\w-]{8,4000}\.[\w-]{16,64}/y
const member = /"[dk]"\s{0,4}:\s{0,4}"([\w-]{40,700})"/y
const keyMembers = /"(?:kty|crv|e|n|alg|kid|x|y|key_ops)"/

/** The signed token or private key member whose trigger stands at `at`. */
export function jsonWebAt(text: string, at: number): Finding | undefined {
  return text[at] === '"' ? privateMember(text, at) : tokenAt(text, at)
}

function tokenAt(text: string, at: number): Finding | undefined {
  const before = text.charCodeAt(at - 1)
  if (isWord(before) || before === 45) return undefined
  header.lastIndex = at
  if (!header.test(text) || !namesAlgorithm(text.slice(at, header.lastIndex - 1))) return undefined
  for (const shape of [signed, encrypted]) {
    shape.lastIndex = at
    if (shape.test(text)) return { detector: 'secret', type: 'jwt', start: at, end: shape.lastIndex, score: 0.97 }
  }
  return undefined
}

/** RFC 7515 section 4.1.1: `alg` must be present in the header. */
function namesAlgorithm(encoded: string): boolean {
  const bytes = decodeBase64(encoded)
  return bytes !== undefined && String.fromCharCode(...bytes).includes('"alg"')
}

/** RFC 7517: the private exponent `d` or the symmetric key `k` beside the other members of a key. */
function privateMember(text: string, at: number): Finding | undefined {
  member.lastIndex = at
  const value = member.exec(text)?.[1]
  if (value === undefined) return undefined
  const end = member.lastIndex - 1
  const around = `${text.slice(Math.max(0, at - 100), at)}${text.slice(end, end + 40)}`
  if (!keyMembers.test(around)) return undefined
  return { detector: 'secret', type: 'private_jwk', start: end - value.length, end, score: 0.95 }
}
