/**
 * Service accounts of Google's cloud: the file of one, and the request that buys an access token with it (RFC 7523).
 * Promises that the private key signs here and goes nowhere. Tested in modules/gateway/providers/adapters/google-vertex/
 * vertex.test.ts and kernel/keys/kek/google-tokens.test.ts.
 */
import { importPKCS8, SignJWT } from 'jose'
import Type, { type Static } from 'typebox'
import { fits } from '../schema/fits.ts'

const ServiceAccount = Type.Object({
  type: Type.Literal('service_account'),
  client_email: Type.String({ minLength: 3, maxLength: 320 }),
  private_key: Type.String({ pattern: '^-----BEGIN PRIVATE KEY-----' }),
  private_key_id: Type.Optional(Type.String({ maxLength: 128 })),
  token_uri: Type.Optional(Type.String({ pattern: '^https?://[^?#@]+$', maxLength: 2048 })),
})
export type ServiceAccount = Static<typeof ServiceAccount>

const defaultTokenUri = 'https://oauth2.googleapis.com/token'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** The longest the vendor allows. */
const lifeS = 3600

/** The account in the text of its file; null for anything else. */
export function accountIn(text: string): ServiceAccount | null {
  try {
    const value: unknown = JSON.parse(text)
    return fits(ServiceAccount, value) ? value : null
  } catch {
    // The caller reports the missing account; the text may hold a private key.
    return null
  }
}

export interface TokenRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Asking {
  /** Scope of the token. */
  readonly scope: string
  /** Unix milliseconds. */
  readonly now: number
}

/** The request for a token; null where the private key cannot be read. */
export async function tokenRequest(account: ServiceAccount, { scope, now }: Asking): Promise<TokenRequest | null> {
  const url = account.token_uri ?? defaultTokenUri
  const { client_email: issuer, private_key: pem, private_key_id: kid } = account
  const key = await importPKCS8(pem, 'RS256').catch(() => null)
  if (key === null) return null
  const nowS = Math.floor(now / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .setIssuer(issuer)
    .setAudience(url)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + lifeS)
    .sign(key)
  return {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ grant_type: grant, assertion }).toString(),
  }
}
