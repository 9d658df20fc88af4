/**
 * A workflow is made, and changed by its next version: a POST with its key. Runs keep the version that they began with.
 * Tested in workflows.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds, isPermission } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, create, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import { armSchedule, disarmSchedule } from '../../../kernel/schedules/schedules.ts'
import { nextRuns } from '../../../kernel/schedules/timetable.ts'
import { subscribe } from '../declared/subscribe.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { faultsOf, unneeded } from './check.ts'
import type { MadeWorkflow, NewWorkflow, WorkflowRow } from './declared/schema.ts'
import { workflows, workflowVersions } from './declared/tables.ts'
import { scheduleJobKind } from './triggers.ts'
import { statsOf, workflowView } from './view.ts'

export const workflowResource = resource({
  table: workflows,
  kind: 'platform_workflow',
  unique: { platform_workflow_key: () => errors.versionDiffers({ kind: 'workflow', version: 1 }) },
})

export interface Saving {
  readonly actor: Actor
  readonly input: NewWorkflow
}

/** @throws API-001, PLAT-007, PLAT-011, PLAT-012, PLAT-013 */
export async function saveWorkflow(services: PlatformServices, tx: Tx, saving: Saving): Promise<MadeWorkflow> {
  const { kernel, iam } = services
  const { actor, input } = saving
  const before = await tx.first(sql<WorkflowRow>`
    select ${workflows.columns} from platform_workflow where key = ${input.key} for update`)
  if (input.expected_version !== undefined && input.expected_version !== (before?.version ?? 0))
    throw errors.versionDiffers({ kind: 'workflow', version: before?.version ?? 0 })
  const merged = merge(input, before)
  if (merged.status !== 'archived') refuseWrong(merged, actor)
  const row = await store(kernel, tx, { before, merged, actor })
  await workflowVersions.insert(tx, versionOf(kernel, tx, row))
  const isOn = row.status === 'enabled'
  const { trigger } = row.definition
  await subscribe(kernel, tx, {
    ...{ owner: 'workflow', ownerId: row.id },
    patterns: isOn && trigger.type === 'event' ? (trigger.channels ?? []) : [],
  })
  const nextAt = await schedule(kernel, tx, { row, timeZone: trigger.time_zone ?? (await iam.timeZone(tx)) })
  const stats = (await statsOf(tx, kernel.clock.now(), [row.id])).get(row.id)
  const spare = unneeded(row.definition, row.declared_permissions)
  return {
    ...workflowView(row, { stats, nextAt }),
    warnings: spare.map((permission) => `${permission} is declared and no step takes it.`),
  }
}

type Merged = Pick<WorkflowRow, 'key' | 'name' | 'status' | 'definition' | 'declared_permissions'>

/** @throws API-001 for a new one without name or definition */
function merge(input: NewWorkflow, before: WorkflowRow | null): Merged {
  const name = input.name ?? before?.name
  const definition = input.definition ?? before?.definition
  if (name === undefined || definition === undefined)
    throw apiErrors
      .validation({ what: 'There is no workflow of this key yet: a new one needs `name` and `definition`.' })
      .at([{ detail: 'This field is required.', pointer: name === undefined ? '/name' : '/definition' }])
  return {
    ...{ key: input.key, name, definition, status: input.status ?? before?.status ?? 'enabled' },
    declared_permissions: [...(input.declared_permissions ?? before?.declared_permissions ?? [])],
  }
}

/** @throws PLAT-012, PLAT-013 for a permission that the author does not hold */
function refuseWrong({ definition, declared_permissions: declared }: Merged, { permissions }: Actor): void {
  const unknown = declared.findIndex((permission) => !isPermission(permission))
  const faults =
    unknown < 0
      ? faultsOf(definition, declared)
      : [{ detail: 'There is no such permission.', pointer: `/declared_permissions/${unknown}` }]
  if (faults.length > 0)
    throw errors
      .definitionInvalid({ what: `The definition is not valid: ${faults[0]?.detail}`.slice(0, 500) })
      .at([...faults])
  const lacking = declared.filter(isPermission).find((permission) => !holds(permissions, permission))
  if (lacking !== undefined)
    throw errors
      .permissionMissing({ permission: lacking })
      .at([{ detail: 'is more than you hold', pointer: '/declared_permissions' }])
}

interface Storing {
  readonly before: WorkflowRow | null
  readonly merged: Merged
  readonly actor: Actor
}

/** The author of a version owns it: its runs act with the author's rights. */
async function store(kernel: Kernel, tx: Tx, { before, merged, actor }: Storing): Promise<WorkflowRow> {
  const stored = { ...merged, owner_id: actor.userId }
  if (before === null) {
    const row = { ...newRow(kernel, tx), ...stored }
    await create(tx, workflowResource, row, { action: 'platform.workflow.create' })
    return row
  }
  const held = await hold(tx, workflowResource, { id: before.id, precondition: anyVersion })
  return change(kernel, tx, held, { action: 'platform.workflow.create', changes: stored })
}

function versionOf({ clock, random }: Kernel, tx: Tx, row: WorkflowRow) {
  const { id, version, name, status, definition, declared_permissions, owner_id } = row
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso(), workflow_id: id, number: version },
    ...{ name, status, definition, declared_permissions, created_by: owner_id },
  }
}

interface Scheduling {
  readonly row: WorkflowRow
  readonly timeZone: string
}

/** @returns the next run. @throws PLAT-007 with the reason and an example with its next runs */
async function schedule(kernel: Kernel, tx: Tx, { row, timeZone }: Scheduling): Promise<string | null> {
  const { trigger } = row.definition
  const place = { owner: 'platform', key: `workflow/${row.id}` } as const
  if (trigger.type !== 'schedule' || row.status !== 'enabled') {
    await disarmSchedule(tx, place)
    return null
  }
  try {
    return await armSchedule(kernel, tx, {
      ...{ ...place, kind: scheduleJobKind, payload: { workflow_id: row.id } },
      timing: { cron: trigger.cron ?? '', timeZone },
      missedRuns: trigger.missed_runs ?? 'run_once',
      pointers: { cron: '/definition/trigger/cron', timeZone: '/definition/trigger/time_zone' },
    })
  } catch (error) {
    throw error instanceof ProblemError ? cronRefusal(kernel, error) : error
  }
}

const example = '0 8 * * 1-5'

export function cronRefusal({ clock }: Pick<Kernel, 'clock'>, error: ProblemError): ProblemError {
  if (error.code !== apiErrors.badCron.code && error.code !== apiErrors.badTimeZone.code) return error
  const next = nextRuns({ cron: example, timeZone: 'UTC' }, clock.now(), 5).map((ms) => new Date(ms).toISOString())
  return errors
    .cronInvalid({ what: `${error.message} For example ${example} runs at ${next.join(', ')}.` })
    .at(error.parts)
}
