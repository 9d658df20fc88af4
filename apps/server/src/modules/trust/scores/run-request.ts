import type { Tx } from '../../../kernel/db/port.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import type { TrustParts } from '../declared/parts.ts'

/** The kind of all jobs that score a tenant. */
export const jobKind = 'trust.recalculate'

export type RunPayload = JobContext<TrustParts>['payload']

/**
 * Marks that a score is due: one waiting job per tenant and key, at the earliest time anything asked for. Keys are
 * `events` for evidence scored at once, `traffic` for terms that model calls may have moved, `forecast` for ageing.
 */
export function requestRun(
  tx: Tx,
  { key, payload, runAt }: { readonly key: string; readonly payload: RunPayload; readonly runAt: number },
): Promise<void> {
  return tx.enqueue({ kind: jobKind, key, payload, runAt })
}
