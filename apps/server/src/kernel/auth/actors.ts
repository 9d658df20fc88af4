/** Makes the caller from the credential's claims and the subject's current rights: always the lesser of both. */

import type { Actor } from '../access/actor.ts'
import { intersection, type PermissionSet, permissionSet } from '../access/permissions.ts'
import { authErrors } from '../errors/errors.ts'
import type { AccessClaims, Acting, StoredApiKey, SubjectRights } from './port.ts'

/** A checked token with its claims packed once; the actor made last is kept for the next request. */
export interface VerifiedToken {
  readonly claims: AccessClaims
  readonly claimed: PermissionSet
  readonly revocable: { readonly sub: string; readonly tid: string; readonly sid: string; readonly keyId: null }
  /** `tenant/user` */
  readonly subject: string
  made: { readonly rights: SubjectRights; readonly actor: Actor } | null
}

export function verifiedToken(claims: AccessClaims): VerifiedToken {
  const { sub, tid, sid } = claims
  return {
    claims,
    claimed: permissionSet(claims.permissions),
    revocable: { sub, tid, sid, keyId: null },
    subject: `${tid}/${sub}`,
    made: null,
  }
}

/** @throws AUTH-002 when the subject is gone, inactive or its tenant deleted. */
export function tokenActor(token: VerifiedToken, rights: SubjectRights | null): Actor {
  if (token.made !== null && token.made.rights === rights) return token.made.actor
  const good = liveRights(rights)
  const { claims } = token
  const actor: Actor = Object.freeze({
    kind: 'user',
    userId: claims.sub,
    tenantId: claims.tid,
    homeTenantId: claims.tid,
    ...narrowed(good, token.claimed),
    sessionId: claims.sid,
    ...(good.origin !== undefined && { origin: good.origin }),
    keyId: null,
    authTime: claims.auth_time,
    amr: claims.amr,
    rateLimitPerMinute: null,
  })
  token.made = { rights: good, actor }
  return actor
}

/**
 * Bounded by the key, by its ancestors and by the current rights of all their owners.
 * @param owners rights of `ownersOf(key)`, in that order
 * @throws AUTH-002 as `tokenActor`
 */
export function keyActor(key: StoredApiKey, owners: readonly (SubjectRights | null)[]): Actor {
  const live = liveRights(owners[0] ?? null)
  const { ancestors = [] } = key
  return Object.freeze({
    kind: 'api_key',
    userId: key.ownerId,
    tenantId: key.tenantId,
    homeTenantId: key.tenantId,
    ...narrowed(live, familyScopes(key, owners)),
    sessionId: null,
    keyId: key.id,
    ...(ancestors.length > 0 && {
      keyAncestors: ancestors.map(({ id, rateLimitPerMinute }) => ({ id, rateLimitPerMinute })),
    }),
    ...(live.origin !== undefined && { origin: live.origin }),
    ...(live.isService && { agentId: key.ownerId }),
    ...(live.isAgent && { dataPlaneOnly: true as const }),
    authTime: null,
    amr: [],
    rateLimitPerMinute: key.rateLimitPerMinute,
  })
}

/**
 * A job that acts for a user or a service account, with the rights that both the account and the ceiling give.
 * @throws AUTH-018 when the account or its tenant is not active
 */
export function jobActor({ tenantId, userId, ceiling, job }: Acting, rights: SubjectRights | null): Actor {
  if (!isLive(rights) || rights.tenantStatus !== 'active') throw authErrors.accountInactive()
  return Object.freeze({
    kind: 'job',
    userId,
    tenantId,
    homeTenantId: tenantId,
    ...narrowed(rights, ceiling),
    // The person who requested the work is not present to approve acts across tenants.
    operator: false,
    sessionId: null,
    keyId: null,
    job,
    ...(rights.origin !== undefined && { origin: rights.origin }),
    ...(rights.isService && { agentId: userId }),
    ...(rights.isAgent && { dataPlaneOnly: true as const }),
    authTime: null,
    amr: [],
    rateLimitPerMinute: null,
  })
}

/** Subjects whose rights bound a key: its owner, then those of its ancestors. */
export function ownersOf({ tenantId, ownerId, ancestors = [] }: StoredApiKey): readonly string[] {
  return [...new Set([ownerId, ...ancestors.map((ancestor) => ancestor.ownerId)])].map((id) => `${tenantId}/${id}`)
}

/** Permissions that a key and all its ancestors allow. @throws AUTH-002 when the owner of one of them is not active */
export function familyScopes(
  { scopes, ancestors = [] }: StoredApiKey,
  owners: readonly (SubjectRights | null)[],
): PermissionSet {
  const bounds = [
    ...ancestors.map((ancestor) => ancestor.scopes),
    ...owners.slice(1).map((rights) => liveRights(rights).permissions),
  ]
  return bounds.reduce(intersection, scopes)
}

/** The same caller with the rights of now, or null when they no longer allow to be this caller. */
export function renewedActor(actor: Actor, rights: SubjectRights | null, claimed: PermissionSet): Actor | null {
  if (!isLive(rights)) return null
  const narrow = narrowed(rights, claimed)
  const isHome = actor.tenantId === actor.homeTenantId
  const renewed = {
    ...actor,
    ...narrow,
    ...(rights.origin !== undefined && { origin: rights.origin }),
    tenantRequestsPerMinute: isHome ? narrow.tenantRequestsPerMinute : null,
    ...(!isHome && { tenantsAbove: actor.tenantsAbove ?? [] }),
  }
  // A caller who switched to another tenant must still have the right to do so.
  return renewed.operator || isHome ? Object.freeze(renewed) : null
}

interface LiveRights extends SubjectRights {
  readonly tenantStatus: Actor['tenantStatus']
}

function liveRights(rights: SubjectRights | null): LiveRights {
  if (!isLive(rights)) throw authErrors.invalid()
  return rights
}

export function isLive(rights: SubjectRights | null): rights is LiveRights {
  return rights?.active === true && rights.tenantStatus !== 'deleted'
}

type RightsPart = Pick<
  Actor,
  'role' | 'roles' | 'permissions' | 'operator' | 'tenantStatus' | 'tenantRequestsPerMinute' | 'tenantsAbove'
>

function narrowed(rights: LiveRights, claimed: PermissionSet): RightsPart {
  const permissions = intersection(claimed, rights.permissions)
  return {
    role: rights.role,
    roles: rights.roles,
    permissions,
    // A narrow key of an operator, or a token from before the promotion, does not reach across tenants.
    operator: rights.operator && permissions === rights.permissions,
    tenantStatus: rights.tenantStatus,
    tenantRequestsPerMinute: rights.tenantRequestsPerMinute,
    ...(rights.tenantsAbove !== undefined && { tenantsAbove: rights.tenantsAbove }),
  }
}

/** As rights are asked for. */
export function subjectOf(key: StoredApiKey): string {
  return `${key.tenantId}/${key.ownerId}`
}

/** As revocations name it. */
export function revocableOf(key: StoredApiKey) {
  return { sub: key.ownerId, tid: key.tenantId, sid: null, keyId: key.id }
}
