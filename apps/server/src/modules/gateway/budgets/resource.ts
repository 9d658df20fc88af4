import { formatAmount, type Nano } from '../prices/amounts.ts'
import type { Budget } from './schemas.ts'
import type { Standing } from './standing.ts'
import type { BudgetRow } from './tables.ts'
import type { Window } from './windows.ts'

interface Moment {
  readonly window: Window
  readonly now: number
}

export function budgetOf(row: BudgetRow, standing: Standing, moment: Moment): Budget {
  const { amount_nano, window_kind, version: _version, ...facts } = row
  const amount = BigInt(amount_nano)
  return {
    ...facts,
    amount: formatAmount(amount),
    window: window_kind,
    spent: formatAmount(standing.spent),
    reserved: formatAmount(standing.reserved),
    remaining: formatAmount(amount - standing.spent - standing.reserved),
    resets_at: standing.resetsAt,
    forecast: forecastOf(row, standing.spent, moment),
  }
}

/** The rate is computed only after one hundredth of the window has passed. */
const leastShare = 100

/** Projected spending at the end of the window at the current rate; null for a rolling window, which has no end. */
function forecastOf({ window_kind: kind }: BudgetRow, spent: Nano, { window, now }: Moment): string | null {
  if (kind === 'rolling') return null
  const [length, passed] = [window.until - window.since, now - window.since]
  if (passed * leastShare < length) return null
  return formatAmount((spent * BigInt(length)) / BigInt(passed))
}
