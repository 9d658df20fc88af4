/**
 * Access and refresh tokens: signed with Ed25519, checked by a list of rules narrower than the standard's. It promises
 * that a token which passes was written by this installation for this use; revocation and the subject's current rights
 * are checked elsewhere. Tested in tokens.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import { authErrors } from '../errors/errors.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { AccessClaims, RefreshClaims } from './port.ts'
import {
  checkClaims,
  headerKeyId,
  isMoment,
  isOrderedUuid,
  isShortText,
  isTextList,
  isUuid,
  type TokenType,
} from './token-checks.ts'
import { readToken, type TokenParts, writeSigned } from './token-form.ts'

export interface Tokens {
  signAccess(
    claims: Omit<AccessClaims, 'jti' | 'iat' | 'exp'>,
  ): Promise<{ readonly token: string; readonly expiresIn: number }>
  /** The same claims give the same bytes as long as the same key is active. */
  signRefresh(claims: RefreshClaims): Promise<string>
  /** Whether it says that this installation wrote it, good or not. */
  isOurs(token: string): boolean
  /** @throws AUTH-002, AUTH-003 */
  verifyAccess(token: string): AccessClaims
  /** @throws AUTH-002, AUTH-003 */
  verifyRefresh(token: string): RefreshClaims
}

export interface TokenParameters {
  readonly keys: Pick<SigningKeys, 'sign' | 'verify' | 'activeKid'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'uuid'>
  /** The `iss` of every token. */
  readonly publicUrl: string
}

/** Seconds an access token lives; fixed by the API's contract. */
export const accessLife = 3_600

/** Seconds a refresh token may live at most: 30 days. */
const longestRefreshLife = 30 * 86_400

const audiences: Readonly<Record<TokenType, string>> = { 'at+jwt': 'parapet', 'rt+jwt': 'parapet-refresh' }

export function createTokens(parameters: TokenParameters): Tokens {
  const seconds = () => Math.floor(parameters.clock.now() / 1000)
  const verified = (token: string, type: TokenType, longestLife: number): TokenParts['payload'] =>
    verify(parameters, token, { type, longestLife, now: seconds() })
  return {
    signAccess: async (claims) => {
      const iat = seconds()
      const payload = { ...accessPayload(claims), iat, exp: iat + accessLife, jti: parameters.random.uuid() }
      return { token: await sign(parameters, 'at+jwt', payload), expiresIn: accessLife }
    },
    signRefresh: ({ sub, tid, sid, jti, iat, exp }) => sign(parameters, 'rt+jwt', { sub, tid, sid, jti, iat, exp }),
    isOurs: (token) => readToken(token)?.payload.iss === parameters.publicUrl,
    verifyAccess: (token) => accessClaims(verified(token, 'at+jwt', accessLife)),
    verifyRefresh: (token) => refreshClaims(verified(token, 'rt+jwt', longestRefreshLife)),
  }
}

async function sign(parameters: TokenParameters, typ: TokenType, claims: object): Promise<string> {
  const kid = parameters.keys.activeKid('token')
  const signed = writeSigned({ alg: 'EdDSA', typ, kid }, { iss: parameters.publicUrl, aud: audiences[typ], ...claims })
  const made = await parameters.keys.sign('token', Buffer.from(signed, 'latin1'))
  // A rotation between the two lines; the header must name the key that signed.
  if (made.kid !== kid) return sign(parameters, typ, claims)
  return `${signed}.${Buffer.from(made.signature).toString('base64url')}`
}

interface Expected {
  readonly type: TokenType
  readonly longestLife: number
  readonly now: number
}

function verify(parameters: TokenParameters, token: string, expected: Expected): TokenParts['payload'] {
  const parts = readToken(token)
  const kid = parts === null ? null : headerKeyId(parts, expected.type)
  if (parts === null || kid === null) throw authErrors.invalid()
  if (!parameters.keys.verify('token', kid, parts.signed, parts.signature)) throw authErrors.invalid()
  const verdict = checkClaims(parts.payload, {
    ...expected,
    issuer: parameters.publicUrl,
    audience: audiences[expected.type],
  })
  if (verdict === 'invalid') throw authErrors.invalid()
  if (verdict === 'expired') throw authErrors.expired()
  return parts.payload
}

function accessPayload(claims: Omit<AccessClaims, 'jti' | 'iat' | 'exp'>): object {
  const { sub, tid, sid, role, permissions, auth_time, amr, acr } = claims
  return { sub, tid, sid, role, permissions, auth_time, amr, acr }
}

function accessClaims(payload: TokenParts['payload']): AccessClaims {
  const { role, permissions, auth_time, amr, acr } = payload
  if (!isShortText(role) || !isTextList(permissions) || !isMoment(auth_time) || !isTextList(amr) || !isShortText(acr)) {
    throw authErrors.invalid()
  }
  return { ...refreshClaims(payload), role, permissions, auth_time, amr, acr }
}

function refreshClaims(payload: TokenParts['payload']): RefreshClaims {
  const { sub, tid, sid, jti, iat, exp } = payload
  if (!isUuid(sub) || !isUuid(tid) || !isOrderedUuid(sid) || !isShortText(jti) || !isMoment(iat) || !isMoment(exp)) {
    throw authErrors.invalid()
  }
  return { sub, tid: tid as TenantId, sid, jti, iat, exp }
}
