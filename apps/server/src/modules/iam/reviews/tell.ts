/** Letters to those who have something to decide. Tested in rounds.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { mailNotice } from '../mail/jobs.ts'
import type { IamServices } from '../services/iam-services.ts'

interface Reviewer {
  readonly id: string
  readonly email: string | null
  readonly undecided: number
}

export interface Telling {
  readonly reviewId: string
  readonly notice: 'review_assigned' | 'review_due'
  /** Only these; else all who have something to decide. */
  readonly reviewers?: readonly string[]
}

/** Answers how many people were told, and how much is undecided. */
export async function tellReviewers(
  services: IamServices,
  tx: Tx,
  { reviewId, notice, reviewers }: Telling,
): Promise<{ readonly reviewers: number; readonly undecided: number }> {
  const whom = reviewers === undefined ? sql`true` : sql`item.reviewer_id = any(${reviewers}::uuid[])`
  const waiting = await tx.query(sql<Reviewer>`
    select u.id, u.email, count(*)::int as undecided
    from iam_access_review_item item
    join iam_user u on u.tenant_id = item.tenant_id and u.id = item.reviewer_id and u.status = 'active'
    where item.review_id = ${reviewId} and item.decision is null and ${whom}
    group by u.id, u.email
    order by u.id`)
  for (const { id, email } of waiting)
    await mailNotice(services, tx, { notice, userId: id, to: email, about: reviewId })
  const all = await tx.first(sql<{ undecided: number }>`
    select count(*)::int as undecided from iam_access_review_item
    where review_id = ${reviewId} and decision is null`)
  return { reviewers: waiting.length, undecided: all?.undecided ?? 0 }
}
