/**
 * Uses an approval for the call it was given for. Promises that exactly one of any number of redemptions at the same time
 * succeeds, and none for a call that differs in anything from the approved one. Tested in approvals.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import { type BoundCall, bindingDigest } from './binding.ts'
import type { ApprovalParts } from './parts.ts'
import { approvalResource } from './table.ts'

export interface Redemption {
  readonly approvalId: string
  /** The call as it is about to be made. */
  readonly call: Omit<BoundCall, 'tenantId'>
}

/** Whether the call may be made now; the approval is used up with the caller's transaction. @throws API-013 */
export async function redeemApproval(
  { kernel: { clock } }: ApprovalParts,
  tx: Tx,
  { approvalId, call }: Redemption,
): Promise<boolean> {
  // Concurrent redemptions wait for this lock and then see the approval consumed.
  const held = await hold(tx, approvalResource, { id: approvalId, precondition: anyVersion })
  const { row } = held
  const now = clock.iso()
  if (row.status !== 'approved' || row.usable_until === null || row.usable_until <= now) return false
  if (bindingDigest({ ...call, tenantId: tx.tenantId }, row.expires_at) !== row.binding) return false
  await change({ clock }, tx, held, {
    action: 'aegis.approval.consume',
    changes: { status: 'consumed', consumed_at: now, due_at: null },
  })
  return true
}
