/**
 * Remaining amounts of budgets. The only place that computes them, so a call is refused on the same number that the
 * list shows. A balance holds the spent and reserved amounts, except for holds settled since its budget was last
 * locked. Those are few; they are moved from reserved to spent here, and estimates that turned out to be wrong since
 * then are corrected.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Nano } from '../prices/amounts.ts'
import { bucketEnds, type Window, type WindowRule } from './windows.ts'

/**
 * True for an entry `swept` whose call ended after all: its hold is gone, and the settled row with its outcome still
 * exists.
 */
export const guessed = sql`
  swept.source = 'sweep' and not exists (
    select from gateway_budget_hold h where h.tenant_id = swept.tenant_id and h.id = swept.id)`

/** Id of the entry that corrects the entry `swept`. */
export const lateId = sql`md5(swept.id::text || ' late')::uuid`

/**
 * For the row `asked`, by its `budget_id` and `since`. Indexes: the balance's key, and (tenant_id, budget_id) of
 * settled rows.
 */
export const standingColumns = sql`
  kept.spent + ended.amount + late.amount as spent, kept.reserved - ended.held as reserved, kept.oldest`

/** Sources to be joined to `asked`. */
export const standingSources = sql`
  cross join lateral (
    select coalesce(sum(x.spent_nano), 0) as spent, coalesce(sum(x.reserved_nano), 0) as reserved,
      min(x.bucket) filter (where x.spent_nano <> 0 or x.reserved_nano <> 0) as oldest
    from gateway_budget_balance x
    where x.budget_id = asked.budget_id and x.bucket >= asked.since) as kept
  cross join lateral (
    select coalesce(sum(s.amount_nano), 0) as amount, coalesce(sum(h.amount_nano), 0) as held
    from gateway_budget_settled s
    join gateway_budget_hold h on h.tenant_id = s.tenant_id and h.id = s.id
    where s.budget_id = asked.budget_id and h.bucket >= asked.since) as ended
  cross join lateral (
    select coalesce(sum(s.amount_nano - swept.amount_nano), 0) as amount
    from gateway_budget_settled s
    join gateway_budget_spend swept on swept.tenant_id = s.tenant_id and swept.id = s.id
    where s.budget_id = asked.budget_id and swept.bucket >= asked.since and ${guessed}
      and not exists (
        select from gateway_budget_spend once where once.tenant_id = s.tenant_id and once.id = ${lateId})) as late`

export interface StandingRow {
  readonly budget_id: string
  readonly spent: string
  readonly reserved: string
  readonly oldest: string | null
}

export interface Standing {
  readonly spent: Nano
  readonly reserved: Nano
  /** Time at which a currently counted amount stops counting; null if there is none. */
  readonly resetsAt: string | null
}

export interface Counted {
  readonly id: string
  readonly rule: WindowRule
  readonly window: Window
}

export const isoOf = (ms: number): string => new Date(ms).toISOString()

export function standingOf(row: StandingRow, { rule, window }: Pick<Counted, 'rule' | 'window'>): Standing {
  const oldest = row.oldest === null ? null : bucketEnds(rule, window, Date.parse(row.oldest))
  // A calendar window resets even if nothing was spent in it.
  const resets = rule.kind === 'rolling' ? oldest : window.until
  return {
    spent: BigInt(row.spent),
    reserved: BigInt(row.reserved),
    resetsAt: resets === null ? null : isoOf(resets),
  }
}

/** The standing of each budget in its window. */
export async function standingsOf(tx: Tx, budgets: readonly Counted[]): Promise<ReadonlyMap<string, Standing>> {
  if (budgets.length === 0) return new Map()
  const rows = await tx.query(
    sql<StandingRow>`
      select asked.budget_id, ${standingColumns}
      from unnest(${budgets.map(({ id }) => id)}::uuid[],
        ${budgets.map(({ window }) => isoOf(window.since))}::timestamptz[]) as asked (budget_id, since)
      ${standingSources}`,
  )
  const found = new Map(rows.map((row) => [row.budget_id, row]))
  return new Map(
    budgets.flatMap((budget) => {
      const row = found.get(budget.id)
      return row === undefined ? [] : [[budget.id, standingOf(row, budget)] as const]
    }),
  )
}
