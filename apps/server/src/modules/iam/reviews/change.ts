/**
 * Decides items of a review, hands them to other reviewers, closes or cancels it. A reviewer decides the items assigned
 * to them, an administrator those about people within their own rights, and no person their own access. Tested in
 * reviews.test.ts and reach.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { assertActivePerson } from '../rights/active-person.ts'
import type { Grantor } from '../rights/escalation.ts'
import type { IamServices } from '../services/iam-services.ts'
import { applyDecision, authorityOf } from './apply.ts'
import { closeReview } from './close.ts'
import { changeDraft } from './draft.ts'
import { assertDue, assertPlan } from './open.ts'
import { assertMayEnd, assertReaches } from './reach.ts'
import type { ReviewChange } from './review-change.ts'
import type { Applied, PatchReview } from './schema.ts'
import { accessReviews, type ItemRow, type ReviewRow, reviewItems } from './tables.ts'
import { tellReviewers } from './tell.ts'
import { reviewResource, reviewView } from './views.ts'

/** Opens its own transactions. @throws API-001, API-012, API-013, AUTH-004, IAM-003, IAM-005, IAM-015, IAM-016 */
export async function changeReview(services: IamServices, scope: TenantScope, ask: ReviewChange) {
  const { kernel } = services
  // The opener of a review never changes, so it can be read before.
  const found = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => visible(tx, ask))
  const { decisions, status } = ask.body
  const needed = status === 'closed' || decisions?.some(({ decision }) => decision === 'revoke') === true
  const authority = needed ? await authorityFor(services, found, ask.actor) : null
  const applied = await kernel.db.tenant(scope, (tx) => change(services, tx, { ...ask, authority }))
  if (status === 'closed') await closeReview(services, scope, { id: ask.id, by: ask.actor.userId, authority })
  return kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const { version } = await accessReviews.need(tx, ask.id)
    return new Versioned({ ...(await reviewView(tx, ask.id)), applied }, version)
  })
}

/** The opener's; where that person is gone an administrator decides with their own. @throws IAM-003 */
async function authorityFor(services: IamServices, review: ReviewRow, actor: Actor): Promise<Grantor> {
  try {
    return await authorityOf(services, review)
  } catch (error) {
    if (error instanceof ProblemError && holds(actor.permissions, 'iam:admin')) return actor
    throw error
  }
}

/** @throws API-013 for a caller with neither iam:read nor an item in the review */
async function visible(tx: Tx, { actor, id }: ReviewChange): Promise<ReviewRow> {
  const row = await accessReviews.need(tx, id)
  if (holds(actor.permissions, 'iam:read')) return row
  const mine = await tx.first(
    sql`select 1 as found from iam_access_review_item where review_id = ${id} and reviewer_id = ${actor.userId} limit 1`,
  )
  if (mine === null) throw apiErrors.notFound({ what: accessReviews.noun })
  return row
}

type Change = ReviewChange & { readonly authority: Grantor | null }

async function change(services: IamServices, tx: Tx, ask: Change): Promise<Applied> {
  const { actor, id, body } = ask
  const held = await hold(tx, reviewResource, { id, precondition: ask.precondition })
  const { row } = held
  const { decisions = [], reassign = [], ...administered } = body
  const { name, due_at, status } = administered
  const administers = reassign.length > 0 || Object.keys(administered).length > 0
  if (administers && !holds(actor.permissions, 'iam:admin')) throw authErrors.forbidden({ permission: 'iam:admin' })
  if (row.status === 'draft') {
    const [item] = [...decisions, ...reassign]
    if (item !== undefined) throw apiErrors.notFound({ what: reviewItems.noun })
    await changeDraft(services, tx, { held, ask })
    return { decided: 0, revoked: 0, reassigned: 0 }
  }
  if (row.status !== 'open' && (administers || decisions.length > 0)) throw errors.reviewClosed({ status: row.status })
  await assertPlan(tx, body)
  assertOpenChange(body)
  const now = services.kernel.clock.iso()
  if (due_at !== undefined) assertDue(due_at, now)
  await assertMayEnd(tx, { actor, row, body, nowMs: Date.parse(now) })
  const before = await reviewView(tx, id)
  await handOverAll(services, tx, ask)
  let revoked = 0
  for (const one of decisions) revoked += (await decide(services, tx, { ...ask, ...one })) === 'revoked' ? 1 : 0
  await write(services.kernel, tx, held, {
    name,
    ...(due_at === undefined ? {} : { due_at, reminded_at: null }),
    ...(status === 'cancelled' ? { status, closed_at: now, closed_by: actor.userId } : {}),
  })
  await tx.audit('iam.access_review.change', {
    target: `access_review:${id}`,
    before,
    after: { ...(await reviewView(tx, id)), decisions, reassign },
  })
  return { decided: decisions.length, revoked, reassigned: reassign.length }
}

/** The scope of a review is fixed once it is opened and has taken its snapshot. @throws IAM-004, API-011 */
function assertOpenChange({ scope, reviewer_rule, on_no_answer, status }: PatchReview): void {
  if (status === 'open') throw errors.illegalMove({ what: 'review', from: 'open', to: 'open' })
  if (scope === undefined && reviewer_rule === undefined && on_no_answer === undefined) return
  throw apiErrors.conflict({ what: 'Scope, reviewers and the answer for nobody’s answer are those of a draft only.' })
}

async function needItem(tx: Tx, reviewId: string, itemId: string): Promise<ItemRow> {
  const item = await tx.first(sql<ItemRow>`
    select ${reviewItems.columns} from iam_access_review_item
    where id = ${itemId} and review_id = ${reviewId} for update`)
  if (item === null) throw apiErrors.notFound({ what: reviewItems.noun })
  return item
}

/**
 * The new reviewer decides on the opener's authority, so only people who could touch the item's person may hand it
 * over.
 * @throws API-001, API-013, IAM-003, IAM-016 for making a person the reviewer of their own access
 */
async function handOverAll(services: IamServices, tx: Tx, { actor, id, body }: Change): Promise<void> {
  const { reassign = [] } = body
  const nowMs = services.kernel.clock.now()
  for (const [index, to] of reassign.entries()) {
    const item = await needItem(tx, id, to.item_id)
    await assertActivePerson(tx, to.reviewer_id, `/reassign/${index}/reviewer_id`)
    if (to.reviewer_id === item.user_id) throw errors.ownAccess()
    await assertReaches(tx, { actor, userIds: [item.user_id], nowMs })
    await reviewItems.patch(tx, item.id, { reviewer_id: to.reviewer_id })
  }
  const reviewers = [...new Set(reassign.map(({ reviewer_id }) => reviewer_id))].filter((one) => one !== actor.userId)
  if (reviewers.length > 0) await tellReviewers(services, tx, { reviewId: id, notice: 'review_assigned', reviewers })
}

type OneDecision = Change & NonNullable<PatchReview['decisions']>[number]

async function decide(services: IamServices, tx: Tx, ask: OneDecision): Promise<ItemRow['outcome']> {
  const { actor, decision } = ask
  const item = await needItem(tx, ask.id, ask.item_id)
  const isReviewer = actor.kind === 'user' && item.reviewer_id === actor.userId
  if (!isReviewer && !holds(actor.permissions, 'iam:admin')) throw apiErrors.notFound({ what: reviewItems.noun })
  if (item.user_id === actor.userId) throw errors.ownAccess()
  // A revoked access cannot be decided again: it has to be granted again.
  if (item.decision !== null && item.decision !== 'keep') throw errors.reviewClosed({ status: 'decided' })
  if (!isReviewer && decision === 'revoke')
    await assertReaches(tx, { actor, userIds: [item.user_id], nowMs: services.kernel.clock.now() })
  const outcome =
    decision === 'keep' || ask.authority === null
      ? 'kept'
      : await applyDecision(services, tx, { item, decision, by: actor.userId, authority: ask.authority })
  await reviewItems.patch(tx, item.id, {
    decision,
    decided_by: actor.userId,
    decided_at: services.kernel.clock.iso(),
    reason: ask.reason ?? null,
    outcome,
  })
  return outcome
}
