import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Review = strictObject({
  id: Uuid,
  status: oneOf('open', 'closed'),
  due_at: Timestamp,
  closed_at: nullable(Timestamp),
  undecided: Type.Integer({ minimum: 0, description: 'Items without a decision' }),
})

export const accessReviewsFact = defineFact({
  name: 'iam.access_reviews',
  description: 'Access reviews that are open or closed, the newest first, with their undecided items.',
  permission: 'iam:read',
  schema: populationOf(Review),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select ((select count(*) from iam_access_review where status = 'open')
          + (select count(*) from iam_access_review where status = 'closed'))::int as total`,
      items: sql<Static<typeof Review> & { recount: number }>`
        select review.id, review.status, review.due_at, review.closed_at, count(*) over ()::int as recount,
          (select count(*) from iam_access_review_item item where item.tenant_id = review.tenant_id
            and item.review_id = review.id and item.decision is null)::int as undecided
        from iam_access_review review where review.status in ('open', 'closed')
        order by review.created_at desc, review.id desc limit ${mostItems}`,
    }),
})
