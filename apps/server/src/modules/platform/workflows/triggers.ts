/**
 * Runs that begin by themselves. A tenant without workflows of an event costs nothing: the log is asked for events that
 * somebody wants. A workflow never answers to its own runs. Tested in triggers.test.ts.
 */
import { CelFault } from '../../../kernel/cel/program.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration, JobDeclaration } from '../../../kernel/module/module.ts'
import { scheduledRun } from '../../../kernel/schedules/schedules.ts'
import { variablesOf } from '../declared/event-variables.ts'
import { hears } from '../declared/patterns.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { readTriggerFilter } from './check.ts'
import type { WorkflowRow } from './declared/schema.ts'
import { workflows } from './declared/tables.ts'
import { mostDepth, startRun } from './start.ts'

export const eventTriggers: EventHandlerDeclaration<PlatformServices> = {
  name: 'platform.workflows',
  channels: ['*'],
  interest: () => sql`exists (
    select from platform_subscription wish
    where wish.tenant_id = event.tenant_id and wish.owner = 'workflow' and event.channel like wish.pattern)`,
  handle: startForEvents,
}

async function startForEvents({ tx, events, kernel }: EventBatch<PlatformServices>): Promise<void> {
  const enabled = await tx.query(sql<WorkflowRow>`
    select ${workflows.columns} from platform_workflow
    where status = 'enabled' and definition -> 'trigger' ->> 'type' = 'event' order by id`)
  for (const event of events)
    for (const workflow of enabled) if (starts(workflow, event)) await startForEvent(kernel, tx, { workflow, event })
}

function starts({ id, definition: { trigger } }: WorkflowRow, event: LoggedEvent): boolean {
  if (event.causationDepth >= mostDepth || event.data.workflow_id === id) return false
  if (!hears(trigger.channels ?? [], event.channel)) return false
  if (trigger.filter === undefined) return true
  const compiled = readTriggerFilter(trigger.filter)
  if (!compiled.ok) return false
  try {
    return compiled.condition.holds(variablesOf(event))
  } catch (error) {
    // A security action is never taken on a condition that cannot be decided.
    if (error instanceof CelFault) return false
    throw error
  }
}

interface Starting {
  readonly workflow: WorkflowRow
  readonly event: LoggedEvent
}

async function startForEvent(kernel: PlatformServices['kernel'], tx: Tx, { workflow, event }: Starting): Promise<void> {
  const { id, channel, type, subject, time, data, causationDepth } = event
  await startRun(kernel, tx, {
    ...{ workflow, number: workflow.version, definition: workflow.definition, input: {} },
    trigger: { type: 'event', event_id: id, channel, scheduled_at: null },
    ...{ event: { id, channel, type, subject, time, data }, depth: causationDepth + 1 },
    ...{ requestedBy: null, triggerKey: id },
  })
}

export const scheduleJobKind = 'platform.workflow_schedule'

export const scheduleJob: JobDeclaration<PlatformServices> = {
  kind: scheduleJobKind,
  maxAttempts: 8,
  leaseMs: 30_000,
  everyMs: null,
  run: async ({ tenantId, payload, kernel }) => {
    const due = scheduledRun(payload)
    if (due === null) return
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const workflow = await workflows.get(tx, String(payload.workflow_id))
      if (workflow === null || workflow.status !== 'enabled') return
      await startRun(kernel, tx, {
        ...{ workflow, number: workflow.version, definition: workflow.definition, input: {}, event: null, depth: 1 },
        trigger: { type: 'schedule', event_id: null, channel: null, scheduled_at: due.scheduled_at },
        ...{ requestedBy: null, triggerKey: due.scheduled_at },
      })
    })
  },
}
