import { table } from '../../../../kernel/db/table.ts'
import { resource } from '../../../../kernel/resource/resource.ts'
import { AlertRow, TimelineRow } from './schema.ts'

export const alerts = table({
  name: 'aegis_alert',
  noun: 'alert',
  row: AlertRow,
  sorts: ['created_at', 'last_seen', 'updated_at'],
  dueBy: ['due_at'],
  data: { category: 'security', subject: ['assignee_user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const alertResource = resource({ table: alerts, kind: 'alert' })

/** Everything that was done with an alert. */
export const alertTimeline = table({
  name: 'aegis_alert_timeline',
  noun: 'timeline item',
  row: TimelineRow,
  appendOnly: true,
  data: { category: 'security', subject: ['by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
