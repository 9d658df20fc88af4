/**
 * Opens a review: a snapshot of all access in scope, each item with a reviewer and a recommendation. The opener answers
 * for the effects of its decisions, so people with more rights than theirs are excluded. Tested in reviews.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import { assertActivePerson } from '../rights/active-person.ts'
import type { Grantor } from '../rights/escalation.ts'
import { namedRoles } from '../rights/granted-roles.ts'
import { assertInFuture } from '../schemas/in-future.ts'
import type { IamServices } from '../services/iam-services.ts'
import { type Access, accessBelow, accessIn, allAbove, invalid, mostItems } from './access.ts'
import { accessReviewOpened } from './events.ts'
import { recommend } from './recommend.ts'
import type { AccessReview, CreateReview } from './schema.ts'
import { accessReviews, type ItemRow, reviewItems } from './tables.ts'
import { tellReviewers } from './tell.ts'
import { reviewView } from './views.ts'

/** @throws API-001, IAM-003 */
export async function openReview(
  services: IamServices,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: CreateReview },
): Promise<AccessReview> {
  const { status = 'open' } = body
  assertDue(body.due_at, services.kernel.clock.iso())
  await assertPlan(tx, body)
  const found = status === 'draft' ? [] : await accessBelow(services, tx, { opener: actor, scope: body.scope ?? {} })
  const id = await insertReview(services, tx, { opener: actor, body, status, recurring: false })
  if (status === 'open') return fillReview(services, tx, { id, opener: actor, body, found })
  const view = await reviewView(tx, id)
  await tx.audit('iam.access_review.open', { target: `access_review:${id}`, after: view })
  return view
}

/** Checks the people and roles the plan names. @throws API-001 */
export async function assertPlan(
  tx: Tx,
  { scope, reviewer_rule }: Partial<Pick<CreateReview, 'scope' | 'reviewer_rule'>>,
): Promise<void> {
  if (scope?.role_ids !== undefined) await namedRoles(tx, scope.role_ids)
  const named = reviewer_rule === undefined ? null : namedReviewer({ reviewer_rule })
  if (named !== null) await assertActivePerson(tx, named, '/reviewer_rule')
}

/** On whose authority a review is opened. */
export type Opener = Grantor & Pick<Actor, 'userId' | 'homeTenantId'>

/** All access in a tenant, but for those above the opener. @throws Error for more than a review holds */
export async function openRegularReview(
  services: IamServices,
  tx: Tx,
  { opener, body }: { readonly opener: Opener; readonly body: CreateReview },
): Promise<AccessReview> {
  const { clock } = services.kernel
  const all = await accessIn(tx, body.scope ?? {}, clock.iso())
  if (all.length > mostItems) throw new Error(`a regular review has at most ${mostItems} items; open narrower ones`)
  const above = new Set((await allAbove(tx, opener, { found: all, nowMs: clock.now() })).map(({ id }) => id))
  const found = all.filter(({ user_id }) => !above.has(user_id))
  const id = await insertReview(services, tx, { opener, body, status: 'open', recurring: true })
  return fillReview(services, tx, { id, opener, body, found })
}

interface NewReview {
  readonly opener: Opener
  readonly body: CreateReview
  readonly status: 'draft' | 'open'
  readonly recurring: boolean
}

/** The review without items. */
async function insertReview({ kernel }: IamServices, tx: Tx, made: NewReview): Promise<string> {
  const { opener, body, status, recurring } = made
  const row = {
    ...newRow(kernel, tx),
    name: body.name,
    scope: body.scope ?? {},
    reviewer_rule: body.reviewer_rule,
    due_at: body.due_at,
    on_no_answer: body.on_no_answer,
    status,
    opened_by: opener.userId,
    opened_by_tenant: opener.homeTenantId,
    ...{ closed_at: null, closed_by: null, result_digest: null, result_kid: null, result_signature: null },
    recurring,
    reminded_at: null,
  }
  await accessReviews.insert(tx, row)
  return row.id
}

export interface Filling {
  readonly id: string
  readonly opener: Opener
  readonly body: Pick<CreateReview, 'reviewer_rule' | 'due_at'>
  readonly found: readonly Access[]
}

/** Stores the snapshot of all access, and notifies the reviewers. */
export async function fillReview(
  services: IamServices,
  tx: Tx,
  { id, opener, body, found }: Filling,
): Promise<AccessReview> {
  const { clock, random } = services.kernel
  const rule = body.reviewer_rule
  const items = found.map((access) =>
    itemOf(access, { id: random.uuid(), reviewId: id, rule, opener, tx, nowMs: clock.now() }),
  )
  await insertMany(tx, reviewItems, items)
  await tellReviewers(services, tx, { reviewId: id, notice: 'review_assigned' })
  const view = await reviewView(tx, id)
  await tx.audit('iam.access_review.open', { target: `access_review:${id}`, after: view })
  const data = { review_id: id, items: found.length, due_at: body.due_at, actor_id: opener.userId }
  await tx.emit(accessReviewOpened, `access-review/${id}`, data)
  return view
}

function namedReviewer({ reviewer_rule: rule }: Pick<CreateReview, 'reviewer_rule'>): string | null {
  return rule.startsWith('user:') ? rule.slice('user:'.length) : null
}

export function assertDue(dueAt: string, now: string): void {
  try {
    assertInFuture(dueAt, now)
  } catch {
    throw invalid('The end must be in the future.', '/due_at')
  }
}

interface ItemFrame {
  readonly id: string
  readonly reviewId: string
  readonly rule: string
  readonly opener: Opener
  readonly tx: Tx
  readonly nowMs: number
}

/** A key has no role owner: under `role_owner` the manager of the key's holder decides. */
function reviewerOf(access: Access, rule: string): string | null {
  if (rule === 'role_owner' && access.role_id !== null) return access.role_owner_id
  return namedReviewer({ reviewer_rule: rule }) ?? access.manager_id
}

function itemOf(access: Access, { id, reviewId, rule, opener, tx, nowMs }: ItemFrame): ItemRow {
  // No person reviews their own access: the opener stands in, and for the opener's items any administrator.
  const standIn = opener.homeTenantId === tx.tenantId ? opener.userId : null
  const candidates = [reviewerOf(access, rule), standIn]
  const { live, granted_at: grantedAt, last_used_at: lastUsedAt } = access
  return {
    tenant_id: tx.tenantId,
    id,
    review_id: reviewId,
    user_id: access.user_id,
    role_id: access.role_id,
    key_id: access.key_id,
    grant_name: access.name,
    granted_at: grantedAt,
    granted_by: access.granted_by,
    last_used_at: lastUsedAt,
    ...recommend({ live, grantedAt, lastUsedAt }, nowMs),
    reviewer_id: candidates.find((candidate) => candidate !== null && candidate !== access.user_id) ?? null,
    decision: null,
    decided_by: null,
    decided_at: null,
    reason: null,
    outcome: null,
  }
}
