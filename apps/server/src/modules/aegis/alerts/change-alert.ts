/**
 * Triage of an alert: moves, assignment, comments, severity and suppression. Promises that every change is in the timeline
 * and told in an event. Tested in alerts.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../errors/errors.ts'
import { addSuppression } from '../rules/suppressions/suppressions.ts'
import { alertEvent, alertUpdated } from './declared/events.ts'
import type { Alert, AlertRow, NewSuppression, PatchAlert } from './declared/schema.ts'
import { alertResource } from './declared/tables.ts'
import { type AlertStatus, movesOf } from './declared/words.ts'
import { dueTimes, nextDue } from './sla.ts'
import { note } from './timeline.ts'
import { alertView } from './view.ts'

export interface AlertServices {
  readonly knownPrincipals: IamApi['knownPrincipals']
}

export interface AlertChange extends AlertServices {
  readonly kernel: Kernel
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchAlert
}

/** @throws API-013, API-012, API-001, AEGIS-002, AEGIS-019 */
export async function changeAlert(tx: Tx, request: AlertChange): Promise<Versioned<Alert>> {
  const { kernel, actor, input, ...asked } = request
  const held = await hold(tx, alertResource, asked)
  const before = held.row
  const to = input.suppress === undefined ? input.status : 'suppressed'
  refuse(before, input, to)
  await refuseUnknownAssignee(tx, request)
  const suppression =
    input.suppress === undefined
      ? {}
      : await suppressed(kernel, tx, before, { by: actor.userId, input: input.suppress })
  const changes = { ...plainChanges(input), ...moveChanges(kernel.clock.iso(), before, to, input), ...suppression }
  const row = await change(kernel, tx, held, {
    action: 'aegis.alert.update',
    changes: { ...changes, ...clockChanges({ ...before, ...changes }, input) },
    before: entryOf(before),
    after: entryOf,
    ...(input.comment === undefined ? {} : { reason: input.comment }),
  })
  if (input.resolution !== undefined) await labelAnomalies(kernel, tx, row)
  await noteChanges(kernel, tx, { before, row, by: actor.userId, comment: input.comment ?? null })
  await tx.emit(alertUpdated, row.id, alertEvent(row))
  return new Versioned(await alertView(tx, row), row.version)
}

/** The resolution of an alert labels the anomalies that it came from, so that baselines leave attacks out. */
async function labelAnomalies({ clock }: Kernel, tx: Tx, { id, resolution }: AlertRow): Promise<void> {
  const label =
    resolution === 'true_positive' ? 'true_positive' : resolution === 'false_positive' ? 'false_positive' : null
  await tx.execute(sql`
    update aegis_anomaly set label = ${label}, labeled_at = ${label === null ? null : clock.iso()}
    where alert_id = ${id}`)
}

const entryOf = ({ status, severity, resolution, assignee_user_id, suppressed_by }: AlertRow) => ({
  ...{ status, severity, resolution, assignee_user_id, suppressed_by },
})

/** @throws API-001, AEGIS-002, AEGIS-019 */
function refuse({ status }: AlertRow, input: PatchAlert, to: AlertStatus | undefined): void {
  if (input.suppress !== undefined && input.status !== undefined && input.status !== 'suppressed')
    throw invalid('A suppressed alert has no other status.', '/status')
  if (input.status === 'suppressed' && input.suppress === undefined)
    throw invalid('To suppress an alert, say why and until when.', '/suppress')
  if (to !== undefined && to !== status && !movesOf(status).includes(to))
    throw errors.illegalMove({ what: 'alert', status, to })
  if (to === 'resolved' && status !== 'resolved' && (input.resolution === undefined || input.comment === undefined))
    throw errors.resolutionMissing()
  if (input.resolution !== undefined && to !== 'resolved' && status !== 'resolved')
    throw invalid('Only a resolved alert has a resolution.', '/resolution')
}

const invalid = (detail: string, pointer: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])

async function refuseUnknownAssignee(tx: Tx, { input, knownPrincipals }: AlertChange): Promise<void> {
  const { assignee_user_id: id } = input
  if (id === undefined || id === null) return
  const known = await knownPrincipals(tx, { users: [id], keys: [] })
  if (!known.has(id)) throw invalid('There is no such user in this tenant.', '/assignee_user_id')
}

/** New values of columns; columns not named keep their values. */
type AlertChanges = Partial<Omit<AlertRow, 'id' | 'tenant_id' | 'version' | 'created_at' | 'updated_at'>>

function plainChanges({ assignee_user_id, severity, resolution }: PatchAlert): AlertChanges {
  return {
    ...(assignee_user_id === undefined ? {} : { assignee_user_id }),
    ...(severity === undefined ? {} : { severity }),
    ...(resolution === undefined ? {} : { resolution }),
  }
}

/** Timers stand still while an alert is resolved, and go on where it is worked on again. */
function moveChanges(now: string, before: AlertRow, to: AlertStatus | undefined, input: PatchAlert): AlertChanges {
  if (to === undefined || to === before.status) return {}
  const acknowledged_at = before.acknowledged_at ?? now
  switch (to) {
    case 'resolved':
      return { status: to, acknowledged_at, resolved_at: now, resolution: input.resolution ?? before.resolution }
    case 'closed':
      return { status: to, closed_at: now }
    case 'in_progress': {
      const paused = before.resolved_at === null ? 0 : Date.parse(now) - Date.parse(before.resolved_at)
      return {
        ...{ status: to, acknowledged_at, resolved_at: null, closed_at: null, resolution: null },
        paused_ms: before.paused_ms + Math.max(0, paused),
      }
    }
    default:
      return { status: to, acknowledged_at }
  }
}

/** Due times by severity and pause, and when time alone changes the alert next. */
function clockChanges(row: AlertRow, { severity }: PatchAlert): AlertChanges {
  const due = dueTimes(row.severity, row.created_at, row.paused_ms)
  const isMoved = severity !== undefined || due.resolve_due !== row.resolve_due
  const times = isMoved ? due : { ack_due: row.ack_due, resolve_due: row.resolve_due }
  return { ...times, due_at: nextDue({ ...row, ...times }) }
}

interface Suppressing {
  readonly by: string
  readonly input: NewSuppression
}

async function suppressed(kernel: Kernel, tx: Tx, row: AlertRow, { by, input }: Suppressing): Promise<AlertChanges> {
  const match = input.match ?? row.group_by
  if (Object.keys(match).length === 0)
    throw invalid('The rule has no group, so the suppression needs a match.', '/suppress/match')
  const { id } = await addSuppression(kernel, tx, {
    ruleId: row.rule_id,
    by,
    input: { ...input, match },
    pointer: '/suppress/expires_at',
  })
  return { suppressed_by: id, suppressed_until: input.expires_at }
}

interface Noted {
  readonly before: AlertRow
  readonly row: AlertRow
  readonly by: string
  readonly comment: string | null
}

async function noteChanges(kernel: Kernel, tx: Tx, { before, row, by, comment }: Noted): Promise<void> {
  const moved = [
    ...(row.status === before.status
      ? []
      : ([{ kind: 'status', from_value: before.status, to_value: row.status }] as const)),
    ...(row.assignee_user_id === before.assignee_user_id
      ? []
      : ([{ kind: 'assignee', from_value: before.assignee_user_id, to_value: row.assignee_user_id }] as const)),
    ...(row.severity === before.severity
      ? []
      : ([{ kind: 'severity', from_value: before.severity, to_value: row.severity }] as const)),
  ]
  const [first, ...rest] = moved
  if (first === undefined) {
    if (comment !== null) await note(kernel, tx, row.id, { kind: 'comment', by, comment })
    return
  }
  await note(kernel, tx, row.id, { ...first, by, comment })
  for (const item of rest) await note(kernel, tx, row.id, { ...item, by })
}
