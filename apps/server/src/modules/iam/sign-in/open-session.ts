import type { TenantId } from '../../../kernel/access/actor.ts'
import { holds, listPermissions, permissionSet } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Subject } from '../rights/subjects.ts'
import type { TokenSet } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { sessionCreated } from '../sessions/events.ts'
import { endSessions } from '../sessions/sessions.ts'
import { sessions } from '../tables/sessions.ts'
import type { SessionLife } from './session-life.ts'

type SessionRow = Parameters<typeof sessions.insert>[1]
type Place = 'ip' | 'ip_country' | 'user_agent'

/** A session as the tokens made from it need it. */
export interface OpenSession {
  readonly id: string
  readonly tenantId: TenantId
  readonly userId: string
  readonly email: string
  readonly refreshJti: string
  /** Unix milliseconds. */
  readonly rotatedAt: number
  readonly idleExpiresAt: number
  readonly authTime: number
  readonly amr: readonly string[]
  readonly acr: string
}

/** Proof of identity: methods (RFC 8176), the assurance they give, and the place of the proof. */
export interface Proof {
  readonly amr: readonly string[]
  readonly acr: 'aal1' | 'aal2'
  /** `password`, `passkey` or `sso:` and the connection. */
  readonly via: string
}

export const byPassword: Proof = { amr: ['pwd'], acr: 'aal1', via: 'password' }
export const byPasswordAndCode: Proof = { amr: ['pwd', 'otp', 'mfa'], acr: 'aal2', via: 'password' }

export interface SignedIn {
  readonly userId: string
  readonly email: string
  readonly life: SessionLife
  /** Of the browser, where it is known. */
  readonly deviceId: string | null
  /** When they proved it, Unix milliseconds; default now. */
  readonly authTime?: number
  /** Default: by password alone. */
  readonly proof?: Proof
}

/** Opens a session for a person the caller has authenticated; the oldest ends if there would be too many. */
export async function openSession(services: IamServices, tx: Tx, who: SignedIn): Promise<OpenSession> {
  await endOldest(services, tx, who)
  const session = newSession(services.kernel, tx.tenantId, who)
  const { id, userId } = session
  const { ip, userAgent } = tx.origin
  const place = { ip, ip_country: services.ipCountries.of(ip), user_agent: userAgent }
  await sessions.insert(tx, { ...rowOf(session, who), ...place })
  await tx.audit('auth.login', { target: `session:${id}`, from: userId, after: { user_id: userId, amr: session.amr } })
  await tx.emit(sessionCreated, `session/${id}`, { session_id: id, user_id: userId })
  return session
}

function newSession({ clock, random }: Kernel, tenantId: TenantId, who: SignedIn): OpenSession {
  const now = clock.now()
  const { amr, acr } = who.proof ?? byPassword
  return {
    id: random.uuid(),
    tenantId,
    userId: who.userId,
    email: who.email,
    refreshJti: Buffer.from(random.bytes(32)).toString('base64url'),
    rotatedAt: now,
    idleExpiresAt: now + Math.min(who.life.idleMs, who.life.absoluteMs),
    // A provider's clock that runs ahead makes no session fresher than now.
    authTime: Math.min(now, who.authTime ?? now),
    amr,
    acr,
  }
}

function rowOf(session: OpenSession, { life, proof, deviceId }: SignedIn): Omit<SessionRow, Place> {
  const at = new Date(session.rotatedAt).toISOString()
  return {
    tenant_id: session.tenantId,
    id: session.id,
    user_id: session.userId,
    device_id: deviceId,
    amr: [...session.amr],
    acr: session.acr,
    auth_time: new Date(session.authTime).toISOString(),
    created_via: (proof ?? byPassword).via,
    status: 'active',
    revoked_by: null,
    revoked_reason: null,
    refresh_jti: session.refreshJti,
    previous_jti: null,
    rotated_at: at,
    rotated_ip: null,
    rotated_user_agent: null,
    last_seen_at: at,
    idle_expires_at: new Date(session.idleExpiresAt).toISOString(),
    expires_at: new Date(session.rotatedAt + life.absoluteMs).toISOString(),
    created_at: at,
    updated_at: at,
  }
}

async function endOldest(services: IamServices, tx: Tx, { userId, life }: SignedIn): Promise<void> {
  const now = services.kernel.clock.iso()
  // As an array, so that its few ids are looked up by the key: joined, all sessions of the tenant would be gone through.
  const condition = sql`id = any(array(
    select id from iam_session
    where user_id = ${userId} and status = 'active' and idle_expires_at > ${now} and expires_at > ${now}
    order by created_at desc, id desc
    offset ${life.most - 1}))`
  await endSessions(services, tx, { condition, by: null, reason: 'too_many_sessions' })
}

/** Signs the pair of tokens. The refresh token is the same bytes whenever it is made from the same session state. */
export async function tokensOf(services: IamServices, session: OpenSession, subject: Subject): Promise<TokenSet> {
  const { auth } = services.kernel
  const access = await accessTokenOf(services, session, subject)
  const refresh = await auth.signRefresh({
    sub: session.userId,
    tid: session.tenantId,
    sid: session.id,
    jti: session.refreshJti,
    iat: Math.floor(session.rotatedAt / 1000),
    exp: Math.floor(session.idleExpiresAt / 1000),
  })
  return {
    access_token: access.token,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    user: { id: session.userId, email: session.email, role: subject.primaryRole, tenant_id: session.tenantId },
  }
}

type Proven = Pick<OpenSession, 'id' | 'tenantId' | 'userId' | 'authTime' | 'amr' | 'acr'>

/** An access token alone, for a session whose refresh token stays as it is. */
export function accessTokenOf({ kernel }: IamServices, session: Proven, subject: Subject) {
  return kernel.auth.signAccess({
    sub: session.userId,
    tid: session.tenantId,
    sid: session.id,
    role: subject.primaryRole,
    permissions: highestPermissions(subject),
    auth_time: Math.floor(session.authTime / 1000),
    amr: session.amr,
    acr: session.acr,
  })
}

/** Without those another one implies: a third of the bytes in every request's header. */
function highestPermissions({ permissions }: Subject): readonly string[] {
  const all = listPermissions(permissions)
  return all.filter((one) => !all.some((other) => other !== one && holds(permissionSet([other]), one)))
}
