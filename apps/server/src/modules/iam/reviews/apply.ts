/**
 * Applies a decision at once: access that is not kept is removed on the authority of the review's opener, with the
 * rights that person has now. Tested in reviews.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { moveUser } from '../accounts/status.ts'
import { revokeKeys } from '../api-keys/revocation.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import { exceedsRights } from '../errors/errors.ts'
import { keepingAdministrators } from '../rights/administrators.ts'
import { assertDominates, type Grantor } from '../rights/escalation.ts'
import { userRoleChanged } from '../rights/events.ts'
import { groupsTopic } from '../rights/group-roles.ts'
import { findSubject, rightsOf, subjectOf, subjectStatement } from '../rights/subjects.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import type { ItemRow, ReviewRow } from './tables.ts'

export type Decision = NonNullable<ItemRow['decision']>
export type Outcome = NonNullable<ItemRow['outcome']>

/**
 * The rights decisions of the review take effect with. Asked before a transaction is opened, because the opener may be
 * at home in another tenant.
 * @throws IAM-003 when that person may no longer administer identities
 */
export async function authorityOf(
  { kernel }: IamServices,
  review: Pick<ReviewRow, 'opened_by' | 'opened_by_tenant'>,
): Promise<Grantor> {
  const [row] = await kernel.db.read(
    tenantIdOf(review.opened_by_tenant),
    subjectStatement(sql`u.id = ${review.opened_by}`),
  )
  const opener = row === undefined ? null : subjectOf(row, kernel.clock.now())
  if (opener?.active !== true) throw exceedsRights(['iam:admin'])
  return rightsOf(opener)
}

export interface Ruling {
  readonly item: ItemRow
  readonly decision: Decision
  /** Null for the clock. */
  readonly by: string | null
  readonly authority: Grantor
}

/** @throws IAM-003, IAM-005 */
export async function applyDecision(services: IamServices, tx: Tx, ruling: Ruling): Promise<Outcome> {
  if (ruling.decision === 'keep') return 'kept'
  const { item, authority } = ruling
  const now = services.kernel.clock.now()
  const subject = await findSubject(tx, item.user_id, now)
  if (subject === null) return 'already_gone'
  assertDominates(authority, subject)
  return keepingAdministrators(tx, now, () => {
    if (ruling.decision === 'suspend') return suspend(services, tx, ruling)
    return item.key_id === null ? revokeRole(services, tx, ruling) : revokeKey(services, tx, ruling)
  })
}

async function suspend(services: IamServices, tx: Tx, { item, by }: Ruling): Promise<Outcome> {
  const user = await users.needForUpdate(tx, item.user_id)
  if (user.status !== 'active') return 'already_gone'
  await moveUser(services, tx, { user, to: 'suspended', mover: 'administrator', by, reason: 'access_review' })
  return 'suspended'
}

async function revokeKey(services: IamServices, tx: Tx, { item, by }: Ruling): Promise<Outcome> {
  const condition = sql`id = ${item.key_id}`
  const ended = await revokeKeys(services, tx, { condition, by, reason: 'access_review' })
  return ended > 0 ? 'revoked' : 'already_gone'
}

async function revokeRole(services: IamServices, tx: Tx, { item, by }: Ruling): Promise<Outcome> {
  const held = await tx.query(
    sql<{ role_id: string }>`select role_id from iam_user_role where user_id = ${item.user_id} order by position`,
  )
  const before = held.map(({ role_id }) => role_id)
  // A directory that still lists the person in the group would give the role again; its next word counts.
  const left = await tx.execute(sql`
    delete from iam_group_member m using iam_group g
    where g.tenant_id = m.tenant_id and g.id = m.group_id and g.role_id = ${item.role_id} and m.user_id = ${item.user_id}`)
  if (left > 0) await tx.announce(groupsTopic, item.user_id)
  const removed = await tx.execute(
    sql`delete from iam_user_role where user_id = ${item.user_id} and role_id = ${item.role_id}`,
  )
  if (removed === 0) return 'already_gone'
  await services.kernel.auth.rightsChanged(tx, item.user_id)
  const after = before.filter((id) => id !== item.role_id)
  await tx.emit(userRoleChanged, `user/${item.user_id}`, { user_id: item.user_id, actor_id: by, before, after })
  return 'revoked'
}
