/**
 * Tokens of outside issuers: which service account one is bound to, and whether it is good. An issuer is only asked for its
 * keys where a binding names it, so that no token can make the program call an address. Tested in outside-tokens.test.ts.
 */
import { errors as joseErrors, jwtVerify } from 'jose'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { IdentitySource, OutsideCredential } from '../../../kernel/auth/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { directoryDigest, type Home } from '../directory/directory.ts'
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts'
import { claimedMatches, matchText, type OutsideMatch } from './match.ts'

/** Signatures that only the issuer can make: neither `none` nor shared secrets. */
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']
/** Seconds by which the issuer's clock may differ. */
const skewSeconds = 5

type Parts = Pick<Kernel, 'db' | 'clock' | 'platformKeys' | 'egress' | 'log'>

export function createOutsideVerifier(parts: Parts): IdentitySource['outsideToken'] {
  const keys = createIssuerKeys(parts.egress, parts.clock.now)
  return async (token, tenant) => {
    const bound = await bindingOf(parts, claimedMatches(token), tenant)
    return bound === null ? null : verified({ ...parts, keys }, token, bound)
  }
}

interface Bound {
  readonly bindingId: string
  readonly tenantId: TenantId
  readonly ownerId: string
  readonly match: OutsideMatch
}

interface Entry extends Home {
  readonly digest: string
}

/** The binding that counts; null where there is none, or where several tenants have one and the request names none. */
async function bindingOf(
  { db, platformKeys }: Parts,
  matches: readonly OutsideMatch[],
  tenant: string | undefined,
): Promise<Bound | null> {
  if (matches.length === 0) return null
  const digests = matches.map((match) => directoryDigest(platformKeys, 'outside_token', matchText(match)))
  const entries = await db.read(
    platformTenant,
    sql<Entry>`
      select home, subject, digest from iam_directory
      where kind = 'outside_token' and digest = any(${digests}::text[])`,
  )
  const named = tenant === undefined || tenant === '' ? entries : entries.filter(({ home }) => home === tenant)
  if (new Set(named.map(({ home }) => home)).size !== 1) return null
  for (const [n, match] of matches.entries()) {
    const entry = named.find(({ digest }) => digest === digests[n])
    if (entry === undefined) continue
    const [row] = await db.read(
      entry.home,
      sql<{ user_id: string }>`select user_id from iam_outside_token where id = ${entry.subject}`,
    )
    if (row !== undefined) return { bindingId: entry.subject, tenantId: entry.home, ownerId: row.user_id, match }
  }
  return null
}

/** @throws AUTH-003, API-009 */
async function verified(
  { clock, keys, log }: Parts & { readonly keys: IssuerKeys },
  token: string,
  { match, ...bound }: Bound,
): Promise<OutsideCredential | null> {
  try {
    const { payload } = await jwtVerify(token, await keys(match.issuer), {
      ...{ algorithms, issuer: match.issuer, audience: match.audience, requiredClaims: ['exp'] },
      ...{ clockTolerance: skewSeconds, currentDate: new Date(clock.now()) },
    })
    return payload[match.claim] === match.value ? { ...bound, expiresAt: payload.exp ?? 0 } : null
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) throw authErrors.expired()
    if (isTokensFault(error)) return null
    log.warn({ err: error, issuer: match.issuer }, 'the keys of an outside issuer cannot be read')
    throw apiErrors
      .unavailable({ what: `The keys of the issuer ${match.issuer} cannot be read. Try again later.` })
      .causedBy(error)
  }
}

/** Everything that the library finds wrong with a token, and a key that the issuer does not have. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof joseErrors.JWTClaimValidationFailed ||
    error instanceof joseErrors.JWTInvalid ||
    error instanceof joseErrors.JWSInvalid ||
    error instanceof joseErrors.JWSSignatureVerificationFailed ||
    error instanceof joseErrors.JOSEAlgNotAllowed ||
    error instanceof joseErrors.JOSENotSupported ||
    error instanceof joseErrors.JWKSNoMatchingKey ||
    error instanceof joseErrors.JWKSMultipleMatchingKeys ||
    // The key has another type than the algorithm needs.
    error instanceof TypeError
  )
}
