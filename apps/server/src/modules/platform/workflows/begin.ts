/** A run that a person begins, or tries without effects. Tested in workflows.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { eventById } from '../../../kernel/events/log.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { Trigger } from './declared/definition.ts'
import type { NewRun, Run, WorkflowRow, WorkflowVersionRow } from './declared/schema.ts'
import { workflows, workflowVersions } from './declared/tables.ts'
import { rehearse } from './dry-run.ts'
import { openRun } from './journal.ts'
import { startRun } from './start.ts'
import { runView } from './view.ts'

/** Runs of one workflow that have not ended. */
const mostOpen = 100

export interface Begin {
  readonly actor: Actor
  readonly workflowId: string
  readonly input: NewRun
}

/** @throws API-013, PLAT-010, PLAT-014 */
export async function beginRun(services: PlatformServices, tx: Tx, begin: Begin): Promise<Run> {
  const { kernel } = services
  const { actor, workflowId, input } = begin
  const workflow = await workflows.need(tx, workflowId)
  const version = await versionOf(tx, workflow, input.version)
  const dryRun = input.dry_run ?? false
  if (!dryRun) await refuseBusy(tx, workflow)
  const event = await eventOf(services, tx, input)
  refuseInput(version.definition.trigger, input)
  const row = await startRun(kernel, tx, {
    ...{ workflow: { id: workflow.id, owner_id: version.created_by }, number: version.number, dryRun },
    ...{ definition: version.definition, event, input: input.input ?? {}, depth: 1 },
    trigger: { type: 'manual', event_id: input.event_id ?? null, channel: null, scheduled_at: null },
    ...{ requestedBy: actor.userId, triggerKey: null },
  })
  if (row === null) throw new Error('a run of its own has another')
  if (dryRun) await rehearse(services, tx, row.id)
  await tx.audit('platform.run.create', {
    target: `platform_run:${row.id}`,
    after: { workflow_id: workflow.id, version: version.number, dry_run: dryRun },
  })
  const opened = await openRun(tx, row.id)
  return runView(opened?.run ?? row, [...(opened?.steps.values() ?? [])])
}

/** @throws PLAT-014 */
async function versionOf(tx: Tx, workflow: WorkflowRow, number = workflow.version): Promise<WorkflowVersionRow> {
  const version = await tx.first(sql<WorkflowVersionRow>`
    select ${workflowVersions.columns} from platform_workflow_version
    where workflow_id = ${workflow.id} and number = ${number}`)
  if (version !== null) return version
  throw errors
    .notRunnable({ what: `The workflow has no version ${number}. Leave it out for the newest.` })
    .at([{ detail: 'There is no such version.', pointer: '/version' }])
}

/** @throws PLAT-014 */
async function refuseBusy(tx: Tx, { id, status }: WorkflowRow): Promise<void> {
  if (status !== 'enabled') throw errors.notRunnable({ what: `The workflow is ${status}. Enable it first.` })
  const open = await tx.first(sql<{ count: number }>`
    select count(*)::int as count from platform_run
    where workflow_id = ${id} and status in ('queued', 'running', 'waiting')`)
  if ((open?.count ?? 0) >= mostOpen)
    throw errors.notRunnable({ what: `${mostOpen} runs of the workflow have not ended. Cancel some, or wait.` })
}

/** @throws PLAT-010 for an event that is not kept, or two of them */
async function eventOf({ kernel }: PlatformServices, tx: Tx, { event, event_id: id }: NewRun): Promise<unknown> {
  const wrong = (what: string, pointer: string) => errors.inputInvalid({ what }).at([{ detail: what, pointer }])
  if (event !== undefined && id !== undefined) throw wrong('Send `event` or `event_id`, not both.', '/event')
  if (event !== undefined)
    return {
      ...{ id: kernel.random.uuid(), type: 'Sample', time: kernel.clock.iso(), channel: event.channel },
      ...{ subject: event.subject ?? 'sample', data: event.data },
    }
  if (id === undefined) return null
  const found = await tx.first(eventById({ tenantId: tx.tenantId, id }))
  if (found === null) throw wrong('There is no such event, or it is no longer kept.', '/event_id')
  const { channel, type, subject, time, data } = found
  return { id, channel, type, subject, time, data }
}

/** @throws PLAT-010 */
function refuseInput({ input: fields = [] }: Trigger, { input = {} }: NewRun): void {
  const known = new Set(fields.map(({ name }) => name))
  const parts = [
    ...Object.keys(input).flatMap((name) =>
      known.has(name) ? [] : [{ detail: 'The workflow has no such input.', pointer: `/input/${name}` }],
    ),
    ...fields.flatMap(({ name, type, required = false }) => {
      const value = input[name]
      if (value === undefined) return required ? [{ detail: 'This field is required.', pointer: `/input/${name}` }] : []
      return typeof value === type ? [] : [{ detail: `This must be a ${type}.`, pointer: `/input/${name}` }]
    }),
  ]
  if (parts.length > 0)
    throw errors.inputInvalid({ what: 'The input does not have the form that the workflow declares.' }).at(parts)
}
