/**
 * Faults of the audit chain, kept until they are explained. A changed, missing or moved entry is explained when a
 * verification of the whole log that began later succeeds: the log was restored. A chain that is shorter than, or
 * different from, a signed note can look intact by itself, so only a verification with external notes explains that.
 * Tested in audit-check.test.ts.
 */

import type { ChainFault, ChainReport } from '../../../kernel/audit/verify.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { countAudited } from './audit-count.ts'

export interface AuditFault extends Pick<ChainReport, 'firstBadSeq' | 'checkpointUsed'> {
  readonly reason: ChainFault
  readonly at: string
}

const tamperDetected = 'admin.audit.tamper_detected'
const verified = 'admin.audit.verified'

/**
 * Handles results of the administrators' verifications, which cover the whole log and use notes stored outside this
 * program.
 */
export const watchAudit: EventHandlerDeclaration<GatewayServices> = {
  name: 'gateway.audit',
  channels: [tamperDetected, verified],
  handle: takeVerdicts,
}

async function takeVerdicts({ tx, events, kernel }: EventBatch<GatewayServices>): Promise<void> {
  // The installation's own chain is separate from the tenant's, and contains no calls.
  const own = events.filter(({ data }) => data.scope === 'tenant')
  if (own.length === 0) return
  for (const event of own) await (event.channel === verified ? explain(tx, event) : noteFault(tx, faultOf(event)))
  await countAudited(tx, kernel.clock)
}

/**
 * Of all faults, the earliest position and the gravest kind are kept; the time is that of the latest fault, because an
 * older verification explains nothing.
 */
export async function noteFault(tx: Tx, fault: AuditFault): Promise<void> {
  await tx.execute(
    sql`
      insert into gateway_audit_check (checked_at, intact, broken_at, bad_seq, needs_note)
      values (${fault.at}, false, ${fault.at}, ${badSeqOf(fault)}, ${needsNote(fault)})
      on conflict (tenant_id) do update set
        broken_at = greatest(gateway_audit_check.broken_at, excluded.broken_at),
        bad_seq = least(gateway_audit_check.bad_seq, excluded.bad_seq),
        needs_note = gateway_audit_check.needs_note or excluded.needs_note`,
  )
}

function needsNote({ reason }: AuditFault): boolean {
  return reason === 'truncated' || reason === 'rewritten'
}

/**
 * A note vouches for everything before it, so in a rewritten chain everything after the last matching note is in doubt.
 */
function badSeqOf({ reason, firstBadSeq, checkpointUsed }: AuditFault): number | null {
  return reason === 'rewritten' ? (checkpointUsed ?? 0) + 1 : firstBadSeq
}

async function explain(tx: Tx, { data }: LoggedEvent): Promise<void> {
  await tx.execute(
    sql`
      update gateway_audit_check set broken_at = null, bad_seq = null, needs_note = false
      where broken_at < ${String(data.began_at)}::timestamptz and (not needs_note or ${Number(data.notes)}::int > 0)`,
  )
}

function faultOf({ time, data }: LoggedEvent): AuditFault {
  return {
    at: time,
    reason: data.reason as ChainFault,
    firstBadSeq: typeof data.first_bad_seq === 'number' ? data.first_bad_seq : null,
    checkpointUsed: typeof data.checkpoint_used === 'number' ? data.checkpoint_used : null,
  }
}
