/** Work one scan may still spend on costly readings; a unit is about a third of a microsecond. */
export interface Budget {
  left: number
}

/** Takes `units` of work; false, and nothing more to be had, when that is too much. */
export function spend(budget: Budget, units: number): boolean {
  budget.left -= units
  if (budget.left >= 0) return true
  budget.left = -1
  return false
}

export const isSpent = (budget: Budget): boolean => budget.left < 0
