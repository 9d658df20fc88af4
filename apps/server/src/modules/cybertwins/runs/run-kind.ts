/**
 * Analyses and campaigns as work in the background: begun by their job, cancelled by people or with their job, failed with
 * it. Promises that each ends once, and that its job and its row end in one commit. Tested in attack-paths.test.ts and
 * campaigns.test.ts.
 */
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Answer } from '../../../kernel/module/route.ts'
import type { CancelledJob, Notice } from '../../../kernel/notices/notices.ts'
import { errors } from '../errors/errors.ts'

export type Clock = Pick<Kernel, 'clock'>

interface RunRow {
  readonly id: string
  readonly status: string
}

interface Begun {
  readonly status: 'running'
  readonly started_at: string
  readonly updated_at: string
}

export interface RunKind<Row extends RunRow> {
  readonly noun: 'analysis' | 'campaign'
  /** Kind of the job, which has the id of the row. */
  readonly job: string
  /** Member of the job's payload that names the row. */
  readonly idMember: string
  readonly get: (tx: Tx, id: string) => Promise<Row | null>
  /** The row, locked; null where it has ended. */
  readonly unfinished: (tx: Tx, id: string) => Promise<Row | null>
  readonly patch: (tx: Tx, id: string, changes: Begun) => Promise<void>
  /** Stores the end with its audit entry and event. */
  readonly end: (kernel: Clock, tx: Tx, ending: { row: Row; status: 'cancelled' | 'failed' }) => Promise<Row>
}

/** Marks a run as running; null where it has ended. */
export async function beginRun<Row extends RunRow>(
  { unfinished, patch }: RunKind<Row>,
  { clock }: Clock,
  tx: Tx,
  id: string,
): Promise<(Row & Begun) | null> {
  const row = await unfinished(tx, id)
  if (row === null) return null
  const now = clock.iso()
  const begun = { status: 'running', started_at: now, updated_at: now } as const
  await patch(tx, id, begun)
  return { ...row, ...begun }
}

/** @throws TWIN-006, TWIN-012 */
export async function cancelRun<Row extends RunRow>(
  { noun, get, unfinished, end }: RunKind<Row>,
  kernel: Clock,
  tx: Tx,
  id: string,
): Promise<Row> {
  const row = await get(tx, id)
  if (row === null)
    throw errors.unknownReference({ what: noun }).at([{ detail: `There is no such ${noun}.`, pointer: '/cancel' }])
  const held = await unfinished(tx, id)
  if (held === null) throw errors.alreadyFinished({ status: row.status })
  await tx.cancel(id)
  return end(kernel, tx, { row: held, status: 'cancelled' })
}

/** A run ends with its job, in the same transaction: cancelled where an administrator cancelled that, else failed. */
export const endRunWithJob =
  <Row extends RunRow>({ job, idMember, unfinished, end }: RunKind<Row>, status: 'cancelled' | 'failed') =>
  (kernel: Clock): Notice<CancelledJob> =>
  async (tx, { kind, payload }) => {
    if (kind !== job) return
    const row = await unfinished(tx, String(payload[idMember]))
    if (row !== null) await end(kernel, tx, { row, status })
  }

export const failureOf = (noun: string): string => `The ${noun} failed; an administrator finds the reason in the log.`

export interface RunAsked<Row extends RunRow, View> {
  readonly kind: RunKind<Row>
  readonly cancel: string | undefined
  readonly create: (scope: TenantScope) => Promise<Row>
  readonly view: (row: Row) => View
}

/** Answers the route that creates runs and cancels them: 201 for a new one, 200 for a cancelled one. */
export async function createOrCancel<Row extends RunRow, View>(
  kernel: Clock & Pick<Kernel, 'db'>,
  scope: TenantScope,
  { kind, cancel, create, view }: RunAsked<Row, View>,
): Promise<View | Answer<View>> {
  if (cancel === undefined) return view(await create(scope))
  const row = await kernel.db.tenant(scope, (tx) => cancelRun(kind, kernel, tx, cancel))
  return new Answer(view(row), { status: 200 })
}
