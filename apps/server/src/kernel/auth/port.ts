/**
 * Questions of the HTTP layer to the identity module. The kernel verifies credentials; it does not know the persons
 * behind them.
 */
import type { AccountOrigin, ActingJob, Actor, TenantAbove, TenantId } from '../access/actor.ts'
import type { PermissionSet } from '../access/permissions.ts'
import { definePort } from '../module/ports/port.ts'

/** Claims of an access token, as verified. */
export interface AccessClaims {
  readonly sub: string
  readonly tid: TenantId
  readonly sid: string
  readonly jti: string
  readonly role: string
  readonly permissions: readonly string[]
  readonly iat: number
  readonly exp: number
  readonly auth_time: number
  readonly amr: readonly string[]
  readonly acr: string
}

/** A subject's rights as they are now. */
export interface SubjectRights {
  readonly active: boolean
  /** No person: only its keys can act for it. */
  readonly isService?: true
  /** A service account of a registered agent: it reaches the data plane alone. */
  readonly isAgent?: true
  readonly role: string
  readonly roles: readonly string[]
  readonly permissions: PermissionSet
  readonly operator: boolean
  readonly tenantStatus: Actor['tenantStatus'] | 'deleted'
  readonly origin?: AccountOrigin
  /** The quota of the tenant; null where none is set. */
  readonly tenantRequestsPerMinute: number | null
  /** Nearest first. */
  readonly tenantsAbove?: readonly TenantAbove[]
}

/** A key that another key was made with, as far as it bounds that one. */
export type StoredKeyAncestor = Pick<StoredApiKey, 'id' | 'ownerId' | 'scopes' | 'allowedCidrs' | 'rateLimitPerMinute'>

export interface StoredApiKey {
  /** Id of the row, as in `Actor.keyId` and revocations of the scope `key`. */
  readonly id: string
  readonly tenantId: TenantId
  readonly ownerId: string
  readonly secretHash: string
  readonly scopes: PermissionSet
  /** Unix seconds; not later than the end of any ancestor. */
  readonly expiresAt: number | null
  readonly allowedCidrs: readonly string[]
  readonly rateLimitPerMinute: number | null
  readonly revoked: boolean
  /** Nearest first. */
  readonly ancestors?: readonly StoredKeyAncestor[]
}

/** A good token of an outside issuer, as the service account that it is bound to. */
export interface OutsideCredential {
  /** Of the binding, as in `Actor.keyId` and revocations of the scope `key`. */
  readonly bindingId: string
  readonly tenantId: TenantId
  readonly ownerId: string
  /** Of the token; Unix seconds. */
  readonly expiresAt: number
}

/** How the identity module answers; see `identityPort`. */
export interface IdentitySource {
  rights(tenantId: TenantId, userId: string): Promise<SubjectRights | null>
  /** @param keyId the twelve characters that stand in the key itself */
  apiKey(keyId: string): Promise<StoredApiKey | null>
  /**
   * Checks a token of an outside issuer, with its signature. Null for one that is not good or not bound.
   * @param tenant the tenant that the request names; needed where the token is bound in several
   * @throws AUTH-003 for one that has expired, API-009 where the issuer's keys cannot be read
   */
  outsideToken(token: string, tenant: string | undefined): Promise<OutsideCredential | null>
  /** Told about each accepted use of a key; must not block. */
  apiKeyUsed(key: StoredApiKey, ip: string): void
  /** The tenants above one, nearest first; null where there is no such tenant. */
  tenantsAbove(tenantId: TenantId): Promise<readonly TenantAbove[] | null>
  /** False on an empty database: everything but the bootstrap answers 503. */
  isSetUp(): boolean
}

/** Without an identity module the installation is one that was never set up: no credential passes. */
export const identityPort = definePort<IdentitySource>({
  name: 'kernel.identity',
  cardinality: 'one',
  default: {
    rights: async () => null,
    apiKey: async () => null,
    outsideToken: async () => null,
    apiKeyUsed: () => undefined,
    tenantsAbove: async () => null,
    isSetUp: () => false,
  },
})

export type RevocationScope = 'session' | 'user' | 'tenant' | 'platform' | 'key'

export interface AuthRequest {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly tenantHeader: string | undefined
  readonly ip: string
  /** Tokens of outside issuers that are bound to a service account are credentials too. Default false. */
  readonly takesOutsideTokens?: boolean
}

/** Work without a request, on behalf of an account. */
export interface Acting {
  readonly tenantId: TenantId
  /** A person or a service account. */
  readonly userId: string
  /** Upper limit of the work's permissions, whatever the account may do. */
  readonly ceiling: PermissionSet
  readonly job: ActingJob
}

export interface AuthKernel {
  /** False on an empty database: until the first administrator exists, only the set-up routes answer. */
  isSetUp(): boolean
  /** @throws AUTH-001, AUTH-002, AUTH-003, AUTH-005, AUTH-011, API-009 */
  authenticate(request: AuthRequest): Actor | Promise<Actor>
  /**
   * An actor for work without a request, with the rights of this moment, read from the identity module: ask for it anew
   * for each step of long work. It is no second person, passes no check of fresh authentication and is no operator.
   * @throws AUTH-018 for an account that is suspended or gone, or whose tenant is not active; API-009
   */
  actAs(acting: Acting): Promise<Actor>
  /** Checks an actor made earlier again: expiry, revocation, rights and allowed addresses now. Null when it is no longer good. */
  refresh(actor: Actor, expiresAt: number | null, ip: string): Promise<Actor | null>
  /** As `authenticate` for a bare token, with the moment it ends (Unix seconds, null for keys without end). */
  authenticateToken(token: string, ip: string): Promise<{ readonly actor: Actor; readonly expiresAt: number | null }>
  /** Signs an access token; `typ: at+jwt`, EdDSA. */
  signAccess(
    claims: Omit<AccessClaims, 'jti' | 'iat' | 'exp'>,
  ): Promise<{ readonly token: string; readonly expiresIn: number }>
  /** Signs a refresh token; `typ: rt+jwt`. Deterministic: the same claims give the same bytes. */
  signRefresh(claims: RefreshClaims): Promise<string>
  /** @throws AUTH-002, AUTH-003 */
  verifyRefresh(token: string): RefreshClaims
  /** Ends every token of the scope up to now; announced in the given transaction, effective at its commit. */
  revoke(tx: import('../db/port.ts').Tx, scope: RevocationScope, id: string): Promise<void>
  /** Rights of these subjects are read anew at their next request. */
  rightsChanged(tx: import('../db/port.ts').Tx, key: string): Promise<void>
}

export interface RefreshClaims {
  readonly sub: string
  readonly tid: TenantId
  /** Session, which is the family. */
  readonly sid: string
  readonly jti: string
  readonly iat: number
  readonly exp: number
}
