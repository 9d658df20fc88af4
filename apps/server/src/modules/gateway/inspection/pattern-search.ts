import type { PatternFinder } from '../detection/finders.ts'
import type { WithPlan } from '../plan/call-plan.ts'

export interface PatternSearch {
  /** Finds all that the patterns match in texts, to take it out. @throws Error when the thread could not do it */
  everyPattern(
    state: WithPlan,
    patterns: readonly string[],
    texts: readonly string[],
  ): PatternFinder | Promise<PatternFinder>
}
