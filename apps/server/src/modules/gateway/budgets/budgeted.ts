import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

interface Spend {
  readonly requests: number
  readonly cost: string
  readonly budgeted: string
}

/**
 * Share of the spending of the last 30 days that was under a hard budget, expressed in calls that cost something:
 * amounts of different currencies cannot be added up, calls can.
 */
export async function budgetedSpend(tx: Tx, at: string): Promise<{ readonly good: number; readonly n: number }> {
  const currencies = await tx.query(
    sql<Spend>`
      select sum(requests)::bigint as requests, sum(cost_nano) as cost, sum(budgeted_nano) as budgeted
      from gateway_usage_cell
      where not offline and cost_nano > 0
        and hour > ${at}::timestamptz - interval '30 days' and hour <= ${at}::timestamptz
      group by currency`,
  )
  const n = currencies.reduce((sum, { requests }) => sum + requests, 0)
  const good = currencies.reduce(
    (sum, { requests, cost, budgeted }) => sum + Number((BigInt(requests) * BigInt(budgeted)) / BigInt(cost)),
    0,
  )
  // Rounded down: a call that is only partly under a budget does not count as fully budgeted.
  return { good, n }
}
