/**
 * Reports once per level and window that a budget has reached it. Levels follow from the ledger; a refused call counts
 * as the last level of a hard budget, because it may refuse with money left. Tested in alarm.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { formatAmount } from '../prices/amounts.ts'
import type { Budget } from './budget.ts'
import { budgetExceeded, budgetWarned } from './events.ts'
import { isoOf, type Standing, standingsOf } from './standing.ts'
import { type BudgetRow, budgets } from './tables.ts'
import { type WindowRule, windowAt } from './windows.ts'

const full = 100

export interface Alarm {
  /** Runs in the background, once per window in this process. */
  exceeded(tenantId: TenantId, budget: Budget, at: number): void
}

/** Windows remembered; a forgotten one costs one statement without effect. */
const mostRemembered = 10_000

export function createAlarm(kernel: Kernel): Alarm {
  const told = new Set<string>()
  return {
    exceeded: (tenantId, { id, rule }, at) => {
      const place = `${id}/${period(rule, at)}`
      if (told.has(place)) return
      if (told.size >= mostRemembered) told.clear()
      told.add(place)
      const work = kernel.db.tenant({ tenantId }, (tx) => raiseAlarms(kernel, tx, { ids: [id], refused: true }))
      kernel.background('tell that a budget is exceeded', work)
    },
  }
}

/** A rolling window has no beginning: its levels are reported once per length of it. */
function period(rule: WindowRule, at: number): number {
  if (rule.kind !== 'rolling') return windowAt(rule, at).bucket
  const length = (rule.hours ?? 1) * 3_600_000
  return Math.floor(at / length) * length
}

export function ruleOf(row: Pick<BudgetRow, 'window_kind' | 'window_hours' | 'time_zone'>): WindowRule {
  return { kind: row.window_kind, hours: row.window_hours, timeZone: row.time_zone }
}

interface Raising {
  readonly ids: readonly string[]
  /** Whether one of them has refused a call. */
  readonly refused?: boolean
}

/** Checks the budgets again and emits the levels not reported yet. */
export async function raiseAlarms(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { ids, refused = false }: Raising,
): Promise<void> {
  const rows = await tx.query(
    sql<BudgetRow>`
      select ${budgets.columns} from gateway_budget
      where id = any(${[...ids]}::uuid[]) and status = 'active' order by id`,
  )
  const now = clock.now()
  const counted = rows.map((row) => ({ id: row.id, rule: ruleOf(row), window: windowAt(ruleOf(row), now) }))
  const standings = await standingsOf(tx, counted)
  for (const row of rows) {
    const standing = standings.get(row.id)
    if (standing !== undefined) await raise(tx, { row, standing, at: now, refused })
  }
}

interface Raised {
  readonly row: BudgetRow
  readonly standing: Standing
  readonly at: number
  readonly refused: boolean
}

async function raise(tx: Tx, { row, standing, at, refused }: Raised): Promise<void> {
  const amount = BigInt(row.amount_nano)
  const levels = [...new Set([...row.alert_at, full])]
  const reached = levels.filter(
    (level) =>
      (refused && level === full) ||
      (standing.spent > 0n && standing.spent * 100n >= amount * BigInt(level) && row.alert_at.includes(level)),
  )
  if (reached.length === 0) return
  const fresh = await tx.query(
    sql<{ level: number }>`
      insert into gateway_budget_alert (budget_id, bucket, level, at)
      select ${row.id}::uuid, ${isoOf(period(ruleOf(row), at))}::timestamptz, level, ${isoOf(at)}::timestamptz
      from unnest(${reached}::int[]) as level
      on conflict do nothing
      returning level`,
  )
  for (const { level } of [...fresh].sort((a, b) => a.level - b.level)) {
    const data = {
      budget_id: row.id,
      scope: row.scope,
      level,
      spent: formatAmount(standing.spent),
      amount: formatAmount(amount),
      currency: row.currency,
      resets_at: standing.resetsAt,
    }
    await tx.emit(level >= full ? budgetExceeded : budgetWarned, row.id, data)
  }
}
