/**
 * Long runs that are resources: a row and the job that works on it, which has the same id. The row is queued with its job,
 * is taken up by an attempt of it, tells how far it is, and ends completed, failed or cancelled. The part that differs (its
 * inputs, its result, the events of its end) stays in the module:
 *
 *     export const runs = defineRuns<SimulationRow>({
 *       kind: 'risk.simulation',
 *       audit: 'risk.simulation.cancel',
 *       member: 'simulation_id',
 *       table: simulations,
 *       mostUnfinished: 20,
 *       tooMany: (limit) => errors.tooManySimulations({ limit }),
 *       cancelled: (kernel, tx, row) => tellEnd(tx, row),
 *     })
 *
 *     // POST: in the transaction of the request
 *     await runs.queue(tx, row)
 *     // the job
 *     const row = await runs.begin(kernel, tx, id)
 *     await runs.progress(kernel, tx, { id, share: 0.5 })
 *     // POST …/cancel
 *     const row = await runs.unfinished(tx, id)
 *     if (row === null) throw errors.alreadyFinished({ status })
 *     return runs.cancel(kernel, tx, row)
 *     // the manifest
 *     fills: runs.notices(({ kernel }) => kernel, (kernel, tx, id) => settle(kernel, tx, { id, outcome: null }))
 *
 * Promises that row and job are stored together, that a tenant has no more unfinished runs than it may, and that a run
 * ends once: with its job, with its cancellation, or with the last failure of the job. Tested in the simulations of risk and
 * resilience (end.test.ts, simulations.test.ts).
 */
import type { Clock } from '../base/clock.ts'
import type { Tx } from '../db/port.ts'
import { join, type SqlPart, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { ProblemError } from '../errors/problem.ts'
import { fill, type PortFilling } from '../module/ports/port.ts'
import { jobCancelledPort, jobDiedPort } from '../notices/notices.ts'

/** The columns that the kit reads and writes. */
export interface RunRow {
  readonly id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** 0 to 1. */
  readonly progress: number
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly updated_at: string
}

export interface RunKernel {
  readonly clock: Pick<Clock, 'iso'>
}

export interface RunsInput<Row extends RunRow, K extends RunKernel> {
  /** Of the job. */
  readonly kind: string
  /** Audited action of a cancellation. */
  readonly audit: string
  /** The member of the job's payload that has the id. */
  readonly member: string
  readonly table: Pick<Table, 'name' | 'columns' | 'from'> & { insert(tx: Tx, row: Row): Promise<void> }
  /** Queued or running ones of a tenant. */
  readonly mostUnfinished: number
  readonly tooMany: (limit: number) => ProblemError
  /** Told of a cancelled run in the transaction of its cancellation; the row is as it was before. */
  readonly cancelled: (kernel: K, tx: Tx, row: Row) => Promise<void>
}

/** Ends a run whose job failed for the last time; one that has ended stays as it is. */
export type RunDied<K> = (kernel: K, tx: Tx, id: string) => Promise<void>

export interface Progress {
  readonly id: string
  /** 0 to 1. */
  readonly share: number
  /** Assignments beside it. */
  readonly also?: readonly SqlPart[]
}

export interface Runs<Row extends RunRow, K extends RunKernel> {
  /** Stores a run and its job. @throws the refusal of one too many */
  queue(tx: Tx, row: Row): Promise<void>
  /** The run, locked; null where it has ended or is unknown. */
  unfinished(tx: Tx, id: string): Promise<Row | null>
  /** Takes up a run for an attempt of its job; null where nothing is to be done any more. */
  begin(kernel: RunKernel, tx: Tx, id: string): Promise<Row | null>
  /** Stores how far a running run is. */
  progress(kernel: RunKernel, tx: Tx, progress: Progress): Promise<void>
  /** Cancels an unfinished run that is locked; its job is for the module to stop. Gives the row as it is then. */
  cancel(kernel: K, tx: Tx, row: Row): Promise<Row>
  /** For the `fills` of the manifest: a run ends when its job is cancelled by an administrator, or dies. */
  notices<S, D extends K>(kernelOf: (services: S) => D, died: RunDied<D>): readonly PortFilling<S>[]
}

export function defineRuns<Row extends RunRow, K extends RunKernel = RunKernel>(
  input: RunsInput<Row, K>,
): Runs<Row, K> {
  const { kind, member, table } = input
  const unfinished: Runs<Row, K>['unfinished'] = (tx, id) =>
    tx.first(sql<Row>`
      select ${table.columns} from ${table.from} where id = ${id} and status in ('queued', 'running') for update`)
  const cancel: Runs<Row, K>['cancel'] = async (kernel, tx, row) => {
    const now = kernel.clock.iso()
    const after = await tx.first(sql<Row>`
      update ${table.from} set status = 'cancelled', finished_at = ${now}, updated_at = ${now}
      where id = ${row.id} returning ${table.columns}`)
    await tx.audit(input.audit, {
      target: `${table.name}:${row.id}`,
      before: { status: row.status, progress: row.progress },
      after: { status: 'cancelled' },
    })
    await input.cancelled(kernel, tx, row)
    return after ?? row
  }
  return {
    queue: (tx, row) => queue(input, tx, row),
    unfinished,
    begin: ({ clock }, tx, id) =>
      tx.first(sql<Row>`
        update ${table.from} set status = 'running', progress = 0, started_at = ${clock.iso()}, updated_at = ${clock.iso()}
        where id = ${id} and status in ('queued', 'running') returning ${table.columns}`),
    progress: async ({ clock }, tx, { id, share, also = [] }) => {
      const set = join([sql`progress = ${share}`, sql`updated_at = ${clock.iso()}`, ...also], ', ')
      await tx.execute(sql`update ${table.from} set ${set} where id = ${id} and status = 'running'`)
    },
    cancel,
    notices: (kernelOf, died) => [
      fill(jobCancelledPort, (services) => async (tx, job) => {
        const row = job.kind === kind ? await unfinished(tx, String(job.payload[member])) : null
        if (row !== null) await cancel(kernelOf(services), tx, row)
      }),
      fill(jobDiedPort, (services) => async (tx, job) => {
        if (job.kind === kind) await died(kernelOf(services), tx, String(job.payload[member]))
      }),
    ],
  }
}

async function queue<Row extends RunRow, K extends RunKernel>(
  { kind, member, table, mostUnfinished, tooMany }: RunsInput<Row, K>,
  tx: Tx,
  row: Row,
): Promise<void> {
  // Two requests at once must not both find room.
  await tx.lock(`${kind}.unfinished`, tx.tenantId)
  const held = await tx.first(sql<{ n: number }>`
    select count(*)::int as n from ${table.from} where status in ('queued', 'running')`)
  if ((held?.n ?? 0) >= mostUnfinished) throw tooMany(mostUnfinished)
  await table.insert(tx, row)
  await tx.enqueue({ id: row.id, kind, payload: { [member]: row.id } })
}
