import { judgeObjective } from '@parapet/quant'
import type { Estimate } from '../declared/model-schema.ts'

/** Verdict of measured recoveries on an objective. */
export function measuredEstimate(
  minutes: readonly number[],
  { evidence, ageDays, objective, level = 0.95 }: Measured,
): Estimate | null {
  if (minutes.length === 0) return null
  const sorted = minutes.toSorted((a, b) => a - b)
  const at = (p: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? 0
  const judged =
    objective === null ? null : judgeObjective(sorted.filter((each) => each <= objective).length, sorted.length, level)
  return {
    evidence,
    age_days: ageDays,
    n: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    p_within: judged?.share ?? null,
    interval: judged === null ? null : { ...judged.interval },
    verdict: judged?.verdict ?? 'no_objective',
    further_trials: judged?.furtherTrials ?? null,
  }
}

export interface Measured {
  readonly evidence: Estimate['evidence']
  readonly ageDays: number
  readonly objective: number | null
  readonly level: number | undefined
}
