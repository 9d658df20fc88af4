import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Me } from '../schemas/auth.ts'

const most = 50

/** Open reviews that wait for this person, even without the right to list reviews. Tested in reach.test.ts. */
export function waitingReviews(tx: Tx, userId: string): Promise<readonly Me['access_reviews'][number][]> {
  return tx.query(sql<Me['access_reviews'][number]>`
    select r.id, r.name, r.due_at, count(*)::int as undecided
    from iam_access_review_item item
    join iam_access_review r on r.tenant_id = item.tenant_id and r.id = item.review_id and r.status = 'open'
    where item.reviewer_id = ${userId} and item.decision is null
    group by r.id, r.name, r.due_at
    order by r.due_at, r.id
    limit ${most}`)
}
