/**
 * Waits for people. The change feed tells of a decision at once in this process and within a second in every other one;
 * the row is read again besides, because a missed change must not cost the whole wait. Tested in approvals.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { AbortWatch } from '../../../kernel/base/abort.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ApprovalRow } from './schema.ts'
import { approvals, approvalTopic } from './table.ts'

export interface Awaited {
  readonly tenantId: TenantId
  readonly approvalId: string
  /** Milliseconds to wait at most. */
  readonly timeoutMs: number
  /** Ends the wait. */
  readonly signal?: AbortWatch
}

const lookEveryMs = 2_000

type WaitParts = Pick<Kernel, 'clock' | 'db' | 'live'>

/** The approval once it is no longer pending, or as it is when the time is over. Null where there is none. */
export async function awaitApproval(kernel: WaitParts, awaited: Awaited): Promise<ApprovalRow | null> {
  const until = kernel.clock.monotonic() + awaited.timeoutMs
  let wake = (): void => undefined
  const stop = kernel.live.on(approvalTopic, (id) => {
    if (id === awaited.approvalId) wake()
  })
  try {
    for (;;) {
      const told = new Promise<void>((resolve) => {
        wake = resolve
      })
      const row = await readApproval(kernel, awaited)
      const left = until - kernel.clock.monotonic()
      if (row === null || row.status !== 'pending' || left <= 0 || awaited.signal?.aborted === true) return row
      await either(kernel, told, Math.min(left, lookEveryMs))
    }
  } finally {
    stop()
  }
}

async function readApproval({ db }: WaitParts, { tenantId, approvalId }: Awaited): Promise<ApprovalRow | null> {
  const statement = sql<ApprovalRow>`select ${approvals.columns} from aegis_approval where id = ${approvalId}`
  const [row] = await db.read(tenantId, statement)
  return row ?? null
}

async function either({ clock }: WaitParts, told: Promise<void>, ms: number): Promise<void> {
  let timer: { stop(): void } | undefined
  const over = new Promise<void>((resolve) => {
    timer = clock.after(ms, resolve)
  })
  await Promise.race([told, over])
  timer?.stop()
}
