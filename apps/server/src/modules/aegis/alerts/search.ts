/** The list of alerts. Tested in alerts.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { AlertFilter, ListedAlert } from './declared/schema.ts'
import { alerts } from './declared/tables.ts'
import { listedAlert } from './view.ts'

/** `since`: changed at this time or later. */
export type AlertSearch = AlertFilter & { readonly since?: string | undefined }

export async function listAlerts(
  tx: Tx,
  page: PageRequest,
  filter: AlertSearch,
): Promise<Page<Versioned<ListedAlert>>> {
  const found = await alerts.page(tx, page, conditionOf(filter))
  return { ...found, items: found.items.map((row) => new Versioned(listedAlert(row), row.version)) }
}

function conditionOf(filter: AlertSearch): SqlPart {
  const { status, severity, assignee_user_id: assignee, rule_id: rule, entity, tag, sla, from, to, q, since } = filter
  return join(
    [
      sql`true`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(severity === undefined ? [] : [sql`severity = ${severity}`]),
      ...(assignee === undefined ? [] : [sql`assignee_user_id = ${assignee}`]),
      ...(rule === undefined ? [] : [sql`rule_id = ${rule}`]),
      ...(entity === undefined ? [] : [aboutEntity(entity)]),
      ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
      ...(sla === undefined ? [] : [slaConditions[sla]]),
      ...(from === undefined ? [] : [sql`last_seen >= ${from}`]),
      ...(to === undefined ? [] : [sql`first_seen < ${to}`]),
      ...(since === undefined ? [] : [sql`updated_at >= ${since}`]),
      ...(q === undefined ? [] : [titledBy(q)]),
    ],
    ' and ',
  )
}

/** With its type the index answers; without it all alerts are looked at. */
const aboutEntity = (entity: string): SqlPart =>
  sql`(entity_keys @> array[${entity}] or entities @> ${JSON.stringify([{ id: entity }])}::jsonb)`

const titledBy = (q: string): SqlPart =>
  sql`(lower(title) like ${likePrefix(q)} or lower(title) like ${`% ${likePrefix(q)}`})`

const slaConditions = {
  breached: sql`breached <> '{}'`,
  pending: sql`breached = '{}' and status in ('new', 'triaged', 'in_progress') and resolve_due is not null`,
  met: sql`breached = '{}' and status in ('resolved', 'closed') and resolve_due is not null`,
} as const
