import { defineEvent } from '../../../../kernel/events/catalogue/catalogue.ts'
import { AlertEventData, type AlertRow } from './schema.ts'

export const alertCreated = defineEvent({
  channel: 'aegis.alert.created',
  type: 'AlertCreated',
  summary: 'A detection rule opened an alert.',
  schema: AlertEventData,
  retentionDays: 90,
})

export const alertUpdated = defineEvent({
  channel: 'aegis.alert.updated',
  type: 'AlertUpdated',
  summary: 'An alert was hit again, moved, assigned, graded anew, or has missed a time of its SLA.',
  schema: AlertEventData,
  retentionDays: 90,
})

export const alertEvents = [alertCreated, alertUpdated]

export function alertEvent(row: AlertRow): AlertEventData {
  return {
    alert_id: row.id,
    title: row.title,
    rule_id: row.rule_id,
    severity: row.severity,
    status: row.status,
    fingerprint: row.fingerprint,
    count: row.count,
    entities: row.entities,
    tags: row.tags,
    sla: slaOf(row),
    request_ids: row.request_ids,
  }
}

export const slaOf = ({ ack_due, resolve_due, breached }: AlertRow) => ({ ack_due, resolve_due, breached })
