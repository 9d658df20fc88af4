/**
 * Time-driven changes of alerts: an SLA breach is recorded, a resolved alert is closed after a week, and a suppressed
 * one when its suppression ends. Tested in alerts.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import { type Held, holdAll, write } from '../../../kernel/resource/resource.ts'
import { alertEvent, alertUpdated } from './declared/events.ts'
import type { AlertRow } from './declared/schema.ts'
import { alertResource } from './declared/tables.ts'
import { breachesBy, nextDue } from './sla.ts'
import { note } from './timeline.ts'

/** At most so many in one transaction; the rest is due again with the next run. */
const batch = 200

export const alertUpkeep: JobDeclaration<unknown> = {
  kind: 'aegis.alert.upkeep',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 30_000,
  due: ({ now }: DueAt) => sql`exists (
    select from aegis_alert held where held.tenant_id = tenant.id and held.due_at <= ${now})`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => keepAlerts(kernel, tx)),
}

export async function keepAlerts(kernel: Kernel, tx: Tx): Promise<void> {
  const where = sql`due_at <= ${kernel.clock.iso()}`
  for (const held of await holdAll(tx, alertResource, { where, limit: batch })) await keep(kernel, tx, held)
}

async function keep(kernel: Kernel, tx: Tx, held: Held<AlertRow>): Promise<void> {
  const now = kernel.clock.iso()
  const breaches = breachesBy(held.row, now)
  const ends = held.row.status === 'resolved' || held.row.status === 'suppressed'
  const changes = {
    breached: [...held.row.breached, ...breaches.map(({ timer }) => timer)],
    ...(ends ? { status: 'closed' as const, closed_at: now } : {}),
  }
  const row = await write(kernel, tx, held, { ...changes, due_at: nextDue({ ...held.row, ...changes }) })
  for (const { timer, at } of breaches) await note(kernel, tx, row.id, { kind: 'sla_breached', at, to_value: timer })
  if (ends) await note(kernel, tx, row.id, { kind: 'status', from_value: held.row.status, to_value: 'closed' })
  await tx.emit(alertUpdated, row.id, alertEvent(row))
}
