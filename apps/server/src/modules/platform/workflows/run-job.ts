import type { Tx } from '../../../kernel/db/port.ts'

export const runJobKind = 'platform.run'

/** One waiting job for a run, whoever asks. */
export const askToGoOn = (tx: Pick<Tx, 'enqueue'>, runId: string): Promise<void> =>
  tx.enqueue({ kind: runJobKind, key: runId, payload: { run_id: runId } })

export const queueJobKind = 'platform.runs'

const asked = new WeakSet<object>()

/** One waiting job for all runs of the tenant that have not begun; a transaction that begins many asks once. */
export async function askForQueue(tx: Pick<Tx, 'enqueue'>): Promise<void> {
  if (asked.has(tx)) return
  asked.add(tx)
  await tx.enqueue({ kind: queueJobKind, key: 'queue', payload: {} })
}
