/**
 * Authenticates the caller. It promises that every refusal of a bad credential reads the same, that rights are the
 * current ones, and that a revoked credential does not pass; the route decides about permissions.
 * A known token costs no promise and no query. Tested in authenticate.test.ts.
 */
import type { Actor } from '../access/actor.ts'
import { intersection } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import { authErrors } from '../errors/errors.ts'
import type { PlatformKeys, SigningKeys } from '../keys/port.ts'
import type { ChangeSource } from '../live/changes.ts'
import { isAllowedAddress } from '../net/networks.ts'
import {
  familyScopes,
  isLive,
  jobActor,
  keyActor,
  ownersOf,
  renewedActor,
  revocableOf,
  subjectOf,
  tokenActor,
  type VerifiedToken,
  verifiedToken,
} from './actors.ts'
import { apiKeyMatches, type ParsedApiKey } from './api-keys.ts'
import { credentialOf, readCredential } from './credential.ts'
import { createOutsideTokens, type OutsideTokens } from './outside-tokens.ts'
import type { AuthKernel, AuthRequest, IdentitySource, StoredApiKey, SubjectRights } from './port.ts'
import { createRevocationList, type RevocationList } from './revocation.ts'
import { createSubjects, rightsTopic, type Subjects } from './subjects.ts'
import { inTenant } from './tenant-switch.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'
import { createTokens, type Tokens } from './tokens.ts'

export interface AuthParts {
  readonly db: Pick<Database, 'system'>
  readonly keys: Pick<SigningKeys, 'sign' | 'verify' | 'activeKid'>
  readonly platformKeys: Pick<PlatformKeys, 'mac'>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly changes: ChangeSource
  readonly publicUrl: string
  readonly identity: () => IdentitySource
  /** Background work that failed and will be tried again. */
  readonly failed: (error: unknown) => void
}

export interface RunningAuth extends AuthKernel {
  /** After the migrations and the live feed, before the first request. */
  start(): Promise<void>
  stop(): void
}

interface Core extends AuthParts {
  readonly tokens: Tokens
  readonly cache: TokenCache<VerifiedToken>
  readonly subjects: Subjects
  readonly revocations: RevocationList
  readonly outsideTokens: OutsideTokens
}

const tokensHeld = 50_000

export function createAuth(parts: AuthParts): RunningAuth {
  const [tokens, subjects, revocations] = [createTokens(parts), createSubjects(parts), createRevocationList(parts)]
  const core: Core = {
    ...{ ...parts, tokens, subjects, revocations },
    cache: createTokenCache(tokensHeld, parts.clock.now),
    outsideTokens: createOutsideTokens({ clock: parts.clock, subjects, revocations }),
  }
  return {
    isSetUp: subjects.isSetUp,
    start: async () => {
      subjects.start()
      await revocations.start()
    },
    stop: () => {
      subjects.stop()
      revocations.stop()
    },
    authenticate: (request) => {
      subjects.source()
      const credential = readCredential(request)
      const actor =
        credential.kind === 'token'
          ? byBearer(core, credential.token, request)
          : byKey(core, credential.key, request.ip)
      if (request.tenantHeader === undefined || request.tenantHeader === '') return actor
      const header = request.tenantHeader
      return actor instanceof Promise
        ? actor.then((found) => inTenant(subjects, found, header))
        : inTenant(subjects, actor, header)
    },
    authenticateToken: async (token, ip) => {
      subjects.source()
      const credential = credentialOf(token)
      if (credential.kind === 'key') {
        const actor = await byKey(core, credential.key, ip)
        const key = await subjects.key(credential.key.keyId, 'memory')
        return { actor, expiresAt: key === null ? null : key.expiresAt }
      }
      return { actor: await byToken(core, token), expiresAt: verify(core, token).claims.exp }
    },
    actAs: async (acting) => jobActor(acting, await subjects.rights(`${acting.tenantId}/${acting.userId}`, 'source')),
    refresh: (actor, expiresAt, ip) => refresh(core, actor, { expiresAt, ip }),
    signAccess: tokens.signAccess,
    signRefresh: tokens.signRefresh,
    verifyRefresh: tokens.verifyRefresh,
    revoke: revocations.revoke,
    rightsChanged: (tx, key) => tx.announce(rightsTopic, key),
  }
}

/** @throws AUTH-002, AUTH-003 */
function verify(core: Core, token: string): VerifiedToken {
  const known = core.cache.get(token)
  if (known !== undefined) return known
  const verified = verifiedToken(core.tokens.verifyAccess(token))
  core.cache.set(token, verified, verified.claims.exp)
  return verified
}

/** A token of ours, or where the route takes it one of an outside issuer. */
function byBearer(core: Core, token: string, request: AuthRequest): Actor | Promise<Actor> {
  if (request.takesOutsideTokens !== true || core.tokens.isOurs(token)) return byToken(core, token)
  return core.outsideTokens(token, request.tenantHeader?.toLowerCase())
}

function byToken(core: Core, token: string): Actor | Promise<Actor> {
  const verified = verify(core, token)
  const rights = core.revocations.isFresh() ? core.subjects.heldRights(verified.subject) : undefined
  if (rights === undefined) return byTokenAsking(core, verified)
  if (core.revocations.covers(verified.revocable)) throw authErrors.invalid()
  return tokenActor(verified, rights)
}

async function byTokenAsking(core: Core, token: VerifiedToken): Promise<Actor> {
  const rights = await core.subjects.rights(token.subject, trustedSource(core))
  // Asked last, so that a revocation that came while the rights were read counts.
  if (await core.revocations.isRevoked(token.revocable)) throw authErrors.invalid()
  return tokenActor(token, rights)
}

/** Memory is believed only while its invalidations arrive. */
function trustedSource(core: Core): 'memory' | 'source' {
  return core.revocations.isFresh() ? 'memory' : 'source'
}

function byKey(core: Core, key: ParsedApiKey, ip: string): Actor | Promise<Actor> {
  const stored = core.revocations.isFresh() ? core.subjects.heldKey(key.keyId) : undefined
  const owners = stored === undefined ? null : heldOwners(core, stored)
  if (stored === undefined || owners === null) return byKeyAsking(core, key, ip)
  requireSecret(core, key, stored)
  if (core.revocations.covers(revocableOf(stored))) throw authErrors.invalid()
  return acceptKey(core, stored, { owners, ip })
}

/** Rights of all owners in memory; null when one is not. */
function heldOwners({ subjects }: Core, key: StoredApiKey): readonly SubjectRights[] | null {
  if (key.ancestors === undefined) {
    const rights = subjects.heldRights(subjectOf(key))
    return rights === undefined ? null : [rights]
  }
  const held = ownersOf(key).map(subjects.heldRights)
  const known = held.filter((rights) => rights !== undefined)
  return known.length === held.length ? known : null
}

function askedOwners(core: Core, key: StoredApiKey): Promise<readonly (SubjectRights | null)[]> {
  return Promise.all(ownersOf(key).map((subject) => core.subjects.rights(subject, trustedSource(core))))
}

async function byKeyAsking(core: Core, key: ParsedApiKey, ip: string): Promise<Actor> {
  const stored = requireSecret(core, key, await core.subjects.key(key.keyId, trustedSource(core)))
  const owners = await askedOwners(core, stored)
  if (await core.revocations.isRevoked(revocableOf(stored))) throw authErrors.invalid()
  return acceptKey(core, stored, { owners, ip })
}

/** Nothing about a key is looked at or told before its secret was shown. @throws AUTH-002 */
function requireSecret(core: Core, key: ParsedApiKey, stored: StoredApiKey | null): StoredApiKey {
  const matches = apiKeyMatches(core.platformKeys, key, stored?.secretHash ?? null)
  if (stored === null || !matches || stored.revoked) throw authErrors.invalid()
  return stored
}

interface KeyUse {
  /** Rights of `ownersOf` the key. */
  readonly owners: readonly (SubjectRights | null)[]
  readonly ip: string
}

/** @throws AUTH-002, AUTH-003, AUTH-011 */
function acceptKey(core: Core, key: StoredApiKey, { owners, ip }: KeyUse): Actor {
  const actor = keyActor(key, owners)
  if (isPast(core, key.expiresAt)) throw authErrors.expired()
  if (!isAllowedFrom(key, ip)) throw authErrors.addressNotAllowed()
  core.subjects.source().apiKeyUsed(key, ip)
  return actor
}

function isAllowedFrom({ allowedCidrs, ancestors = [] }: StoredApiKey, ip: string): boolean {
  return (
    isAllowedAddress(ip, allowedCidrs) && ancestors.every((ancestor) => isAllowedAddress(ip, ancestor.allowedCidrs))
  )
}

interface Standing {
  readonly expiresAt: number | null
  readonly ip: string
}

async function refresh(core: Core, actor: Actor, { expiresAt, ip }: Standing): Promise<Actor | null> {
  if (isPast(core, expiresAt)) return null
  const from = trustedSource(core)
  const key = actor.keyId === null ? null : await currentKey(core, actor.keyId, from)
  if (actor.keyId !== null && key === null) return null
  if (key !== null && !isAllowedFrom(key, ip)) return null
  const rights = await core.subjects.rights(`${actor.homeTenantId}/${actor.userId}`, from)
  const { userId: sub, homeTenantId: tid, sessionId: sid, keyId } = actor
  if (await core.revocations.isRevoked({ sub, tid, sid, keyId })) return null
  if (key === null) return renewedActor(actor, rights, actor.permissions)
  const owners = await askedOwners(core, key)
  if (!owners.every(isLive)) return null
  return renewedActor(actor, rights, intersection(actor.permissions, familyScopes(key, owners)))
}

async function currentKey(core: Core, rowId: string, from: 'memory' | 'source'): Promise<StoredApiKey | null> {
  const keyId = core.subjects.keyIdOf(rowId)
  const key = keyId === undefined ? null : await core.subjects.key(keyId, from)
  return key === null || key.revoked || isPast(core, key.expiresAt) ? null : key
}

function isPast(core: Core, seconds: number | null): boolean {
  return seconds !== null && seconds * 1000 <= core.clock.now()
}
