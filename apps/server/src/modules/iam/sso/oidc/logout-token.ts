/**
 * Checks logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6). Single use is the caller's to keep.
 * Tested in oidc.test.ts.
 */
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'

export interface LogoutToken {
  readonly jti: string
  readonly sub: string | null
  readonly sid: string | null
}

export interface LogoutExpectation {
  readonly issuer: string
  readonly clientId: string
  readonly keys: JSONWebKeySet
  /** Unix milliseconds. */
  readonly now: number
}

export const logoutTokenLifeSeconds = 120
const skewSeconds = 60
const event = 'http://schemas.openid.net/event/backchannel-logout'
/** Signatures only the provider can make; `none` and shared secrets are not among them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** @throws Error for every token that is not to be obeyed */
export async function verifyLogoutToken(token: string, expected: LogoutExpectation): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(expected.keys), {
    algorithms,
    issuer: expected.issuer,
    audience: expected.clientId,
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
    maxTokenAge: logoutTokenLifeSeconds,
    clockTolerance: skewSeconds,
    currentDate: new Date(expected.now),
  })
  if ('nonce' in payload) throw new Error('a logout token has no nonce')
  if (!namesLogout(payload)) throw new Error('the token is about no logout')
  const [sub, sid] = [named(payload.sub), named(payload.sid)]
  if (sub === null && sid === null) throw new Error('the token names neither a subject nor a session')
  return { jti: String(payload.jti), sub, sid }
}

function named(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string' || value === '' || value.length > 255)
    throw new Error('the token names a session badly')
  return value
}

function namesLogout({ events }: JWTPayload): boolean {
  if (typeof events !== 'object' || events === null || !(event in events)) return false
  const about: unknown = Reflect.get(events, event)
  return typeof about === 'object' && about !== null && !Array.isArray(about)
}
