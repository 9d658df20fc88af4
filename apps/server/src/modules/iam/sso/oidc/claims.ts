/** Reads an identity from claims, strictly: a malformed claim counts as absent. Tested in ../sign-in/pure.test.ts. */
import { createHash } from 'node:crypto'
import type { ClaimNames } from '../../schemas/sso.ts'
import { type AssertedIdentity, bounded } from '../identity.ts'
import { refused } from '../refusals.ts'

export type Claims = Readonly<Record<string, unknown>>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Unix milliseconds of a NumericDate; null for any other value, or a date out of range. */
const seconds = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value < 2 ** 32 ? Math.floor(value) * 1000 : null

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '')

/** Some providers write booleans as text or number: Cognito `"true"`, Entra ID `"1"`. Null where there is no claim. */
function booleanOf(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === 'True' || value === '1') return true
  return value === undefined ? null : false
}

/**
 * The provider's statement about `email`: `email_verified` (OpenID Connect Core 1.0 section 5.1), or in its place Entra
 * ID's optional claim `xms_edov`, "e-mail domain owner verified". Null where it makes none.
 */
const verifiedIn = (claims: Claims): boolean | null => booleanOf(claims.email_verified) ?? booleanOf(claims.xms_edov)

/**
 * Whether Entra ID left groups out because there are too many: it names where they can be read (`_claim_names`), or in
 * tokens of the implicit kind says `hasgroups`.
 */
function namesAllGroups(claims: Claims, claim: string): boolean {
  const elsewhere = claims._claim_names
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)
  return !isElsewhere && booleanOf(claims.hasgroups) !== true
}

/**
 * @param emailTrusted the connection's administrator vouches for addresses of which the provider says nothing
 * @throws SsoRefusal
 */
export function identityOf(claims: Claims, names: ClaimNames, emailTrusted = false): AssertedIdentity {
  const email = names.email ?? 'email'
  const groups = names.groups ?? 'groups'
  // `email_verified` is about `email`; of an address under another name it says nothing, unless they are the same.
  const isAbout = email === 'email' || claims[email] === claims.email
  const said = isAbout ? verifiedIn(claims) : null
  return bounded({
    subject: text(claims.sub) ?? '',
    email: text(claims[email]),
    emailVerified: said ?? emailTrusted,
    name: text(claims[names.name ?? 'name']),
    groups: texts(claims[groups]),
    groupsComplete: namesAllGroups(claims, groups),
    acr: text(claims.acr),
    amr: texts(claims.amr),
    authTime: seconds(claims.auth_time),
    idpSid: text(claims.sid),
  })
}

/**
 * Merges claims, those of the ID token over those of the userinfo endpoint. Verification of an address is read from the
 * source of the address: a statement about one address must not count for another.
 */
export function mergedClaims(token: Claims, profile: Claims, names: ClaimNames): Claims {
  const email = names.email ?? 'email'
  const isInToken = token[email] !== undefined
  const words = [
    isInToken ? verifiedIn(token) : null,
    isInToken && token[email] !== profile[email] ? null : verifiedIn(profile),
  ].filter((word) => word !== null)
  const { xms_edov: _edov, email_verified: _word, ...claims }: Claims = { ...profile, ...token }
  const isSilent = verifiedIn(token) === null && verifiedIn(profile) === null
  if (isSilent) return claims
  // Where both name the same address, both must call it verified; a statement about another address does not count.
  return { ...claims, email_verified: words.length > 0 && words.every((word) => word) }
}

/** Whether the ID token lacks the e-mail or groups claim, which the userinfo endpoint may have. */
export function lacksProfile(claims: Claims, names: ClaimNames): boolean {
  return claims[names.email ?? 'email'] === undefined || claims[names.groups ?? 'groups'] === undefined
}

/**
 * `at_hash` binds the access token to the ID token (OpenID Connect Core 1.0 section 3.1.3.6): the left half of the hash
 * that the signature's algorithm uses, base64url. Optional in the code flow, checked where it is.
 * @throws SsoRefusal
 */
export function assertTokenHash(claims: Claims, tokens: { readonly accessToken: string; readonly alg: string }): void {
  if (claims.at_hash === undefined) return
  const hash = hashOf(tokens.alg)
  if (hash === null) throw refused(`at_hash cannot be checked for ${tokens.alg}`)
  const digest = createHash(hash).update(tokens.accessToken, 'ascii').digest()
  if (claims.at_hash !== digest.subarray(0, digest.length / 2).toString('base64url'))
    throw refused('at_hash of the ID token does not belong to the access token')
}

function hashOf(alg: string): 'sha256' | 'sha384' | 'sha512' | null {
  // Ed25519 hashes with SHA-512.
  if (alg === 'EdDSA' || alg === 'Ed25519') return 'sha512'
  const bits = /^(?:RS|PS|ES)(256|384|512)$/.exec(alg)?.[1]
  if (bits === '256') return 'sha256'
  if (bits === '384') return 'sha384'
  return bits === '512' ? 'sha512' : null
}
