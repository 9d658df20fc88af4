/** Breaches of probes over time: when to abort, how much was met, when it came back. Pure. Tested in watch.test.ts. */

import type { ExperimentRow } from '../declared/experiment-schema.ts'
import type { ProbeResult } from './probes.ts'

/** Breaches in a row after which an experiment is aborted. */
const mostInARow = 2

export interface Watch {
  /** Takes the results of one look. Gives the cause to abort, or null. */
  see(results: readonly ProbeResult[], atMs: number, isGuard: (name: string) => boolean): string | null
  /** Checks of the hypothesis so far. */
  checks(): ExperimentRow['checks']
  /** Unix milliseconds of the first breach of the hypothesis; null without one. */
  breachedAtMs(): number | null
}

export function createWatch(): Watch {
  const inARow = new Map<string, number>()
  let [met, total] = [0, 0]
  let firstMs: number | null = null
  return {
    see: (results, atMs, isGuard) => {
      let cause: string | null = null
      for (const { name, within, hard } of results) {
        const guard = isGuard(name)
        if (!guard) {
          total += 1
          if (within) met += 1
          else firstMs ??= atMs
        }
        const count = within ? 0 : (inARow.get(name) ?? 0) + 1
        inARow.set(name, count)
        if (count >= (hard ? 1 : mostInARow)) cause ??= `${guard ? 'guard' : 'hypothesis'}: ${name}`
      }
      return cause
    },
    checks: () => ({ met, total }),
    breachedAtMs: () => firstMs,
  }
}

/** The verdict of an experiment that ended. */
export function verdictOf({
  checks,
  cause,
  affected,
}: {
  readonly checks: ExperimentRow['checks']
  readonly cause: string | null
  readonly affected: number
}): NonNullable<ExperimentRow['verdict']> {
  if (checks.met < checks.total) return 'deviated'
  const isCutShort = cause !== null && !cause.startsWith('hypothesis')
  return checks.total === 0 || affected === 0 || isCutShort ? 'inconclusive' : 'hypothesis_met'
}
