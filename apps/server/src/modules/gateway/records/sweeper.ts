import type { TenantId } from '../../../kernel/access/actor.ts'
import type { AuditRecord } from '../../../kernel/audit/personal.ts'
import { auditInserts, auditRow } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql, together } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { unknownSecurity, untold } from '../request-log/requests.ts'
import { requestCompleted } from '../schemas/events.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import { requestIntents } from '../schemas/tables.ts'
import { insertRequests } from './statements.ts'

/** Calls closed in one run. */
const mostSwept = 500

/** Closes calls whose outcome never came, because the process that ran them died: they end as failed and recovered. */
export async function sweepLostCalls(kernel: Kernel, tenantId: TenantId): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await tx.lock('gateway_sweep', tenantId)
    const now = kernel.clock.iso()
    const position = await tx.first(sql<{ swept_to: string }>`select swept_to from gateway_sweep`)
    const lost = await lostCalls(tx, { after: position?.swept_to ?? '1970-01-01T00:00:00.000Z', until: now })
    for (const intent of lost) await close(kernel, tx, intent)
    const sweptTo = lost.length < mostSwept ? now : (lost.at(-1)?.deadline_at ?? now)
    await tx.execute(
      sql`
        insert into gateway_sweep (swept_to) values (${sweptTo})
        on conflict (tenant_id) do update set swept_to = excluded.swept_to`,
    )
  })
}

/** Index: (tenant_id, deadline_at). A full run ends inside one instant at worst, whose rest the next run reads again. */
function lostCalls(
  tx: Tx,
  { after, until }: { readonly after: string; readonly until: string },
): Promise<readonly IntentRow[]> {
  return tx.query(
    sql<IntentRow>`
      select ${requestIntents.columns} from gateway_request_intent intent
      where deadline_at >= ${after} and deadline_at < ${until}
        and not exists (select from gateway_request done where done.id = intent.id)
      order by deadline_at, id
      limit ${mostSwept}`,
  )
}

async function close(kernel: Kernel, tx: Tx, intent: IntentRow): Promise<void> {
  const entry = entryOf(kernel, tx, intent)
  const row = closedRow(kernel, intent, entry.id)
  await tx.execute(together([insertRequests([row]), auditInserts([entry])]))
  await tx.emit(requestCompleted, row.id, {
    request_id: row.request_id,
    log_id: row.id,
    trace_id: row.trace_id,
    user_id: row.user_id,
    key_id: row.key_id,
    agent_id: row.agent_id,
    dialect: row.dialect,
    operation: row.operation,
    route: row.route,
    provider: row.provider,
    model: row.model,
    response_id: null,
    status: 'failed',
    decision: row.decision,
    error_code: row.error_code,
    usage: null,
    cost: null,
    currency: null,
    cost_status: 'unpriced',
    cache: 'off',
    security: row.security,
    policies: row.policies,
    timings: row.timings,
    attempts: 0,
    fail_open: [],
    offline: row.offline,
    audit_id: entry.id,
  })
}

/** Made here and not by the transaction, because the row and the event of the call name it. */
function entryOf({ clock, random, platformKeys }: Kernel, tx: Tx, { id, decision }: IntentRow): AuditRecord {
  const digest = (value: string): string => platformKeys.mac('audit-digest', value)
  return auditRow({ clock, random, digest }, tx, {
    action: 'gateway.request.recover',
    fields: { target: `request:${id}`, after: { status: 'failed', decision, recovered: true }, result: 'failed' },
  })
}

function closedRow(
  { clock }: Kernel,
  { deadline_at: _deadline, xid: _xid, ...facts }: IntentRow,
  auditId: string,
): RequestRow {
  return {
    ...facts,
    ...untold,
    security: unknownSecurity(),
    explanation: null,
    unshown: null,
    timings: { ...untold.timings },
    cost: { ...untold.cost },
    status: 'failed',
    error_code: 'GW-020',
    patterns: [],
    entities: {},
    steps: [],
    attempts: [],
    fail_open: [],
    recovered: true,
    audit_id: auditId,
    finished_at: clock.iso(),
  }
}

/** A deadline has passed since the last sweep; whether the call has its outcome, the sweep itself finds out. */
export const someCallsOver = ({ now }: DueAt): SqlPart => sql`
  exists (
    select from gateway_request_intent intent
    where intent.tenant_id = tenant.id and intent.deadline_at < ${now}
      and intent.deadline_at >= coalesce(
        (select swept_to from gateway_sweep swept where swept.tenant_id = tenant.id), '-infinity'))`
