import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { assertReaches } from '../reviews/reach.ts'
import { assertMayTouch } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import { users } from '../tables/users.ts'

interface Inheritance {
  readonly actor: Actor
  /** The person who leaves. */
  readonly id: string
  readonly heirId: string
}

/**
 * The person who takes over the rest. Reviews act with their opener's rights, so the actor must dominate the heir, and
 * no heir may decide through a review about people whom the actor could not touch.
 * @throws API-001 for anyone but another active person, API-013, IAM-003
 */
export async function heirOf(tx: Tx, { actor, id, heirId }: Inheritance, nowMs: number): Promise<string> {
  const heir = await findSubject(tx, heirId, nowMs)
  if (heir === null) throw apiErrors.notFound({ what: users.noun })
  assertMayTouch(actor, heir)
  if (!heir.active || heir.type !== 'human' || heir.id === id) {
    const detail = 'This has to be another active person.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '?transfer_to' }])
  }
  await assertReaches(tx, { actor, userIds: await waitingFor(tx, id), nowMs })
  return heir.id
}

/** People in the undecided items that a person reviews, or that are in reviews the person opened. */
async function waitingFor(tx: Tx, userId: string): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ user_id: string }>`
    select distinct item.user_id
    from iam_access_review_item item
    join iam_access_review r on r.tenant_id = item.tenant_id and r.id = item.review_id
    where r.status = 'open' and item.decision is null
      and (item.reviewer_id = ${userId} or (r.opened_by = ${userId} and r.opened_by_tenant = ${tx.tenantId}))`)
  return rows.map(({ user_id }) => user_id)
}

/** People name keys after themselves and let them in from where they live. */
export const erasedKeyName = 'Key of an erased user'

export interface Handover {
  readonly userId: string
  readonly heir: string | null
  /** ISO */
  readonly at: string
}

/**
 * Hands over keys, which are dead since the account was deactivated, and open duties. A person never reviews their own
 * access: such an item, and every item where there is no heir, is left to administrators.
 */
export async function handOver(tx: Tx, handover: Handover): Promise<void> {
  const { userId, heir, at } = handover
  await handOverDuties(tx, handover)
  if (heir === null) return
  await tx.execute(sql`
    update iam_api_key
    set owner_id = ${heir}, name = ${erasedKeyName}, allowed_cidrs = '{}', last_used_ip = null, used_networks = '{}', version = version + 1, updated_at = ${at}
    where owner_id = ${userId}`)
}

/** Open reviews, the items of others that wait in them, and roles. */
export async function handOverDuties(tx: Tx, { userId, heir, at }: Handover): Promise<void> {
  const open = sql`select id from iam_access_review where status = 'open'`
  // The opener of a review acts as reviewer of items that have none.
  const own = sql`select id from iam_access_review where opened_by = ${userId} and opened_by_tenant = ${tx.tenantId}`
  await tx.execute(sql`
    update iam_access_review_item
    set reviewer_id = case when user_id = ${heir}::uuid then null else ${heir}::uuid end
    where (reviewer_id = ${userId} or (reviewer_id is null and review_id in (${own})))
      and decision is null and review_id in (${open})`)
  await tx.execute(sql`
    update iam_role set owner_id = ${heir}, version = version + 1, updated_at = ${at} where owner_id = ${userId}`)
  if (heir === null) return
  await tx.execute(sql`
    update iam_access_review set opened_by = ${heir}, opened_by_tenant = ${tx.tenantId}, version = version + 1, updated_at = ${at}
    where opened_by = ${userId} and opened_by_tenant = ${tx.tenantId} and status = 'open'`)
}
