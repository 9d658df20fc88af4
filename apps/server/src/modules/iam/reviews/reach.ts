/**
 * Limits of an administrator in a review that acts on another person's authority: people they could not touch outside
 * of it they cannot touch through it. Reviewers are exempt, since the opener chose them. Tested in reach.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { assertDominates } from '../rights/escalation.ts'
import { allAbove } from './access.ts'
import type { PatchReview } from './schema.ts'
import type { ReviewRow } from './tables.ts'

export interface Reach {
  readonly actor: Actor
  readonly userIds: readonly string[]
  readonly nowMs: number
}

/** @throws IAM-003 when one of these people may do something the actor may not */
export async function assertReaches(tx: Tx, { actor, userIds, nowMs }: Reach): Promise<void> {
  if (userIds.length === 0) return
  const [above] = await allAbove(tx, actor, { found: userIds.map((user_id) => ({ user_id })), nowMs })
  if (above !== undefined) assertDominates(actor, above)
}

export interface Ending {
  readonly actor: Actor
  readonly row: ReviewRow
  readonly body: PatchReview
  readonly nowMs: number
}

/** Ending a review, or moving its end forward, may revoke all access still undecided. @throws IAM-003 */
export async function assertMayEnd(tx: Tx, { actor, row, body, nowMs }: Ending): Promise<void> {
  const earlier = body.due_at !== undefined && Date.parse(body.due_at) < Date.parse(row.due_at)
  if (row.on_no_answer === 'keep' || (body.status !== 'closed' && !earlier)) return
  // Items decided in this same request are checked one by one.
  const decided = (body.decisions ?? []).map(({ item_id }) => item_id)
  const waiting = await tx.query(sql<{ user_id: string }>`
    select distinct user_id from iam_access_review_item
    where review_id = ${row.id} and decision is null and id <> all(${decided}::uuid[])`)
  await assertReaches(tx, { actor, userIds: waiting.map(({ user_id }) => user_id), nowMs })
}
