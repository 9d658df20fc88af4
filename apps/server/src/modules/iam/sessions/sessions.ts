import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { assertDominates } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import type { Session, SessionFilter } from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { sessions } from '../tables/sessions.ts'
import { sessionRevoked } from './events.ts'

/** Other nodes learn of a revocation at their next poll, at the latest. */
export const effectiveWithinMs = 1_000

type SessionRow = NonNullable<Awaited<ReturnType<typeof sessions.get>>>

/** Own sessions; all sessions with iam:read. @throws AUTH-004 when asked for another person's sessions without it */
export async function listSessions(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly filter: SessionFilter; readonly page: PageRequest },
): Promise<Page<Session>> {
  const { actor, filter } = ask
  const all = holds(actor.permissions, 'iam:read')
  if (!all && filter.user_id !== undefined && filter.user_id !== actor.userId)
    throw authErrors.forbidden({ permission: 'iam:read' })
  const owner = filter.user_id ?? (all ? undefined : actor.userId)
  const now = services.kernel.clock.iso()
  const where: SqlPart[] = [sql`true`]
  if (owner !== undefined) where.push(sql`user_id = ${owner}`)
  if (filter.ip !== undefined) where.push(sql`ip = ${filter.ip}`)
  if (filter.ip_country !== undefined) where.push(sql`ip_country = ${filter.ip_country}`)
  if (filter.created_before !== undefined) where.push(sql`created_at < ${filter.created_before}`)
  if (filter.status !== undefined) where.push(statusCondition(filter.status, now))
  const page = await sessions.page(tx, ask.page, join(where, ' and '))
  return { ...page, items: page.items.map((row) => sessionView(row, actor, now)) }
}

function statusCondition(status: Session['status'], now: string): SqlPart {
  const over = sql`(idle_expires_at <= ${now} or expires_at <= ${now})`
  if (status === 'revoked') return sql`status = 'revoked'`
  return status === 'expired' ? sql`(status = 'active' and ${over})` : sql`(status = 'active' and not ${over})`
}

function sessionView(row: SessionRow, actor: Actor, now: string): Session {
  const over = row.idle_expires_at <= now || row.expires_at <= now
  return {
    ...row,
    current: row.id === actor.sessionId,
    status: row.status === 'active' && over ? 'expired' : row.status,
  }
}

/** Ends one session: one's own, or with iam:admin that of a person one dominates. */
export async function endSession(services: IamServices, tx: Tx, ask: { readonly actor: Actor; readonly id: string }) {
  const { actor, id } = ask
  const row = await sessions.needForUpdate(tx, id)
  const own = actor.kind === 'user' && row.user_id === actor.userId
  if (!own) await assertMayEnd(services, tx, { actor, userId: row.user_id })
  if (row.status === 'active') {
    await endSessions(services, tx, {
      condition: sql`id = ${id}`,
      by: actor.userId,
      reason: own ? 'signed_out' : 'administrator',
    })
  }
  await tx.audit('iam.session.end', {
    target: `session:${id}`,
    before: { status: row.status },
    after: { status: 'revoked' },
  })
  return { id, deleted: true, effective_within_ms: effectiveWithinMs }
}

async function assertMayEnd(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly userId: string },
): Promise<void> {
  // Without the right to see it, it does not exist.
  if (!holds(ask.actor.permissions, 'iam:read')) throw apiErrors.notFound({ what: sessions.noun })
  if (!holds(ask.actor.permissions, 'iam:admin')) throw authErrors.forbidden({ permission: 'iam:admin' })
  const target = await findSubject(tx, ask.userId, services.kernel.clock.now())
  if (target === null) throw apiErrors.notFound({ what: sessions.noun })
  assertDominates(ask.actor, target)
}

export interface SessionEnding {
  /** Which of the tenant's active sessions. */
  readonly condition: SqlPart
  readonly by: string | null
  readonly reason: string
}

/** Ends sessions and every token of theirs at commit; answers how many there were. */
export async function endSessions(services: IamServices, tx: Tx, ending: SessionEnding): Promise<number> {
  const now = services.kernel.clock.iso()
  const ended = await tx.query(sql<{ id: string; user_id: string }>`
    update iam_session
    set status = 'revoked', revoked_by = ${ending.by}, revoked_reason = ${ending.reason}, updated_at = ${now}
    where status = 'active' and ${ending.condition}
    returning id, user_id`)
  for (const { id, user_id } of ended) {
    await services.kernel.auth.revoke(tx, 'session', id)
    await tx.emit(sessionRevoked, `session/${id}`, {
      session_id: id,
      user_id,
      actor_id: ending.by,
      reason: ending.reason,
    })
  }
  return ended.length
}
