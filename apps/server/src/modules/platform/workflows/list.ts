/** Workflows with their figures, and the history of runs. Tested in workflows.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { scheduleStates } from '../../../kernel/schedules/schedules.ts'
import type { Run, RunFilter, RunStepRow, Workflow, WorkflowFilter, WorkflowVersionRow } from './declared/schema.ts'
import { runSteps, runs, workflows, workflowVersions } from './declared/tables.ts'
import { runView, statsOf, workflowView } from './view.ts'

export interface WorkflowList {
  readonly page: PageRequest
  readonly filter: WorkflowFilter
  readonly nowMs: number
}

export async function listWorkflows(tx: Tx, { page, filter, nowMs }: WorkflowList): Promise<Page<Workflow>> {
  const { q, id, key, status, versions } = filter
  const where = [
    status === undefined && id === undefined && key === undefined ? sql`status <> 'archived'` : sql`true`,
    ...(q === undefined ? [] : [sql`(lower(name) like ${likePrefix(q)} or key like ${likePrefix(q)})`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(key === undefined ? [] : [sql`key = ${key}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
  ]
  const found = await workflows.page(tx, page, join(where, ' and '))
  const ids = found.items.map((row) => row.id)
  const stats = await statsOf(tx, nowMs, ids)
  const states = await scheduleStates(tx, { owner: 'platform', keys: ids.map((one) => `workflow/${one}`) })
  const nextAt = new Map(states.map((state) => [state.key, state.next_at]))
  const history = versions === true ? await versionsOf(tx, ids) : null
  return {
    ...found,
    items: found.items.map((row) => ({
      ...workflowView(row, { stats: stats.get(row.id), nextAt: nextAt.get(`workflow/${row.id}`) ?? null }),
      ...(history === null ? {} : { versions: history.get(row.id) ?? [] }),
    })),
  }
}

const mostVersions = 50

type Versions = NonNullable<Workflow['versions']>

async function versionsOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Versions>> {
  const rows = await tx.query(sql<WorkflowVersionRow>`
    select ${workflowVersions.columns} from (
      select *, row_number() over (partition by workflow_id order by number desc) as place
      from platform_workflow_version where workflow_id = any(${[...ids]}::uuid[])) as numbered
    where place <= ${mostVersions} order by workflow_id, number desc`)
  const byId = new Map<string, Versions>()
  for (const row of rows) {
    const { number, status, definition, declared_permissions, created_by, created_at } = row
    const shown = { number, status, definition, declared_permissions, created_by, created_at }
    byId.set(row.workflow_id, [...(byId.get(row.workflow_id) ?? []), shown])
  }
  return byId
}

export interface RunList {
  readonly workflowId: string
  readonly page: PageRequest
  readonly filter: RunFilter
}

/** @throws API-013 for a workflow that does not exist */
export async function listRuns(tx: Tx, { workflowId, page, filter }: RunList): Promise<Page<Run>> {
  await workflows.need(tx, workflowId)
  const { q, status, run_id: id, since, dry_run: dryRun } = filter
  const where = [
    sql`workflow_id = ${workflowId}`,
    ...(q === undefined ? [] : [sql`id::text like ${likePrefix(q)}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
    ...(dryRun === undefined ? [] : [sql`dry_run = ${dryRun}`]),
  ]
  const found = await runs.page(tx, page, join(where, ' and '))
  const steps = await tx.query(sql<RunStepRow>`
    select ${runSteps.columns} from platform_run_step where run_id = any(${found.items.map((row) => row.id)}::uuid[])
    order by run_id, position`)
  return {
    ...found,
    items: found.items.map((row) =>
      runView(
        row,
        steps.filter((step) => step.run_id === row.id),
      ),
    ),
  }
}
