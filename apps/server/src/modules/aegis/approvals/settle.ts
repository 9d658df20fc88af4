/** The end of a pending approval, and of an approved one whose time is over. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type Changes, change, type Held, holdAll } from '../../../kernel/resource/resource.ts'
import { approvalDecided } from './events.ts'
import type { ApprovalParts } from './parts.ts'
import type { ApprovalRow } from './schema.ts'
import { mayMove, usableMinutes } from './states.ts'
import { approvalResource } from './table.ts'

export interface Settlement {
  readonly status: 'approved' | 'denied' | 'expired' | 'cancelled'
  /** The person whose decision was the last one; null where time or a kill switch decided. */
  readonly by: string | null
  readonly decisions?: ApprovalRow['decisions']
  readonly reason?: string
}

const action = 'aegis.approval.decide'

/** Settles a held approval, with its event. */
export async function settle(
  { kernel: { clock } }: ApprovalParts,
  tx: Tx,
  held: Held<ApprovalRow>,
  { status, by, decisions, reason }: Settlement,
): Promise<ApprovalRow> {
  if (!mayMove(held.row.status, status))
    throw new TypeError(`An approval that is ${held.row.status} cannot be ${status}`)
  const usable = status === 'approved' ? new Date(clock.now() + usableMinutes * 60_000).toISOString() : undefined
  const changes: Changes<ApprovalRow> = {
    ...{ status, decisions, usable_until: usable, due_at: usable ?? null },
    decided_at: held.row.decided_at ?? clock.iso(),
  }
  const row = await change({ clock }, tx, held, { action, changes, ...(reason === undefined ? {} : { reason }) })
  const waited = Math.max(0, (clock.now() - Date.parse(row.created_at)) / 1_000)
  await tx.emit(approvalDecided, row.id, {
    ...{ approval_id: row.id, agent_id: row.agent_id, user_id: row.user_id, session_id: row.session_id },
    ...{ server: row.server, tool: row.tool, guardrail_id: row.guardrails[0]?.guardrail_id ?? null },
    ...{ risk_tier: row.risk_tier, decision: status, by, waited_seconds: Math.round(waited * 1_000) / 1_000 },
  })
  return row
}

/** Whose open approvals a kill switch ends. */
export type ApprovalSubject =
  | { readonly scope: 'tenant' }
  | { readonly scope: 'agent' | 'user' | 'tool' | 'mcp_server'; readonly value: string }
  | { readonly scope: 'agents_by_tag'; readonly value: string }

const mostAtOnce = 1_000

/** Expires every open approval of the subject. Gives their number. */
export async function expireApprovalsOf(
  parts: ApprovalParts,
  tx: Tx,
  subject: ApprovalSubject,
  reason: string,
): Promise<number> {
  const where = sql`status in ('pending', 'approved') and ${conditionOf(subject)}`
  let count = 0
  for (;;) {
    const held = await holdAll(tx, approvalResource, { where, limit: mostAtOnce })
    for (const one of held) await settle(parts, tx, one, { status: 'expired', by: null, reason })
    count += held.length
    if (held.length < mostAtOnce) return count
  }
}

function conditionOf(subject: ApprovalSubject) {
  switch (subject.scope) {
    case 'tenant':
      return sql`true`
    case 'agent':
      return sql`agent_id::text = ${subject.value}`
    case 'user':
      return sql`(user_id::text = ${subject.value}
        or agent_id in (select id from aegis_agent where owner_user_id::text = ${subject.value}))`
    case 'tool':
      return sql`tool = ${subject.value}`
    case 'mcp_server':
      return sql`server = ${subject.value}`
    case 'agents_by_tag':
      return sql`agent_id in (select id from aegis_agent where ${subject.value} = any(tags))`
  }
}
