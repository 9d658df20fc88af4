/**
 * Automatic steps of reviews: a review of all access is opened when none was for the period the tenant sets, and
 * reviewers are reminded once before one ends. Tested in rounds.test.ts.
 */
import { listPermissions } from '../../../kernel/access/permissions.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { activeHolders } from '../rights/administrators.ts'
import type { Subject } from '../rights/subjects.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { accessReviewReminded } from './events.ts'
import { openRegularReview } from './open.ts'
import { accessReviews, type ReviewRow } from './tables.ts'
import { tellReviewers } from './tell.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A regular review is open for so long, or until the next one is due. */
const openDays = 14
/** Reviewers are reminded so long before the end, of a short review in the middle of its time. */
const remindDays = 3

/** Opens the review that is due, if any. Of several instances that look at once one opens it. */
export async function openReviewDue(services: IamServices, scope: TenantScope): Promise<void> {
  const { db, clock } = services.kernel
  await db.tenant(scope, async (tx) => {
    const days = await everyDays(tx)
    if (days === null) return
    await tx.lock('iam.access_review.round', tx.tenantId)
    const now = clock.now()
    if (await hasReviewSince(tx, new Date(now - days * dayMs).toISOString())) return
    const opener = await openerOf(tx, now)
    if (opener === null) return
    const body = {
      name: `Regular review of ${clock.iso().slice(0, 10)}`,
      scope: { include_api_keys: true },
      reviewer_rule: 'manager',
      due_at: new Date(now + Math.min(openDays, days) * dayMs).toISOString(),
      on_no_answer: 'keep' as const,
    }
    await openRegularReview(services, tx, {
      opener: { ...opener, userId: opener.id, homeTenantId: tx.tenantId },
      body,
    })
  })
}

/** Null where no period is set, or the tenant is suspended, so that its reviewers cannot sign in. */
async function everyDays(tx: Tx): Promise<number | null> {
  const tenant = await tx.first(sql<{ status: string }>`select status from iam_tenant where id = ${tx.tenantId}`)
  if (tenant?.status !== 'active') return null
  return (await settingsOf(tx, tx.tenantId)).review_every_days
}

/** Whether a review of all access was opened since, by anyone, or is still open. */
async function hasReviewSince(tx: Tx, from: string): Promise<boolean> {
  const found = await tx.first(sql`
    select 1 as found from iam_access_review
    where status in ('open', 'closed') and not (scope ? 'role_ids') and not (scope ? 'user_filter')
      and (created_at > ${from} or status = 'open')
    limit 1`)
  return found !== null
}

/** The administrator of the tenant's own with the most rights, of several the one who was there first. */
async function openerOf(tx: Tx, nowMs: number): Promise<Subject | null> {
  const rank = ({ operator, permissions }: Subject): number =>
    listPermissions(permissions).length + (operator ? 1_000 : 0)
  const holders = await activeHolders(tx, 'iam:admin', nowMs)
  return holders.toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1))[0] ?? null
}

/** Reminds the reviewers of every review that ends soon, once. */
export async function remindReviewers(services: IamServices, scope: TenantScope, signal: AbortSignal): Promise<void> {
  const { db, clock } = services.kernel
  const due = await db.read(
    scope.tenantId,
    sql<Pick<ReviewRow, 'id'>>`
      select id from iam_access_review
      where status = 'open' and reminded_at is null and due_at > ${clock.iso()}::timestamptz
        and due_at - least(make_interval(days => ${remindDays}::int), (due_at - created_at) / 2) <= ${clock.iso()}::timestamptz`,
  )
  for (const { id } of due) {
    signal.throwIfAborted()
    await db.tenant(scope, (tx) => remind(services, tx, id))
  }
}

async function remind(services: IamServices, tx: Tx, id: string): Promise<void> {
  const row = await accessReviews.needForUpdate(tx, id)
  if (row.status !== 'open' || row.reminded_at !== null) return
  const told = await tellReviewers(services, tx, { reviewId: id, notice: 'review_due' })
  await accessReviews.patch(tx, id, { reminded_at: services.kernel.clock.iso() })
  if (told.undecided === 0) return
  await tx.audit('iam.access_review.remind', { target: `access_review:${id}`, after: told })
  await tx.emit(accessReviewReminded, `access-review/${id}`, { review_id: id, ...told, due_at: row.due_at })
}

const rounds: JobDeclaration<IamServices> = {
  kind: 'iam.access_reviews.rounds',
  maxAttempts: 5,
  leaseMs: 5 * minuteMs,
  everyMs: 60 * minuteMs,
  run: async ({ tenantId, services, signal }) => {
    await openReviewDue(services, { tenantId })
    await remindReviewers(services, { tenantId }, signal)
  },
}

export const roundJobs = [rounds]
