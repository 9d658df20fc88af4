import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import type { AccessReview, ItemQuery, ReviewFilter, ReviewItem } from './schema.ts'
import { accessReviews, type ItemRow, type ReviewRow, reviewItems } from './tables.ts'

export const reviewResource = resource({ table: accessReviews, kind: 'access_review' })

type Counts = AccessReview['counts']

async function countsOf(tx: Tx, ids: readonly string[]): Promise<(id: string) => Counts> {
  const rows = await tx.query(sql<Counts & { review_id: string }>`
    select review_id, count(*)::int as items, (count(*) filter (where decision is null))::int as undecided,
      (count(*) filter (where decision = 'keep'))::int as kept,
      (count(*) filter (where decision in ('revoke', 'suspend')))::int as revoked
    from iam_access_review_item where review_id = any(${ids}::uuid[]) group by review_id`)
  return (id) => {
    const { items = 0, undecided = 0, kept = 0, revoked = 0 } = rows.find((row) => row.review_id === id) ?? {}
    return { items, undecided, kept, revoked }
  }
}

function shown({ version: _version, opened_by_tenant: _tenant, ...row }: ReviewRow, counts: Counts): AccessReview {
  return { ...row, counts }
}

/** @throws API-013 */
export async function reviewView(tx: Tx, id: string): Promise<AccessReview> {
  const row = await accessReviews.need(tx, id)
  return shown(row, (await countsOf(tx, [id]))(id))
}

export async function listReviews(
  tx: Tx,
  { filter, page: request }: { readonly filter: ReviewFilter; readonly page: PageRequest },
): Promise<Page<AccessReview>> {
  const where: SqlPart[] = [sql`true`]
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`)
  if (filter.due_before !== undefined) where.push(sql`due_at < ${filter.due_before}`)
  const page = await accessReviews.page(tx, request, join(where, ' and '))
  const counts = await countsOf(
    tx,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => shown(row, counts(row.id))) }
}

export interface ReviewWish {
  readonly actor: Actor
  readonly id: string
  readonly query: ItemQuery
}

/**
 * The review with a page of its items: all of them with iam:read, else those one reviews.
 * @throws API-003, API-013 also for a caller with nothing to review in it
 */
export async function seeReview(
  { platformKeys }: Pick<Kernel, 'platformKeys'>,
  tx: Tx,
  { actor, id, query }: ReviewWish,
) {
  const row = await accessReviews.need(tx, id)
  const mine = holds(actor.permissions, 'iam:read') ? sql`true` : sql`reviewer_id = ${actor.userId}`
  const all = sql`review_id = ${id} and ${mine}`
  const own = await tx.first(sql`select 1 as found from iam_access_review_item where ${all} limit 1`)
  if (own === null && !holds(actor.permissions, 'iam:read')) throw apiErrors.notFound({ what: accessReviews.noun })
  const scope = JSON.stringify([
    tx.tenantId,
    id,
    query.decision ?? null,
    holds(actor.permissions, 'iam:read') ? null : actor.userId,
  ])
  const mac = (after: string): string => platformKeys.mac('review-cursor', `${scope} ${after}`)
  const after = query.cursor === undefined ? null : opened(query.cursor, mac)
  const limit = query.limit ?? 50
  const where = sql`${all} and ${decisionIs(query.decision)}`
  const found = await tx.query(sql<ItemRow>`
    select ${reviewItems.columns} from iam_access_review_item
    where ${where} and ${after === null ? sql`true` : sql`id > ${after}`}
    order by id limit ${limit + 1}`)
  const total = await tx.first(sql<{ n: number }>`select count(*)::int as n from iam_access_review_item where ${where}`)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const more = found.length > limit
  const review = { ...shown(row, (await countsOf(tx, [id]))(id)), items: [...(await itemViews(tx, items))] }
  const pagination = {
    cursor: more && last !== undefined ? `${last.id}.${mac(last.id)}` : null,
    limit,
    has_more: more,
    total_count: total?.n ?? 0,
  }
  return new Versioned(review, row.version, { meta: { pagination } })
}

function opened(cursor: string, mac: (after: string) => string): string {
  const [after = '', given = ''] = cursor.split('.')
  if (given !== mac(after)) throw apiErrors.badCursor()
  return after
}

function decisionIs(decision: ItemQuery['decision']): SqlPart {
  if (decision === undefined) return sql`true`
  return decision === 'none' ? sql`decision is null` : sql`decision = ${decision}`
}

async function itemViews(tx: Tx, rows: readonly ItemRow[]): Promise<readonly ReviewItem[]> {
  const names = await tx.query(sql<{ id: string; name: string | null }>`
    select id, coalesce(display_name, email) as name from iam_user where id = any(${rows.map(({ user_id }) => user_id)}::uuid[])`)
  return rows.map(({ tenant_id: _tenant, review_id: _review, role_id, key_id, grant_name, ...row }) => ({
    ...row,
    subject: {
      type: key_id === null ? ('user' as const) : ('api_key' as const),
      id: key_id ?? row.user_id,
      name: names.find(({ id }) => id === row.user_id)?.name ?? null,
    },
    grant: { role_id, api_key_id: key_id, name: grant_name },
  }))
}
