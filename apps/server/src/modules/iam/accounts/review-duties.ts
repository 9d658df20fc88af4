import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

/**
 * Moves the open review items of a departing person to the opener of the review, or, where the opener may not decide
 * them, to any administrator; otherwise they would stay undecided until the review ends. Tested in
 * ../reviews/reach.test.ts.
 */
export async function leaveReviews(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    update iam_access_review_item item
    set reviewer_id = case when opener.id <> item.user_id then opener.id end
    from iam_access_review r
    left join iam_user opener on opener.tenant_id = r.tenant_id and opener.id = r.opened_by
      and opener.status = 'active' and opener.id <> ${userId}
    where r.tenant_id = item.tenant_id and r.id = item.review_id and r.status = 'open'
      and item.reviewer_id = ${userId} and item.decision is null`)
}
