/**
 * Closes holds whose call left no entry in the ledger because its process died: with the cost of the log row if there
 * is one, otherwise with the maximum cost, marked as estimated. To keep calls fast, nothing is written between the hold
 * and the question to a provider, so a question that is not known to have been asked may have been asked and is
 * charged. A later outcome corrects the entry (ledger.ts). Tested in sweep.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql, together } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { parseAmount } from '../prices/amounts.ts'
import type { RequestRow } from '../schemas/request.ts'
import { raiseAlarms } from './alarm.ts'
import { foldSettled, insertSpends, lockBudgets } from './ledger.ts'
import type { SpendRow } from './tables.ts'

/** Holds closed in one run. */
const mostSwept = 500

interface LostHold {
  readonly id: string
  readonly budget_id: string
  readonly call_id: string
  readonly bucket: string
  readonly amount_nano: string
  readonly currency: string
  /** From the log row; null without one. */
  readonly cost: RequestRow['cost'] | null
  readonly recovered: boolean | null
}

export async function sweepHolds(kernel: Kernel, tenantId: TenantId): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const at = kernel.clock.iso()
    const lost = await lostHolds(tx, at)
    if (lost.length === 0) return
    const ids = [...new Set(lost.map((hold) => hold.budget_id))].sort()
    await tx.query(lockBudgets(ids))
    const entries = lost.map((hold) => entryOf(hold, { tenantId, at }))
    await tx.execute(together([insertSpends(entries)]))
    await tx.execute(foldSettled(ids, at))
    for (const entry of entries) {
      await tx.audit('gateway.budget.recover', {
        target: `budget:${entry.budget_id}`,
        after: { call_id: entry.call_id, amount_nano: entry.amount_nano, estimated: entry.estimated },
        ...(entry.reason === null ? {} : { reason: entry.reason }),
      })
    }
    await raiseAlarms(kernel, tx, { ids })
  })
}

/** Index: (tenant_id, expires_at). */
function lostHolds(tx: Tx, now: string): Promise<readonly LostHold[]> {
  return tx.query(
    sql<LostHold>`
      select h.id, h.budget_id, h.call_id, h.bucket, h.amount_nano, b.currency, r.cost, r.recovered
      from gateway_budget_hold h
      join gateway_budget b on b.id = h.budget_id
      left join gateway_request r on r.id = h.call_id
      where h.expires_at < ${now}
        and not exists (select from gateway_budget_settled s where s.tenant_id = h.tenant_id and s.id = h.id)
      order by h.expires_at, h.id
      limit ${mostSwept}`,
  )
}

interface Sweep {
  readonly tenantId: TenantId
  readonly at: string
}

function entryOf(hold: LostHold, { tenantId, at }: Sweep): SpendRow {
  return {
    tenant_id: tenantId,
    id: hold.id,
    budget_id: hold.budget_id,
    call_id: hold.call_id,
    source: 'sweep',
    bucket: hold.bucket,
    ...settlement(hold),
    created_at: at,
  }
}

type Settlement = Pick<SpendRow, 'amount_nano' | 'estimated' | 'reason'>

function settlement({ cost, currency, recovered, amount_nano: worst }: LostHold): Settlement {
  // A row created by crash recovery only proves that there was a call.
  const known = cost !== null && recovered !== true
  if (known && cost.status === 'free') return { amount_nano: '0', estimated: false, reason: 'the call cost nothing' }
  if (known && cost.amount !== null && cost.currency === currency) {
    const estimated = cost.status === 'estimated'
    return { amount_nano: String(parseAmount(cost.amount)), estimated, reason: 'the log row names the cost' }
  }
  return { amount_nano: worst, estimated: true, reason: 'the outcome was lost; the worst case is booked' }
}

export const someHoldsOver = ({ now }: DueAt): SqlPart => sql`
  exists (
    select from gateway_budget_hold h
    where h.tenant_id = tenant.id and h.expires_at < ${now}
      and not exists (select from gateway_budget_settled s where s.tenant_id = h.tenant_id and s.id = h.id))`
