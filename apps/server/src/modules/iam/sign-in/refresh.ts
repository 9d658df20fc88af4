/**
 * Exchange of a refresh token for new tokens. A spent one ends its whole session, because either its owner or a thief
 * holds the other; within a few seconds it gives its own client the same unused successor again instead. Tested in
 * refresh.test.ts.
 */
import type { RefreshClaims } from '../../../kernel/auth/port.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { knownDeviceId } from '../guessing/device.ts'
import { mailNotice } from '../mail/jobs.ts'
import { type Grace, graceOf, isDemanded, showedSecondFactor } from '../mfa/requirement.ts'
import { findSubject, type Subject } from '../rights/subjects.ts'
import type { TokenSet } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { refreshReuseDetected } from '../sessions/events.ts'
import { endSessions } from '../sessions/sessions.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { sessions } from '../tables/sessions.ts'
import { elsewhere } from './networks.ts'
import { type OpenSession, tokensOf } from './open-session.ts'
import { bounded, judgeRefresh, type RefreshState, type RefreshUse, rotated } from './rotation.ts'
import { sessionLife } from './session-life.ts'

type SessionRow = NonNullable<Awaited<ReturnType<typeof sessions.get>>>

/** A refusal is answered, not thrown, so that what it ends is committed. */
type Outcome = { readonly session: OpenSession; readonly subject: Subject } | { readonly refusal: ProblemError }

/** @throws AUTH-002, AUTH-003, AUTH-010, AUTH-011 */
export async function refresh(
  services: IamServices,
  ask: { readonly token: string; readonly request: RequestInfo },
): Promise<TokenSet> {
  const { kernel } = services
  const claims = kernel.auth.verifyRefresh(ask.token)
  const scope = { tenantId: claims.tid, origin: originOf(ask.request, null) }
  const { request } = ask
  const outcome = await kernel.db.tenant(scope, (tx) => exchange(services, tx, { claims, request }))
  if ('refusal' in outcome) throw outcome.refusal
  return tokensOf(services, outcome.session, outcome.subject)
}

interface Presented {
  readonly claims: RefreshClaims
  readonly request: RequestInfo
}

async function exchange(services: IamServices, tx: Tx, { claims, request }: Presented): Promise<Outcome> {
  const { clock } = services.kernel
  const now = clock.now()
  const [row, subject, settings, holder] = await Promise.all([
    heldSession(tx, claims),
    findSubject(tx, claims.sub, now),
    settingsOf(tx, tx.tenantId),
    holderOf(tx, claims.sub),
  ])
  if (row === null || subject === null) return { refusal: authErrors.invalid() }
  const life = sessionLife(settings, subject)
  const lacks = !showedSecondFactor(row) && isDemanded(settings, subject.permissions)
  // There is nothing to wait for where the account has a factor: it is asked for at the next sign-in.
  const grace: Grace =
    lacks && holder?.enrolled === true ? { state: 'over' } : graceOf(lacks, holder?.mfa_deadline ?? null, now)
  const held = bounded(stateOf(row), { ...life, startedAt: Date.parse(row.created_at) })
  const state = withinGrace(held, grace)
  const deviceId = holder?.email == null ? null : knownDeviceId(services.kernel, request, holder.email)
  const use = { jti: claims.jti, client: { ip: tx.origin.ip, userAgent: tx.origin.userAgent, deviceId }, now }
  const verdict = judgeRefresh(state, use)
  if (verdict === 'ended') return { refusal: authErrors.invalid() }
  if (verdict === 'expired') return { refusal: authErrors.expired() }
  if (verdict === 'reuse') return { refusal: await endFamily(services, tx, row) }
  const outside = elsewhere(settings, tx.origin.ip)
  if (outside !== null) return { refusal: outside }
  if (!subject.active || subject.tenant_status === 'deleted') return { refusal: authErrors.invalid() }
  if (grace.state === 'running') await rememberDeadline(tx, claims.sub, grace.deadline)
  const next = verdict === 'rotate' ? await advance(services, tx, { row, state, use, idleMs: life.idleMs }) : state
  await tx.audit('auth.refresh', { target: `session:${row.id}`, from: row.user_id })
  return { session: await sessionFrom(tx, row, next), subject }
}

function heldSession(tx: Tx, claims: RefreshClaims): Promise<SessionRow | null> {
  return tx.first(sql<SessionRow>`
    select ${sessions.columns} from iam_session
    where id = ${claims.sid} and user_id = ${claims.sub}
    for update`)
}

function holderOf(tx: Tx, userId: string) {
  return tx.first(sql<{ email: string | null; mfa_deadline: string | null; enrolled: boolean }>`
    select email, mfa_deadline,
      exists (select 1 from iam_factor f where f.user_id = u.id and f.status = 'active') as enrolled
    from iam_user u
    where id = ${userId}`)
}

/** A session without the second factor that is demanded ends with the time there is to enroll one. */
function withinGrace(state: RefreshState, grace: Grace): RefreshState {
  if (grace.state === 'not_demanded') return state
  const ends = grace.state === 'over' ? 0 : grace.sessionEnds
  return {
    ...state,
    expiresAt: Math.min(state.expiresAt, ends),
    idleExpiresAt: Math.min(state.idleExpiresAt, ends),
  }
}

async function rememberDeadline(tx: Tx, userId: string, deadline: number): Promise<void> {
  const at = new Date(deadline).toISOString()
  await tx.execute(sql`update iam_user set mfa_deadline = ${at} where id = ${userId} and mfa_deadline is null`)
}

function stateOf(row: SessionRow): RefreshState {
  return {
    status: row.status,
    refreshJti: row.refresh_jti,
    previousJti: row.previous_jti,
    rotatedAt: Date.parse(row.rotated_at),
    idleExpiresAt: Date.parse(row.idle_expires_at),
    expiresAt: Date.parse(row.expires_at),
    rotatedBy:
      row.previous_jti === null
        ? null
        : { ip: row.rotated_ip, userAgent: row.rotated_user_agent, deviceId: row.device_id },
  }
}

async function endFamily(services: IamServices, tx: Tx, row: SessionRow): Promise<ProblemError> {
  await endSessions(services, tx, { condition: sql`id = ${row.id}`, by: null, reason: 'refresh_reuse' })
  await tx.audit('auth.refresh_reuse', { target: `session:${row.id}`, from: row.user_id, result: 'refused' })
  await tx.emit(refreshReuseDetected, `session/${row.id}`, { session_id: row.id, user_id: row.user_id })
  const owner = await tx.first(sql<{ email: string | null }>`select email from iam_user where id = ${row.user_id}`)
  await mailNotice(services, tx, { notice: 'refresh_reuse', userId: row.user_id, to: owner?.email ?? null })
  return authErrors.refreshReuse()
}

interface Rotation {
  readonly row: SessionRow
  readonly state: RefreshState
  readonly use: RefreshUse
  readonly idleMs: number
}

async function advance({ kernel }: IamServices, tx: Tx, { row, state, use, idleMs }: Rotation): Promise<RefreshState> {
  const jti = kernel.platformKeys.mac('refresh-successor', `${row.id}.${state.refreshJti}`)
  const next = rotated(state, { ...use, jti, idleMs })
  const at = new Date(next.rotatedAt).toISOString()
  await tx.execute(sql`
    update iam_session
    set refresh_jti = ${next.refreshJti}, previous_jti = ${next.previousJti}, rotated_at = ${at}, last_seen_at = ${at},
      rotated_ip = ${use.client.ip}, rotated_user_agent = ${use.client.userAgent},
      idle_expires_at = ${new Date(next.idleExpiresAt).toISOString()},
      expires_at = ${new Date(next.expiresAt).toISOString()}, updated_at = ${at}
    where id = ${row.id}`)
  await tx.execute(sql`update iam_user set last_active_at = ${at} where id = ${row.user_id}`)
  return next
}

async function sessionFrom(tx: Tx, row: SessionRow, state: RefreshState): Promise<OpenSession> {
  const user = await tx.first(sql<{ email: string }>`select email from iam_user where id = ${row.user_id}`)
  return {
    id: row.id,
    tenantId: tx.tenantId,
    userId: row.user_id,
    email: user?.email ?? '',
    refreshJti: state.refreshJti,
    rotatedAt: state.rotatedAt,
    idleExpiresAt: state.idleExpiresAt,
    authTime: Date.parse(row.auth_time),
    amr: row.amr,
    acr: row.acr,
  }
}
