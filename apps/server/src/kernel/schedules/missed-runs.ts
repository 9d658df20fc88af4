/** Selects the due runs to make: runs missed while no process ran follow the policy of their schedule. Pure. */

/** `skip`: they are left out. `run_once`: the newest stands for all. `run_all`: each is made up for, up to a bound. */
export type MissedRunPolicy = 'skip' | 'run_once' | 'run_all'

/** A run is missed that could not begin within a minute. */
export const graceMs = 60_000

export interface Firing {
  /** The time it was due, in Unix milliseconds. */
  readonly at: number
  /** Runs before it that are not made; 100 stands for that many and more. */
  readonly missed: number
}

export interface MissedRuns {
  readonly policy: MissedRunPolicy
  /** The most runs that `run_all` makes at a time. */
  readonly mostRuns: number
}

/** @param runs that are due, oldest first */
export function firingsOf({ policy, mostRuns }: MissedRuns, runs: readonly number[], now: number): readonly Firing[] {
  const at = runs.at(-1)
  if (at === undefined) return []
  const newest = { at, missed: runs.length - 1 }
  if (policy === 'run_once') return [newest]
  if (policy === 'skip') return now - at <= graceMs ? [newest] : []
  const made = runs.slice(-mostRuns)
  return made.map((run, index) => ({ at: run, missed: index === 0 ? runs.length - made.length : 0 }))
}
