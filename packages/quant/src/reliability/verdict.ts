import { normalQuantile } from '../numeric/normal.ts'
import { wilsonInterval } from '../statistics/wilson.ts'
import type { Interval } from '../summary/summary.ts'

export interface Verdict {
  /** `met`: the lower bound reaches the level. `not_met`: the upper bound stays below it. */
  readonly verdict: 'met' | 'not_met' | 'uncertain'
  /** Share of recoveries within the objective; null without a recovery. */
  readonly share: number | null
  /** 95 % Wilson interval of the share. */
  readonly interval: Interval
  /** Estimate of the further recoveries that would settle an uncertain verdict; null where none can tell. */
  readonly furtherTrials: number | null
}

/**
 * Judges an objective such as "recovered within the RTO" at a target level (0.95 by default): met, not met, or uncertain
 * with the number of further trials that would decide if the share stayed as it is.
 */
export function judgeObjective(within: number, trials: number, level = 0.95): Verdict {
  if (!(level > 0 && level < 1)) throw new RangeError(`Level must be inside 0..1, got ${level}`)
  if (trials === 0) return { verdict: 'uncertain', share: null, interval: { low: 0, high: 1 }, furtherTrials: null }
  const interval = wilsonInterval(within, trials)
  const share = within / trials
  if (interval.low >= level) return { verdict: 'met', share, interval, furtherTrials: 0 }
  if (interval.high < level) return { verdict: 'not_met', share, interval, furtherTrials: 0 }
  return { verdict: 'uncertain', share, interval, furtherTrials: furtherTrials(share, trials, level) }
}

/**
 * The Wilson interval excludes the level when `(p̂ − level)² > z²·level·(1 − level)/n` (the score test it inverts).
 */
function furtherTrials(share: number, trials: number, level: number): number | null {
  const distance = share - level
  if (distance === 0) return null
  const z = normalQuantile(0.975)
  return Math.max(1, Math.ceil((z * z * level * (1 - level)) / (distance * distance)) - trials)
}
