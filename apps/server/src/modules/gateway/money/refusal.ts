import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Standing } from '../budgets/standing.ts'
import { errors } from '../declared/errors.ts'
import { formatAmount, type Nano } from '../prices/amounts.ts'
import type { Hold } from './hold.ts'

export interface Refusing {
  readonly hold: Hold
  readonly standing: Standing
  readonly amount: Nano
}

/** Every 429 has a Retry-After; if waiting does not help, a person has to change something first. */
const untilSomebodyActs = 86_400

/** A refusal that waiting does not resolve. */
export function lastingRefusal(what: string): ProblemError {
  return refusal(what, untilSomebodyActs)
}

function refusal(what: string, seconds: number): ProblemError {
  return errors.budgetExceeded({ what }).withHeaders({ 'x-should-retry': 'false', 'retry-after': String(seconds) })
}

/** Reports the remaining amount, with the numbers of the list of budgets, and the time of the next increase. */
export function budgetRefusal({ hold, standing, amount }: Refusing, now: number): ProblemError {
  const { budget } = hold
  const { spent, reserved, resetsAt } = standing
  const remaining = formatAmount(amount - spent - reserved)
  const seconds = resetsAt === null ? untilSomebodyActs : Math.max(1, Math.ceil((Date.parse(resetsAt) - now) / 1000))
  const what = `The budget ${budget.name} has ${remaining} ${budget.currency} left; this call may cost ${formatAmount(hold.amount)}.`
  return refusal(what, seconds).withMembers({
    budget: {
      id: budget.id,
      name: budget.name,
      amount: formatAmount(amount),
      spent: formatAmount(spent),
      reserved: formatAmount(reserved),
      remaining,
      required: formatAmount(hold.amount),
      currency: budget.currency,
      resets_at: resetsAt,
    },
  })
}
