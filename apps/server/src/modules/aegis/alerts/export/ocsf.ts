/**
 * An alert as an event of the Open Cybersecurity Schema Framework, class Detection Finding (2004). Promises the members
 * that the class requires, in the version that `metadata.version` names; facts without a place in the class are in
 * `unmapped`.
 * Tested in forms.test.ts.
 */
import { version as productVersion } from '../../../../version.ts'
import type { AlertRow, Entity } from '../declared/schema.ts'
import type { AlertStatus, Severity } from '../declared/words.ts'

/** Of the schema. A newer one is taken on purpose, because consumers choose their parser by it. */
export const ocsfVersion = '1.9.0'

const findings = 2
const detectionFinding = 2004

const severityIds: Readonly<Record<Severity, readonly [id: number, caption: string]>> = {
  critical: [5, 'Critical'],
  high: [4, 'High'],
  medium: [3, 'Medium'],
  low: [2, 'Low'],
  info: [1, 'Informational'],
}

const statusIds: Readonly<Record<AlertStatus, readonly [id: number, caption: string]>> = {
  new: [1, 'New'],
  triaged: [2, 'In Progress'],
  in_progress: [2, 'In Progress'],
  suppressed: [3, 'Suppressed'],
  resolved: [4, 'Resolved'],
  closed: [4, 'Resolved'],
}

export function ocsfFinding(alert: AlertRow): Readonly<Record<string, unknown>> {
  const [activityId, activity] = activityOf(alert)
  const [severityId, severity] = severityIds[alert.severity]
  const [statusId, status] = statusIds[alert.status]
  return {
    category_uid: findings,
    category_name: 'Findings',
    class_uid: detectionFinding,
    class_name: 'Detection Finding',
    activity_id: activityId,
    activity_name: activity,
    type_uid: detectionFinding * 100 + activityId,
    type_name: `Detection Finding: ${activity}`,
    severity_id: severityId,
    severity,
    status_id: statusId,
    status,
    ...(alert.resolution === null ? {} : { status_detail: alert.resolution }),
    // The end of an alert is no signal to be alerted about again.
    is_alert: activityId !== closing[0],
    count: alert.count,
    time: Date.parse(alert.created_at),
    start_time: Date.parse(alert.first_seen),
    end_time: Date.parse(alert.last_seen),
    metadata: metadataOf(alert),
    finding_info: findingInfo(alert),
    observables: alert.entities.map(observable),
    resources: alert.entities.map(({ type, id, name }) => ({ type, uid: id, ...(name === null ? {} : { name }) })),
    unmapped: {
      status: alert.status,
      group_by: alert.group_by,
      request_ids: alert.request_ids,
      evidence: alert.evidence,
      tags: alert.tags,
      sla: { ack_due: alert.ack_due, resolve_due: alert.resolve_due, breached: alert.breached },
      assignee_user_id: alert.assignee_user_id,
    },
  }
}

function metadataOf(alert: AlertRow) {
  return {
    version: ocsfVersion,
    product: { name: 'Parapet', vendor_name: 'Parapet', version: productVersion, feature: { name: 'aegis' } },
    uid: `${alert.id}.${alert.version}`,
    tenant_uid: alert.tenant_id,
    ...(alert.request_ids[0] === undefined ? {} : { correlation_uid: alert.request_ids[0] }),
    log_name: 'aegis_alert',
    logged_time: Date.parse(alert.updated_at),
  }
}

const closing = [3, 'Close'] as const

function activityOf({ status, version }: AlertRow): readonly [id: number, caption: string] {
  if (status === 'closed' || status === 'resolved') return closing
  return version === 1 ? [1, 'Create'] : [2, 'Update']
}

/** An analytic of type 1 is a rule. */
function findingInfo(alert: AlertRow) {
  const attacks = alert.tags.filter((tag) => tag.startsWith('AML.')).map((uid) => ({ technique: { uid } }))
  return {
    uid: alert.id,
    title: alert.title,
    created_time: Date.parse(alert.created_at),
    modified_time: Date.parse(alert.updated_at),
    first_seen_time: Date.parse(alert.first_seen),
    last_seen_time: Date.parse(alert.last_seen),
    analytic: { uid: alert.rule_id, type_id: 1, type: 'Rule', version: String(alert.rule_version) },
    types: alert.tags,
    ...(attacks.length === 0 ? {} : { attacks }),
  }
}

/** Type 10 is the id of a resource, in the schema's list of observables. */
const observable = ({ id }: Entity, at: number) => ({
  name: `resources[${at}].uid`,
  type_id: 10,
  type: 'Resource UID',
  value: id,
})
