/** A run begins: by an event, a schedule or a person. One for each event and each time. Tested in engine.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Definition } from './declared/definition.ts'
import type { RunRow, WorkflowRow } from './declared/schema.ts'
import { runSteps, runs } from './declared/tables.ts'
import { plannedSteps } from './journal.ts'
import { askForQueue } from './run-job.ts'

/** Events that led to a run; a chain of workflows that is longer ends. */
export const mostDepth = 8

export interface Start {
  readonly workflow: Pick<WorkflowRow, 'id' | 'owner_id'>
  readonly number: number
  readonly definition: Definition
  readonly trigger: RunRow['trigger']
  readonly event: unknown
  readonly input: unknown
  readonly depth: number
  readonly requestedBy: string | null
  /** Null for a run of its own. */
  readonly triggerKey: string | null
  readonly dryRun?: boolean
}

/** Stores a run with its steps and asks for its first turn; null where the trigger has its run already. */
export async function startRun(kernel: Pick<Kernel, 'clock' | 'random'>, tx: Tx, start: Start): Promise<RunRow | null> {
  const row = newRun(kernel, tx, start)
  const steps = plannedSteps(kernel, tx, { runId: row.id, definition: start.definition })
  const planned = await tx.execute(sql`
    with made as (
      ${insertRows(runs, [row])} on conflict (tenant_id, workflow_id, trigger_key) do nothing returning id)
    ${insertRows(runSteps, steps)} where exists (select from made)`)
  if (planned === 0) return null
  if (!row.dry_run) await askForQueue(tx)
  return row
}

function newRun({ clock, random }: Pick<Kernel, 'clock' | 'random'>, tx: Tx, start: Start): RunRow {
  const at = clock.iso()
  const id = random.uuid()
  return {
    ...{ id, tenant_id: tx.tenantId, version: 1, created_at: at, updated_at: at },
    ...{ workflow_id: start.workflow.id, workflow_version: start.number, trigger: start.trigger },
    ...{ dry_run: start.dryRun ?? false, status: 'queued', depth: start.depth, owner_id: start.workflow.owner_id },
    ...{ requested_by: start.requestedBy, started_at: null, ended_at: null, trigger_key: start.triggerKey ?? id },
    ...{ event: start.event ?? null, input: start.input ?? {}, traceparent: tx.origin.traceparent },
    ...{ lease_job: null, lease_until: null },
  }
}
