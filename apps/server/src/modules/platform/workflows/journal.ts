/** The journal of a run: its row and those of its steps, read under the lock of the run. */
import type { Tx } from '../../../kernel/db/port.ts'
import { recordset } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Definition } from './declared/definition.ts'
import type { RunFault, RunRow, RunStepRow, WorkflowVersionRow } from './declared/schema.ts'
import { runSteps, runs, workflowVersions } from './declared/tables.ts'
import type { Scope } from './expressions.ts'

export interface Opened {
  readonly run: RunRow
  readonly version: WorkflowVersionRow
  readonly key: string
  readonly steps: ReadonlyMap<string, RunStepRow>
}

type Version = WorkflowVersionRow & { readonly key: string }

const versionsOf = (ids: readonly string[]) => sql<Version>`
  select ${workflowVersions.columns},
    (select key from platform_workflow held where held.id = platform_workflow_version.workflow_id) as key
  from platform_workflow_version where (workflow_id, number) in (
    select of_run.workflow_id, of_run.workflow_version from platform_run of_run where of_run.id = any(${[...ids]}::uuid[]))`

/** Locks a run and reads all that its next step needs, in one message; null for one that does not exist. */
export async function openRun(tx: Tx, id: string): Promise<Opened | null> {
  const [run, version, steps] = await Promise.all([
    tx.first(sql<RunRow>`select ${runs.columns} from platform_run where id = ${id} for update`),
    tx.first(versionsOf([id])),
    stepsOf(tx, id),
  ])
  if (run === null) return null
  if (version === null) throw new Error('the run has no version of its workflow')
  return { run, version, key: version.key, steps }
}

/** The same for those of the runs that have not begun and that nobody else begins at this moment. */
export async function openQueued(tx: Tx, ids: readonly string[]): Promise<readonly Opened[]> {
  const [queued, versions, steps] = await Promise.all([
    tx.query(sql<RunRow>`
      select ${runs.columns} from platform_run where id = any(${[...ids]}::uuid[]) and status = 'queued'
      order by created_at, id for update skip locked`),
    tx.query(versionsOf(ids)),
    tx.query(sql<RunStepRow>`
      select ${runSteps.columns} from platform_run_step where run_id = any(${[...ids]}::uuid[]) order by position`),
  ])
  return queued.map((run) => {
    const version = versions.find((one) => one.workflow_id === run.workflow_id && one.number === run.workflow_version)
    if (version === undefined) throw new Error('the run has no version of its workflow')
    const own = steps.filter((step) => step.run_id === run.id)
    return { run, version, key: version.key, steps: new Map(own.map((step) => [step.step_id, step])) }
  })
}

export async function stepsOf(tx: Tx, runId: string): Promise<ReadonlyMap<string, RunStepRow>> {
  const rows = await tx.query(sql<RunStepRow>`
    select ${runSteps.columns} from platform_run_step where run_id = ${runId} order by position`)
  return new Map(rows.map((row) => [row.step_id, row]))
}

/** The rows of all steps, before any of them runs. */
export const plannedSteps = (
  { random }: Pick<Kernel, 'random'>,
  tx: Pick<Tx, 'tenantId'>,
  { runId, definition }: { readonly runId: string; readonly definition: Definition },
) =>
  definition.steps.map(({ id, type }, position) => ({
    ...{ id: random.uuid(), tenant_id: tx.tenantId, run_id: runId, position, step_id: id, type },
    ...{ status: 'pending' as const, attempts: 0, decisions: [] },
  }))

export function patchStep(tx: Tx, row: Pick<RunStepRow, 'id'>, changes: Partial<RunStepRow>): Promise<void> {
  return runSteps.patch(tx, row.id, changes)
}

/** Writes rows of the journal as they are now, in one statement. */
export async function writeSteps(tx: Tx, rows: readonly RunStepRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update platform_run_step step set status = now.status, attempts = now.attempts, input_hash = now.input_hash,
      error = now.error, waiting_until = now.waiting_until, started_at = now.started_at, ended_at = now.ended_at,
      output = now.output
    from ${recordset(runSteps, rows)} as now where step.id = now.id`)
}

/** Writes how runs are now, in one statement. */
export async function writeRuns(tx: Tx, rows: readonly RunRow[]): Promise<void> {
  if (rows.length === 0) return
  const states = rows.map(({ id, status, started_at, ended_at, updated_at, lease_job, lease_until }) => ({
    ...{ id, status, started_at, ended_at, updated_at, lease_job, lease_until },
  }))
  await tx.execute(sql`
    update platform_run run set version = run.version + 1, updated_at = now.updated_at,
      status = now.status, started_at = now.started_at, ended_at = now.ended_at, lease_job = now.lease_job, lease_until = now.lease_until
    from ${recordset(runs, states)} as now where run.id = now.id`)
}

export async function patchRun(tx: Tx, kernel: Kernel, run: RunRow, changes: Partial<RunRow>): Promise<RunRow> {
  const version = await runs.patchVersion(tx, run.id, { ...changes, updated_at: kernel.clock.iso() })
  return { ...run, ...changes, version }
}

/** Values that expressions of a step may read. */
export function scopeIn({ run, key, steps }: Opened): Scope {
  return {
    event: run.event,
    input: run.input,
    steps: Object.fromEntries(
      [...steps.values()].map(({ step_id: id, status, output, error }) => [id, { status, output, error }]),
    ),
    run: { id: run.id, workflow_key: key, version: run.workflow_version, dry_run: run.dry_run },
  }
}

const mostOutput = 65_536

/** The output as it may be kept: without secrets of the tenant, and 64 kB at most. */
export function keptOutput({ liveSecrets }: Pick<Kernel, 'liveSecrets'>, tx: Tx, output: unknown): unknown {
  const text = liveSecrets.hideInJson(JSON.stringify(output ?? null), tx.tenantId)
  if (text.length <= mostOutput) return JSON.parse(text)
  return { truncated: true, characters: text.length }
}

export const faultOf = (code: string, message: string): RunFault => ({
  code: code.slice(0, 40),
  message: message.slice(0, 1_000),
})
