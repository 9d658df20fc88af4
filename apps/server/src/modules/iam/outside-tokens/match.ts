import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'

/** Claims that name the client or subject of a token. Of several bindings that a token meets, the first claim counts. */
export const boundClaims = ['sub', 'azp', 'client_id'] as const
export type BoundClaim = (typeof boundClaims)[number]

/** Which tokens of an issuer are meant. */
export interface OutsideMatch {
  /** As the tokens' `iss`: an https address that publishes its keys (OpenID Connect Discovery or RFC 8414). */
  readonly issuer: string
  readonly claim: BoundClaim
  readonly value: string
  /** In the tokens' `aud` (RFC 8707). */
  readonly audience: string
}

/** A match as the directory of the installation knows it. */
export const matchText = ({ issuer, claim, value, audience }: OutsideMatch): string =>
  JSON.stringify([issuer, claim, value, audience])

const mostAudiences = 10
const longestValue = 255
const compactForm = /^[\w-]{1,2048}\.[\w-]{1,8192}\.[\w-]{1,1024}$/
const types: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt'])

/**
 * The matches a token would meet if it is valid, of which nothing is proven yet; in order of precedence.
 * Empty for a text that is no token of an outside issuer.
 */
export function claimedMatches(token: string): readonly OutsideMatch[] {
  if (!compactForm.test(token)) return []
  const payload = payloadOf(token)
  if (payload === null || typeof payload.iss !== 'string' || payload.iss.length > 2_000) return []
  const audiences = (Array.isArray(payload.aud) ? payload.aud : [payload.aud]).filter(isValue)
  if (audiences.length > mostAudiences) return []
  const issuer = payload.iss
  return boundClaims.flatMap((claim) => {
    const value = payload[claim]
    return isValue(value) ? audiences.map((audience) => ({ issuer, claim, value, audience })) : []
  })
}

function payloadOf(token: string): JWTPayload | null {
  try {
    const { typ, kid } = decodeProtectedHeader(token)
    // A key that is not named would be a guess, and tokens for other uses have types of their own.
    if (typeof kid !== 'string' || (typ !== undefined && !types.has(typ.toLowerCase()))) return null
    return decodeJwt(token)
  } catch {
    // Not a token at all: the caller learns no more than about an invalid one.
    return null
  }
}

const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestValue
