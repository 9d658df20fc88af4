import type { Permission, PermissionSet } from './permissions.ts'

export type TenantId = string & { readonly tenant: unique symbol }

/** The role names that come with every tenant; `auditor` and `super_admin` also matter to row visibility. */
export const builtinRoleNames = [
  'super_admin',
  'tenant_admin',
  'security_admin',
  'security_analyst',
  'compliance_officer',
  'risk_manager',
  'ai_engineer',
  'auditor',
  'viewer',
] as const
export type BuiltinRoleName = (typeof builtinRoleNames)[number]

/** A tenant above another one: its stops and its quotas hold below as well. */
export interface TenantAbove {
  readonly id: string
  /** Its quota, for itself and all below it together; null where none is set. */
  readonly requestsPerMinute: number | null
}

/** Origin of an account and of its credentials; decisions of two people check it. */
export interface AccountOrigin {
  /** Unix milliseconds; when it last became active. */
  readonly activeSinceMs: number
  /** The other person who last chose, saw or reset them, and the time (Unix milliseconds). */
  readonly credentialsSet: { readonly by: string; readonly atMs: number } | null
}

/** A key that another key was made with. */
export interface KeyAncestor {
  readonly id: string
  readonly rateLimitPerMinute: number | null
}

/** A job that acts on behalf of a user; audit entries name both. */
export interface ActingJob {
  readonly kind: string
  readonly id: string
}

/** The caller, decided before any handler runs and never changed afterwards. */
export interface Actor {
  /** A `job` acts for its user without a request: it has no session or key, and proves no identity. */
  readonly kind: 'user' | 'api_key' | 'job'
  /** The person or service account; for an API key its owner. */
  readonly userId: string
  /** The tenant acted in: the caller's own, or the one an operator switched to. */
  readonly tenantId: TenantId
  readonly homeTenantId: TenantId
  /** Name of the primary role. */
  readonly role: string
  readonly roles: readonly string[]
  /** The lesser of the credential's claims and the permissions of the roles. */
  readonly permissions: PermissionSet
  /** Runs the platform across tenants (`super_admin`). */
  readonly operator: boolean
  readonly sessionId: string | null
  readonly keyId: string | null
  /** The keys that this key was made with, nearest first: their limits hold for it. Absent where a person made it. */
  readonly keyAncestors?: readonly KeyAncestor[]
  /** The service account whose key it is: a machine that acts on its own. Absent for persons and their keys. */
  readonly agentId?: string
  /** A registered agent: it reaches model calls and the routes of agents, for any key. Absent for all others. */
  readonly dataPlaneOnly?: true
  /** The job that acts for the user; absent for direct callers. */
  readonly job?: ActingJob
  /** Of the person's account, for a key of its owner's. */
  readonly origin?: AccountOrigin
  /** Unix seconds of the last proof of identity; null for keys. */
  readonly authTime: number | null
  readonly amr: readonly string[]
  /** A key's own rate limit, where it has one. */
  readonly rateLimitPerMinute: number | null
  /**
   * Requests that the caller's own tenant may send in a minute, where there is a quota; null while acting in another.
   */
  readonly tenantRequestsPerMinute: number | null
  /** The tenants above the one acted in, nearest first; absent where there is none. */
  readonly tenantsAbove?: readonly TenantAbove[]
  /** Suspended tenants read and export their own data and do nothing else. */
  readonly tenantStatus: 'active' | 'suspended' | 'pending_deletion'
}

/** `agent`: service accounts only, with any roles. */
export type RequiredPermission = Permission | 'agent' | 'authenticated' | 'public'

/** The key of a call with the keys it was made with. */
export type KeyFamily = Pick<Actor, 'keyId' | 'keyAncestors'>

/** Whether something bound to a key binds the caller: it is that key, or was made with it. */
export function isOfKeyFamily(keyId: string | undefined, { keyId: own, keyAncestors = [] }: KeyFamily): boolean {
  return keyId !== undefined && (keyId === own || keyAncestors.some(({ id }) => id === keyId))
}

/** Ids of the caller's key and its ancestors, nearest first; empty for a person. */
export function keyFamilyIds({ keyId, keyAncestors = [] }: KeyFamily): readonly string[] {
  return keyId === null ? [] : [keyId, ...keyAncestors.map(({ id }) => id)]
}
