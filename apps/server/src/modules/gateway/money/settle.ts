/**
 * The ledger entries of a call. They are written with its outcome, in the same list of statements and so in the same
 * transaction; that settles a hold. Tested in reserve.test.ts.
 */

import { together } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { covers } from '../budgets/budget.ts'
import { insertSpends } from '../budgets/ledger.ts'
import type { SpendRow } from '../budgets/tables.ts'
import type { WithFacts } from '../call/facts.ts'
import { type PaidCall, type PaidPart, paidParts } from './call-cost.ts'
import type { WithMoney } from './call-money.ts'
import { callerOf, type Hold } from './hold.ts'

type Settled = Pick<SpendRow, 'amount_nano' | 'estimated'>

/** One entry per hold: the cost at targets that its budget covers, or zero if only others were asked. */
export function spendsOf(state: PaidCall, at: string): readonly SpendRow[] {
  if (state.money.holds.length === 0) return []
  const paid = paidParts(state)
  return state.money.holds.map((hold) => spendRow(state, hold, { ...amountOf(state, hold, paid), at }))
}

function amountOf(state: WithFacts & WithMoney, { budget, amount }: Hold, paid: readonly PaidPart[]): Settled {
  const isKnown = ({ nano, currency }: PaidPart): boolean => nano !== null && currency === budget.currency
  // A vector without a price is requested only if the budget allows it.
  const covered = paid
    .filter(({ target }) => covers(budget, callerOf(state), target))
    .filter((part) => part.target !== state.money.embedded?.target || isKnown(part))
  // Used but not priced after all: the reserved amount is the best known value, and it is never zero.
  if (!covered.every(isKnown)) return { amount_nano: String(amount), estimated: true }
  return {
    amount_nano: String(covered.reduce((sum, { nano }) => sum + (nano ?? 0n), 0n)),
    estimated: covered.some(({ status }) => status === 'estimated'),
  }
}

const nothing: Settled = { amount_nano: '0', estimated: false }

function spendRow({ facts }: WithFacts, hold: Hold, { at, ...settled }: Settled & { readonly at: string }): SpendRow {
  return {
    tenant_id: facts.tenantId,
    id: hold.id,
    budget_id: hold.budget.id,
    call_id: facts.id,
    source: 'call',
    bucket: hold.bucket,
    ...settled,
    reason: null,
    created_at: at,
  }
}

/** For holds whose call already has its outcome. */
export async function releaseHolds(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  state: WithFacts,
  holds: readonly Hold[],
): Promise<void> {
  if (holds.length === 0) return
  const rows = holds.map((hold) => spendRow(state, hold, { ...nothing, at: clock.iso() }))
  await db.append([together([insertSpends(rows)])])
}
