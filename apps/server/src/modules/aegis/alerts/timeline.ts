import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { TimelineRow } from './declared/schema.ts'
import { alertTimeline } from './declared/tables.ts'

type Item = Pick<TimelineRow, 'kind'> & Partial<Pick<TimelineRow, 'at' | 'by' | 'from_value' | 'to_value' | 'comment'>>

/** Adds to the timeline of an alert; `at` is now and the rest null where nothing is said. */
export async function note(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  alertId: string,
  item: Item,
): Promise<void> {
  await alertTimeline.insert(tx, {
    tenant_id: tx.tenantId,
    id: random.uuid(),
    alert_id: alertId,
    at: item.at ?? clock.iso(),
    by: item.by ?? null,
    kind: item.kind,
    from_value: item.from_value ?? null,
    to_value: item.to_value ?? null,
    comment: item.comment ?? null,
  })
}

/** The newest items of an alert, oldest first. */
export async function timelineOf(tx: Tx, alertId: string): Promise<readonly TimelineRow[]> {
  const rows = await tx.query(sql<TimelineRow>`
    select ${alertTimeline.columns} from aegis_alert_timeline where alert_id = ${alertId}
    order by at desc, id desc limit 500`)
  return rows.toReversed()
}
