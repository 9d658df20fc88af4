/** The rules of a token as a list of small checks, in the order they are read. RFC 8725 and RFC 9068, made narrower. */
import type { TokenParts } from './token-form.ts'

export type TokenType = 'at+jwt' | 'rt+jwt'

export interface TokenRules {
  readonly type: TokenType
  readonly issuer: string
  readonly audience: string
  /** Unix seconds. */
  readonly now: number
  /** Seconds between `iat` and `exp` at most. */
  readonly longestLife: number
}

/** Seconds by which the clocks of two instances may differ. */
export const clockSkew = 5

type Verdict = 'good' | 'invalid' | 'expired'

/** Algorithm, type and key id, and nothing besides: so neither `crit` nor `jwk`, `jku` or `x5u` can be there. */
export function headerKeyId(parts: TokenParts, type: TokenType): string | null {
  const { alg, typ, kid, ...others } = parts.header
  if (Object.keys(others).length > 0) return null
  if (alg !== 'EdDSA' || typ !== type) return null
  return typeof kid === 'string' && /^[A-Za-z0-9_-]{43}$/.test(kid) ? kid : null
}

/** Only for payloads whose signature was found good. */
export function checkClaims(payload: TokenParts['payload'], rules: TokenRules): Verdict {
  const { iss, aud, iat, exp, nbf } = payload
  if (iss !== rules.issuer) return 'invalid'
  // One string: a list would let a token be good at two places.
  if (aud !== rules.audience) return 'invalid'
  if (!isSeconds(iat) || !isSeconds(exp)) return 'invalid'
  if (iat > rules.now + clockSkew) return 'invalid'
  if (exp <= iat || exp - iat > rules.longestLife) return 'invalid'
  if (nbf !== undefined && !(isSeconds(nbf) && nbf <= rules.now + clockSkew)) return 'invalid'
  return exp + clockSkew <= rules.now ? 'expired' : 'good'
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const orderedUuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidForm.test(value)
}

/** Version 7: its order is the order of making, which revocation relies on. */
export function isOrderedUuid(value: unknown): value is string {
  return typeof value === 'string' && orderedUuidForm.test(value)
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 200
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 100 && value.every(isShortText)
}

export function isMoment(value: unknown): value is number {
  return isSeconds(value)
}
