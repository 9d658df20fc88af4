/** Alerts as they are shown. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { slaOf } from './declared/events.ts'
import type { Alert, AlertRow, ListedAlert, TimelineRow } from './declared/schema.ts'
import { timelineOf } from './timeline.ts'

const mostRelated = 20

export async function alertView(tx: Tx, row: AlertRow): Promise<Alert> {
  const [timeline, related] = [await timelineOf(tx, row.id), await relatedTo(tx, row)]
  return {
    ...told(row),
    evidence: row.evidence,
    group_by: row.group_by,
    timeline: timeline.map(item),
    related: [...related],
  }
}

export function listedAlert(row: AlertRow): ListedAlert {
  return told(row)
}

function told(row: AlertRow): ListedAlert {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    rule_id: row.rule_id,
    rule_version: row.rule_version,
    title: row.title,
    severity: row.severity,
    status: row.status,
    resolution: row.resolution,
    fingerprint: row.fingerprint,
    count: row.count,
    first_seen: row.first_seen,
    last_seen: row.last_seen,
    entities: row.entities,
    tags: row.tags,
    request_ids: row.request_ids,
    assignee_user_id: row.assignee_user_id,
    suppressed_by: row.suppressed_by,
    acknowledged_at: row.acknowledged_at,
    resolved_at: row.resolved_at,
    closed_at: row.closed_at,
    sla: slaOf(row),
  }
}

const item = ({ at, by, kind, from_value, to_value, comment }: TimelineRow): Alert['timeline'][number] => ({
  ...{ at, by, kind, comment },
  from: from_value,
  to: to_value,
})

type Related = Alert['related'][number]

function relatedTo(tx: Tx, { id, entity_keys: keys }: AlertRow): Promise<readonly Related[]> {
  return tx.query(sql<Related>`
    select id, title, severity, status, last_seen from aegis_alert
    where entity_keys && ${keys}::text[] and id <> ${id}
    order by last_seen desc, id desc limit ${mostRelated}`)
}
