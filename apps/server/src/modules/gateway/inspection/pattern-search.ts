import type { PatternFinder } from '../detection/finders.ts'
import type { WithPlan } from '../plan/call-plan.ts'

export interface PatternSearch {
  /** Finds all matches of the patterns in texts, for removal. @throws Error if the thread failed */
  everyPattern(
    state: WithPlan,
    patterns: readonly string[],
    texts: readonly string[],
  ): PatternFinder | Promise<PatternFinder>
}
