import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Run, RunRow, RunStepRow, Stats, Workflow, WorkflowRow } from './declared/schema.ts'

const dayMs = 86_400_000
const none: Stats = { runs_24h: 0, failed_24h: 0, p95_ms: null }

/** Runs of the last 24 hours by workflow; one without any is left out. */
export async function statsOf(tx: Tx, nowMs: number, ids: readonly string[]): Promise<ReadonlyMap<string, Stats>> {
  const rows = await tx.query(sql<Stats & { workflow_id: string }>`
    select workflow_id, count(*)::int as runs_24h, (count(*) filter (where status = 'failed'))::int as failed_24h,
      percentile_cont(0.95) within group (order by extract(epoch from ended_at - started_at) * 1000)
        filter (where ended_at is not null and started_at is not null)::float8 as p95_ms
    from platform_run
    where workflow_id = any(${[...ids]}::uuid[]) and not dry_run and created_at >= ${new Date(nowMs - dayMs).toISOString()}
    group by workflow_id`)
  return new Map(rows.map(({ workflow_id: id, ...stats }) => [id, stats]))
}

export interface Shown {
  readonly stats: Stats | undefined
  readonly nextAt: string | null
}

export function workflowView(row: WorkflowRow, { stats = none, nextAt }: Shown): Workflow {
  return { ...row, next_run_at: nextAt, stats }
}

export function runView(row: RunRow, steps: readonly RunStepRow[]): Run {
  const { id, tenant_id, created_at, updated_at, workflow_id, workflow_version, trigger, dry_run, status } = row
  const { depth, owner_id, requested_by, started_at, ended_at } = row
  return {
    ...{ id, tenant_id, created_at, updated_at, workflow_id, workflow_version, trigger, dry_run, status },
    ...{ depth, owner_id, requested_by, started_at, ended_at },
    steps: steps.map(stepView),
  }
}

function stepView({ id: _id, tenant_id: _tenant, run_id: _run, position: _position, ...shown }: RunStepRow) {
  return { ...shown, output: shown.output ?? null }
}
