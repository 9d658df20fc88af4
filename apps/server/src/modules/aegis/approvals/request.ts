/**
 * Asks people to approve a tool call. Promises that the same call finds the approval it waits for, that a call of another
 * byte gets one of its own, and that at most one approval of a call is open. Tested in approvals.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { argsDigest, type BoundCall, bindingDigest, callDigest } from './binding.ts'
import { approvalRequested } from './events.ts'
import type { ApprovalParts } from './parts.ts'
import { previewOf } from './preview.ts'
import type { ApprovalRow } from './schema.ts'
import { settle } from './settle.ts'
import type { WaitForm } from './states.ts'
import { approvalResource, approvals } from './table.ts'

/** A tool call that a guardrail holds. */
export interface HeldCall extends Omit<BoundCall, 'tenantId' | 'argsSha256'> {
  readonly args: unknown
  readonly sessionId: string | null
  /** Labels of the session in force. */
  readonly labels: readonly string[]
  /** Of the agent. */
  readonly riskTier: number
  /** The tool has the label `destructive`. */
  readonly destructive: boolean
  /** Names of roles, of which an approver has one; empty means anyone with `aegis:write`. */
  readonly approverRoles: readonly string[]
  readonly minApprovers: number
  /** Seconds in which people may decide, 30 to 86,400. */
  readonly timeoutSeconds: number
  readonly waitForm: WaitForm
}

export interface RequestedApproval {
  readonly approval: ApprovalRow
  /** False where the call attaches to an approval that was there. */
  readonly created: boolean
}

/** Two people decide about the strongest agents and about what cannot be undone. */
export const approvalsNeeded = ({
  minApprovers,
  riskTier,
  destructive,
}: Pick<HeldCall, 'minApprovers' | 'riskTier' | 'destructive'>): number =>
  Math.min(3, Math.max(1, minApprovers, riskTier === 4 || destructive ? 2 : 1))

/**
 * The approval of the call: one that is pending or approved, else one that was denied and whose time is not over, else a
 * new one. The transaction is the caller's.
 */
export async function requestApproval(parts: ApprovalParts, tx: Tx, call: HeldCall): Promise<RequestedApproval> {
  const bound: BoundCall = { ...call, tenantId: tx.tenantId, argsSha256: argsDigest(call.args) }
  const digest = callDigest(bound)
  await tx.lock('aegis.approval', digest)
  const known = await lastOf(tx, digest)
  const now = parts.kernel.clock.iso()
  if (known !== null && isInForce(known, now)) return { approval: known, created: false }
  if (known !== null && (known.status === 'pending' || known.status === 'approved')) {
    const held = await hold(tx, approvalResource, { id: known.id, precondition: anyVersion })
    await settle(parts, tx, held, { status: 'expired', by: null })
  }
  const row = newApproval(parts, tx, { call, bound, digest })
  await create(tx, approvalResource, row, { action: 'aegis.approval.request' })
  await tx.emit(approvalRequested, row.id, {
    ...{ approval_id: row.id, agent_id: row.agent_id, user_id: row.user_id, session_id: row.session_id },
    ...{ server: row.server, tool: row.tool, guardrail_id: row.guardrails[0]?.guardrail_id ?? null },
    ...{ risk_tier: row.risk_tier, required_approvals: row.required_approvals, expires_at: row.expires_at },
  })
  return { approval: row, created: true }
}

function lastOf(tx: Tx, digest: string): Promise<ApprovalRow | null> {
  return tx.first(sql<ApprovalRow>`
    select ${approvals.columns} from aegis_approval where call_digest = ${digest}
    order by created_at desc, id desc limit 1`)
}

/** A denial stands for as long as the question would have been open, so that asking again and again changes nothing. */
function isInForce({ status, expires_at, usable_until }: ApprovalRow, now: string): boolean {
  if (status === 'approved') return usable_until !== null && usable_until > now
  return (status === 'pending' || status === 'denied') && expires_at > now
}

interface NewApproval {
  readonly call: HeldCall
  readonly bound: BoundCall
  readonly digest: string
}

function newApproval({ kernel }: ApprovalParts, tx: Tx, { call, bound, digest }: NewApproval): ApprovalRow {
  const expiresAt = new Date(kernel.clock.now() + call.timeoutSeconds * 1_000).toISOString()
  const preview = previewOf(call.args)
  return {
    ...newRow(kernel, tx),
    ...{ agent_id: call.agentId, session_id: call.sessionId, user_id: call.userId },
    ...{ server: call.server, tool: call.tool },
    ...{ args_preview: preview.text, preview_sha256: preview.sha256, args_sha256: bound.argsSha256 },
    guardrails: call.guardrails.map(({ guardrailId, version }) => ({ guardrail_id: guardrailId, version })),
    ...{ pin_sha256: call.pinSha256, labels: [...call.labels].slice(0, 200), risk_tier: call.riskTier },
    ...{ required_approvals: approvalsNeeded(call), approver_roles: [...call.approverRoles], decisions: [] },
    ...{ wait_form: call.waitForm, status: 'pending', expires_at: expiresAt, due_at: expiresAt },
    ...{ usable_until: null, decided_at: null, consumed_at: null },
    ...{ call_digest: digest, binding: bindingDigest(bound, expiresAt) },
  }
}
