/**
 * Keys of outside issuers, found by their metadata and read through the guarded egress. Promises that keys are read again
 * for a key id that is not known, at most every 30 seconds, and at the latest after ten minutes. Tested in
 * issuer-keys.test.ts and outside-tokens.test.ts.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { Egress } from '../../../kernel/egress/fetch.ts'
import { type GuardedFetch, guardedFetch } from '../sso/egress-fetch.ts'

/** @throws by the function: Error where the issuer cannot be read */
export type IssuerKeys = (issuer: string) => Promise<JWTVerifyGetKey>

interface Held {
  readonly keys: Promise<JWTVerifyGetKey>
  /** Unix milliseconds. */
  readonly until: number
}

const heldMs = 3_600_000
const mostIssuers = 1_000
const keyTimes = { cooldownDuration: 30_000, cacheMaxAge: 600_000, timeoutDuration: 10_000 }

export function createIssuerKeys(egress: Pick<Egress, 'fetch'>, now: () => number): IssuerKeys {
  const held = new Map<string, Held>()
  const guarded = guardedFetch(egress)
  const read = async (issuer: string): Promise<JWTVerifyGetKey> =>
    createRemoteJWKSet(new URL(await keyAddress(guarded, issuer)), { ...keyTimes, [customFetch]: guarded })
  return (issuer) => {
    const known = held.get(issuer)
    if (known !== undefined && known.until > now()) return known.keys
    const keys = read(issuer)
    held.delete(issuer)
    held.set(issuer, { keys, until: now() + heldMs })
    const oldest = held.size > mostIssuers ? held.keys().next().value : undefined
    if (oldest !== undefined) held.delete(oldest)
    // One that could not be read is asked again by the next token.
    keys.catch(() => {
      if (held.get(issuer)?.keys === keys) held.delete(issuer)
    })
    return keys
  }
}

/** The `jwks_uri` of the issuer's metadata. @throws Error */
async function keyAddress(guarded: GuardedFetch, issuer: string): Promise<string> {
  for (const address of metadataAddresses(issuer)) {
    const answer = await guarded(address, { headers: { accept: 'application/json' } })
    if (answer.status !== 200) continue
    const metadata: unknown = await answer.json()
    if (typeof metadata !== 'object' || metadata === null) break
    const { issuer: named, jwks_uri: keys } = metadata as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
    if (named !== issuer) throw new Error(`The metadata of ${issuer} is another issuer’s`)
    if (typeof keys === 'string') return keys
  }
  throw new Error(`${issuer} publishes no metadata with keys`)
}

/** OpenID Connect Discovery 1.0, section 4, and RFC 8414, section 3. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}
