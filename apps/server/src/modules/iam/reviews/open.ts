/**
 * Opens a review: a snapshot of who has what, each item with a reviewer and a recommendation. Whoever opens it answers
 * for what its decisions do, so it holds nobody above them. Tested in reviews.test.ts.
 */
import type { Actor } from '../../../kernel/auth/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/http/errors.ts'
import { assertDominates, dominates, type Grantor } from '../escalation.ts'
import { namedRoles } from '../granted-roles.ts'
import type { IamServices } from '../services.ts'
import { type Subject, subjectOf, subjectStatement } from '../subjects.ts'
import { assertInFuture } from '../users.ts'
import { accessReviewOpened } from './events.ts'
import { recommend } from './recommend.ts'
import type { AccessReview, CreateReview, ReviewScope } from './schema.ts'
import { accessReviews, type ItemRow, reviewItems } from './tables.ts'
import { tellReviewers } from './tell.ts'
import { reviewView } from './views.ts'

const mostItems = 10_000

/** @throws API-001, IAM-003 */
export async function openReview(
  services: IamServices,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: CreateReview },
): Promise<AccessReview> {
  const { clock } = services.kernel
  const now = clock.iso()
  assertDue(body.due_at, now)
  const scope = body.scope ?? {}
  if (scope.role_ids !== undefined) await namedRoles(tx, scope.role_ids)
  const named = namedReviewer(body)
  if (named !== null) await assertReviewer(tx, named, '/reviewer_rule')
  const found = await accessIn(tx, scope, now)
  if (found.length > mostItems) throw invalid(`A review has at most ${mostItems} items; narrow its scope.`, '/scope')
  const above = await firstAbove(tx, actor, { found, nowMs: clock.now() })
  if (above !== undefined) assertDominates(actor, above)
  return writeReview(services, tx, { opener: actor, body, found, recurring: false })
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
  return writeReview(services, tx, { opener, body, found, recurring: true })
}

interface NewReview {
  readonly opener: Opener
  readonly body: CreateReview
  readonly found: readonly Access[]
  readonly recurring: boolean
}

async function writeReview(
  services: IamServices,
  tx: Tx,
  { opener, body, found, recurring }: NewReview,
): Promise<AccessReview> {
  const { clock, random } = services.kernel
  const now = clock.iso()
  const id = random.uuid()
  await accessReviews.insert(tx, {
    tenant_id: tx.tenantId,
    id,
    name: body.name,
    scope: body.scope ?? {},
    reviewer_rule: body.reviewer_rule,
    due_at: body.due_at,
    on_no_answer: body.on_no_answer,
    status: 'open',
    opened_by: opener.userId,
    opened_by_tenant: opener.homeTenantId,
    ...{ closed_at: null, closed_by: null, result_digest: null, result_kid: null, result_signature: null },
    recurring,
    reminded_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  })
  const named = namedReviewer(body)
  for (const access of found)
    await reviewItems.insert(
      tx,
      itemOf(access, { id: random.uuid(), reviewId: id, named, opener, tx, nowMs: clock.now() }),
    )
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

function invalid(detail: string, pointer: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}

/** @throws API-001 for somebody who is no active person of the tenant */
export async function assertReviewer(tx: Tx, id: string, pointer: string): Promise<void> {
  const found = await tx.first(
    sql`select 1 as found from iam_user where id = ${id} and type = 'human' and status = 'active'`,
  )
  if (found === null) throw invalid('There is no such active user.', pointer)
}

interface Found {
  readonly found: readonly Access[]
  readonly nowMs: number
}

/** Those among the people whose rights are not within the opener's. */
async function allAbove(tx: Tx, opener: Grantor, { found, nowMs }: Found): Promise<readonly Subject[]> {
  const userIds = [...new Set(found.map(({ user_id }) => user_id))]
  const rows = await tx.query(subjectStatement(sql`u.id = any(${userIds}::uuid[])`))
  return rows.map((row) => subjectOf(row, nowMs)).filter((subject) => !dominates(opener, subject))
}

const firstAbove = async (tx: Tx, opener: Grantor, found: Found): Promise<Subject | undefined> =>
  (await allAbove(tx, opener, found))[0]

async function accessIn(tx: Tx, scope: ReviewScope, now: string): Promise<readonly Access[]> {
  return [...(await grants(tx, scope)), ...(scope.include_api_keys === true ? await keys(tx, scope, now) : [])]
}

interface Access {
  readonly user_id: string
  readonly manager_id: string | null
  readonly role_id: string | null
  readonly key_id: string | null
  readonly name: string
  readonly granted_at: string
  readonly granted_by: string | null
  readonly last_used_at: string | null
  readonly live: boolean
}

function people({ user_filter: filter = {} }: ReviewScope): SqlPart {
  const where: SqlPart[] = [sql`u.status not in ('deactivated', 'erased')`]
  if (filter.status !== undefined) where.push(sql`u.status = ${filter.status}`)
  if (filter.department !== undefined) where.push(sql`u.department = ${filter.department}`)
  if (filter.managed_by !== undefined) where.push(sql`u.managed_by = ${filter.managed_by}`)
  return join(where, ' and ')
}

function grants(tx: Tx, scope: ReviewScope): Promise<readonly Access[]> {
  const roles = scope.role_ids === undefined ? sql`true` : sql`g.role_id = any(${scope.role_ids}::uuid[])`
  return tx.query(sql<Access>`
    select u.id as user_id, u.manager_id, g.role_id, null as key_id, r.name, g.granted_at, g.granted_by,
      greatest(u.last_active_at, u.last_login_at) as last_used_at, u.status = 'active' as live
    from iam_user_role g
    join iam_user u on u.tenant_id = g.tenant_id and u.id = g.user_id
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where ${people(scope)} and ${roles}
    order by u.id, g.position
    limit ${mostItems + 1}`)
}

function keys(tx: Tx, scope: ReviewScope, now: string): Promise<readonly Access[]> {
  return tx.query(sql<Access>`
    select u.id as user_id, u.manager_id, null as role_id, k.id as key_id, k.name, k.created_at as granted_at,
      k.created_by as granted_by, k.last_used_at, k.expires_at > ${now} as live
    from iam_api_key k
    join iam_user u on u.tenant_id = k.tenant_id and u.id = k.owner_id
    where ${people(scope)} and k.revoked_at is null
    order by u.id, k.id
    limit ${mostItems + 1}`)
}

interface ItemFrame {
  readonly id: string
  readonly reviewId: string
  readonly named: string | null
  readonly opener: Opener
  readonly tx: Tx
  readonly nowMs: number
}

function itemOf(access: Access, { id, reviewId, named, opener, tx, nowMs }: ItemFrame): ItemRow {
  // Nobody reviews what is their own: who opened the review stands in, and for that person's own items any administrator.
  const standIn = opener.homeTenantId === tx.tenantId ? opener.userId : null
  const candidates = [named ?? access.manager_id, standIn]
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
