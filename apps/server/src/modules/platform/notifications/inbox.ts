/**
 * A person's own inbox: listed, marked, put off. A notification that the person may no longer read is not shown, even if
 * the person could read it when it was raised. A copy that was put off is unread again when its time has come, by reading
 * alone. Tested in inbox.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds, moduleNames } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Counts, InboxFilter, InboxItem, InboxRow, NotificationRow, Status } from './schema.ts'
import { inbox, notifications } from './tables.ts'

type Reader = Pick<Actor, 'userId' | 'permissions'>

export interface InboxList {
  readonly actor: Reader
  readonly page: PageRequest
  readonly filter: InboxFilter
  /** ISO 8601. */
  readonly now: string
}

export async function listInbox(tx: Tx, { actor, page, filter, now }: InboxList): Promise<Page<InboxItem>> {
  const { q, status, severity, category, resource } = filter
  const of = [
    ...(severity === undefined ? [] : [sql`told.severity = ${severity}`]),
    ...(category === undefined ? [] : [sql`told.category = ${category}`]),
    ...(resource === undefined ? [] : [sql`told.resource ->> 'id' = ${resource}`]),
    ...(q === undefined
      ? []
      : [sql`(lower(told.title) like ${likePrefix(q)} or lower(told.title) like ${`% ${likePrefix(q)}`})`]),
  ]
  const where = [
    own(actor, now),
    ...(status === undefined ? [sql`status <> 'archived'`] : [isNow(status, now)]),
    ...(of.length === 0
      ? []
      : [
          sql`exists (select from platform_notification told where told.id = platform_inbox.id and ${join(of, ' and ')})`,
        ]),
  ]
  const found = await inbox.page(tx, page, join(where, ' and '))
  return { ...found, items: await itemsOf(tx, found.items, now) }
}

/** The caller's copies that the caller may read and that have not expired. */
function own({ userId, permissions }: Reader, now: string): SqlPart {
  const readable = moduleNames.filter((name) => holds(permissions, `${name}:read`))
  return sql`user_id = ${userId} and exists (
    select from platform_notification shown where shown.id = platform_inbox.id
      and (shown.expires_at is null or shown.expires_at > ${now})
      and (shown.resource is null or shown.resource ->> 'module' = any(${readable}::text[])))`
}

function isNow(status: Status, now: string): SqlPart {
  if (status === 'unread') return sql`(status = 'unread' or (status = 'snoozed' and snoozed_until <= ${now}))`
  return status === 'snoozed' ? sql`(status = 'snoozed' and snoozed_until > ${now})` : sql`status = ${status}`
}

async function itemsOf(tx: Tx, rows: readonly InboxRow[], now: string): Promise<readonly InboxItem[]> {
  if (rows.length === 0) return []
  const told = await tx.query(sql<NotificationRow>`
    select ${notifications.columns} from platform_notification where id = any(${rows.map(({ id }) => id)}::uuid[])`)
  const byId = new Map(told.map((row) => [row.id, row]))
  return rows.flatMap((copy) => {
    const row = byId.get(copy.id)
    if (row === undefined) return []
    const { dedup_key: _key, ...shown } = row
    const isBack = copy.status === 'snoozed' && (copy.snoozed_until ?? '') <= now
    return [
      {
        ...shown,
        ...{ raised_at: copy.raised_at, status: isBack ? ('unread' as const) : copy.status },
        snoozed_until: isBack ? null : copy.snoozed_until,
      },
    ]
  })
}

export async function countUnread(
  tx: Tx,
  { actor, now }: { readonly actor: Reader; readonly now: string },
): Promise<Counts> {
  const row = await tx.first(sql<Counts>`
    select count(*)::int as total, (count(*) filter (where counted.severity = 'critical'))::int as critical,
      (count(*) filter (where counted.severity = 'high'))::int as high
    from platform_inbox
    join platform_notification counted on counted.id = platform_inbox.id
    where ${own(actor, now)} and ${isNow('unread', now)}`)
  return row ?? { total: 0, critical: 0, high: 0 }
}
