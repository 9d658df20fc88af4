/**
 * Smooth weighted round robin: in a run of as many turns as the weights add up to, each target has exactly as many turns
 * as its weight, spread out and not in a row. Tested in strategies.test.ts.
 */
import type { Candidate } from '../route-model/strategy.ts'

export interface Turns {
  /** The next candidate; null when none of them has a weight. */
  next<C extends Candidate>(candidates: readonly C[]): C | null
}

export function createTurns(): Turns {
  /** Credit of each candidate towards its next turn. */
  const saved = new Map<string, number>()
  return {
    next: <C extends Candidate>(candidates: readonly C[]): C | null => {
      const total = candidates.reduce((sum, { weight }) => sum + weight, 0)
      let best: C | null = null
      let most = Number.NEGATIVE_INFINITY
      for (const candidate of candidates) {
        if (candidate.weight === 0) continue
        const now = (saved.get(candidate.key) ?? 0) + candidate.weight
        saved.set(candidate.key, now)
        if (now > most) {
          most = now
          best = candidate
        }
      }
      if (best !== null) saved.set(best.key, most - total)
      return best
    },
  }
}
