/**
 * Ends a review: undecided items get the default decision set for it, and the result is sealed with a digest and a
 * signature. An item that cannot be applied (the last administrator, a person with more rights than the opener) is
 * marked as refused and does not hold up the review. Tested in reviews.test.ts.
 */

import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import { hold, write as writeRow } from '../../../kernel/resource/resource.ts'
import type { Grantor } from '../rights/escalation.ts'
import type { IamServices } from '../services/iam-services.ts'
import { applyDecision, authorityOf, type Outcome } from './apply.ts'
import { accessReviewClosed } from './events.ts'
import { accessReviews, type ItemRow, type ReviewRow, reviewItems } from './tables.ts'
import { reviewResource, reviewView } from './views.ts'

export interface Closing {
  readonly id: string
  readonly by: string | null
  /** Null when the opener has no rights any more: nothing is taken away then. */
  readonly authority: Grantor | null
}

/** Can be run again after it broke: decided items stay decided, a closed review stays closed. */
export async function closeReview(services: IamServices, scope: TenantScope, closing: Closing): Promise<void> {
  const { db } = services.kernel
  for (;;) {
    const item = await db.tenant({ ...scope, readOnly: true }, (tx) => nextUndecided(tx, closing.id))
    if (item === null) break
    await settle(services, scope, { item, closing })
  }
  await db.tenant(scope, (tx) => seal(services, tx, closing))
}

function nextUndecided(tx: Tx, reviewId: string): Promise<(ItemRow & { answer: ReviewRow['on_no_answer'] }) | null> {
  return tx.first(sql<ItemRow & { answer: ReviewRow['on_no_answer'] }>`
    select item.*, r.on_no_answer as answer
    from (select ${reviewItems.columns} from iam_access_review_item
      where review_id = ${reviewId} and decision is null order by id limit 1) item
    join iam_access_review r on r.id = item.review_id and r.status = 'open'`)
}

interface Settling {
  readonly item: ItemRow & { readonly answer: ReviewRow['on_no_answer'] }
  readonly closing: Closing
}

/** Each item in a transaction of its own: one that is refused must take nothing else back. */
async function settle(services: IamServices, scope: TenantScope, { item: found, closing }: Settling): Promise<void> {
  const { answer: decision, ...item } = found
  const write = (tx: Tx, outcome: Outcome): Promise<void> =>
    reviewItems.patch(tx, item.id, {
      decision,
      decided_by: closing.by,
      decided_at: services.kernel.clock.iso(),
      reason: 'no_answer',
      outcome,
    })
  const { authority, by } = closing
  try {
    await services.kernel.db.tenant(scope, async (tx) => {
      if (authority === null) return write(tx, decision === 'keep' ? 'kept' : 'refused')
      await write(tx, await applyDecision(services, tx, { item, decision, by, authority }))
    })
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await services.kernel.db.tenant(scope, (tx) => write(tx, 'refused'))
  }
}

async function seal({ kernel }: IamServices, tx: Tx, { id, by }: Closing): Promise<void> {
  const held = await hold(tx, reviewResource, { id, precondition: anyVersion })
  const { row } = held
  if (row.status !== 'open') return
  const now = kernel.clock.iso()
  const items = await tx.query(
    sql<ItemRow>`select ${reviewItems.columns} from iam_access_review_item where review_id = ${id} order by id`,
  )
  const { name, scope, opened_by, created_at } = row
  const result = { tenant_id: tx.tenantId, review_id: id, name, scope, opened_by, created_at, closed_at: now, items }
  const digest = canonicalHash(result)
  const { kid, signature } = await kernel.signingKeys.sign(
    'checkpoint',
    Buffer.from(`parapet/access-review\n${digest}`),
  )
  const before = await reviewView(tx, id)
  await writeRow(kernel, tx, held, {
    status: 'closed',
    closed_at: now,
    closed_by: by,
    result_digest: digest,
    result_kid: kid,
    result_signature: Buffer.from(signature).toString('base64url'),
  })
  const after = await reviewView(tx, id)
  await tx.audit('iam.access_review.close', { target: `access_review:${id}`, before, after })
  const { items: count, kept, revoked } = after.counts
  const data = { review_id: id, items: count, kept, revoked, result_digest: digest, actor_id: by }
  await tx.emit(accessReviewClosed, `access-review/${id}`, data)
}

const minuteMs = 60_000

/** Closes what is due. */
const closeDue: JobDeclaration<IamServices> = {
  kind: 'iam.access_reviews.close',
  maxAttempts: 5,
  leaseMs: 5 * minuteMs,
  everyMs: 5 * minuteMs,
  due: someReviewsOver,
  run: ({ tenantId, services, signal }) => closeDueReviews(services, { tenantId }, signal),
}

export async function closeDueReviews(services: IamServices, scope: TenantScope, signal: AbortSignal): Promise<void> {
  const { db, clock } = services.kernel
  const due = await db.read(
    scope.tenantId,
    sql<ReviewRow>`select ${accessReviews.columns} from iam_access_review where status = 'open' and due_at <= ${clock.iso()}`,
  )
  for (const review of due) {
    signal.throwIfAborted()
    const authority = await authorityOf(services, review).catch((error: unknown) => {
      if (error instanceof ProblemError) return null
      throw error
    })
    await closeReview(services, scope, { id: review.id, by: null, authority })
  }
}

export const reviewJobs = [closeDue]

function someReviewsOver({ now }: DueAt): SqlPart {
  return sql`
    exists (
      select from iam_access_review review
      where review.tenant_id = tenant.id and review.status = 'open' and review.due_at <= ${now})`
}
