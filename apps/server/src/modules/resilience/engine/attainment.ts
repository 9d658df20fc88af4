/** The strongest evidence for an objective, and the verdict. Pure. Tested in attainment.test.ts. */
import type { Attainment, Availability, Estimate } from '../declared/model-schema.ts'
import { evidenceRanks, type VerdictName } from '../declared/words.ts'

const rankOf = ({ evidence }: Estimate): number => evidenceRanks.indexOf(evidence)

/**
 * Of all estimates the one of the highest rank is the best. The verdict is that of the highest rank that decides: a few
 * good recoveries confirm a prediction, and are too few to replace it.
 */
export function attainmentOf(objective: number | null, estimates: readonly (Estimate | null)[]): Attainment {
  const ranked = estimates.flatMap((each) => each ?? []).toSorted((a, b) => rankOf(a) - rankOf(b))
  const isMeasured = ({ evidence }: Estimate): boolean => evidence !== 'simulation' && evidence !== 'declared'
  const decisive =
    objective === null ? undefined : ranked.find(({ verdict }) => verdict === 'met' || verdict === 'not_met')
  return {
    objective_minutes: objective,
    best: ranked[0] ?? null,
    predicted: ranked.find((each) => !isMeasured(each)) ?? null,
    measured: ranked.find(isMeasured) ?? null,
    verdict: objective === null ? 'no_objective' : (decisive?.verdict ?? 'uncertain'),
    decided_by: decisive?.evidence ?? null,
  }
}

const minutesPerYear = 525_600

export function availabilityOf(
  objective: number | null,
  predicted: number | null,
  method: Availability['method'],
): Availability {
  return {
    objective,
    predicted,
    downtime_minutes_per_year: predicted === null ? null : (1 - predicted) * minutesPerYear,
    method: predicted === null ? null : method,
    verdict:
      objective === null
        ? 'no_objective'
        : predicted === null
          ? 'uncertain'
          : predicted >= objective
            ? 'met'
            : 'not_met',
  }
}

/** The worst of several verdicts. */
export function worstOf(verdicts: readonly VerdictName[]): VerdictName {
  for (const verdict of ['not_met', 'uncertain', 'met'] as const) if (verdicts.includes(verdict)) return verdict
  return 'no_objective'
}
