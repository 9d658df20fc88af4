/** The scores of a risk from its levels and the appetite it is held to. Pure. Tested in register.test.ts. */
import type { Appetite } from '../scoring/appetite.ts'
import { isHigh, qualitativeScore, quantitativeScore, ratingOf } from '../scoring/score.ts'
import type { Level } from './parts.ts'
import type { RiskRow } from './schema.ts'

type Levels = Pick<RiskRow, 'inherent' | 'residual' | 'target'>
type Scored = Levels & Pick<RiskRow, 'score' | 'rating' | 'above_tolerance'>

/** Money where an analysis gave it and the appetite is in the same currency, else the judgment of people. */
export function rescored({ inherent, residual, target }: Levels, appetite: Appetite | null): Scored {
  const scored = {
    inherent: scoredLevel(inherent, appetite),
    residual: residual === null ? null : scoredLevel(residual, appetite),
    target: target === null ? null : scoredLevel(target, appetite),
  }
  const counts = scored.residual === null || scored.residual.score === null ? scored.inherent : scored.residual
  const score = counts.score ?? 0
  const rating = ratingOf(score)
  const tolerance = toleranceFor(counts, appetite)
  const above = tolerance === null ? isHigh(rating) : (counts.var95 ?? 0) > tolerance
  return { ...scored, score, rating, above_tolerance: above }
}

function scoredLevel(level: Level, appetite: Appetite | null): Level {
  const score = scoreOf(level, appetite)
  return { ...level, score, rating: score === null ? null : ratingOf(score) }
}

function scoreOf(level: Level, appetite: Appetite | null): number | null {
  const tolerance = toleranceFor(level, appetite)
  if (tolerance !== null) return quantitativeScore(level.var95 ?? 0, tolerance)
  const { likelihood, impact } = level
  return likelihood === null || impact === null ? null : qualitativeScore({ likelihood, impact })
}

/** Null where a level has no money, or money of another currency than the appetite. */
function toleranceFor({ var95, currency }: Level, appetite: Appetite | null): number | null {
  return var95 === null || appetite === null || currency !== appetite.currency ? null : Number(appetite.tolerance)
}
