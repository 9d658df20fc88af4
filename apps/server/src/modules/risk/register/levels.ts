import type { Judgment } from '../scoring/score.ts'
import type { Level } from './parts.ts'

const empty: Level = {
  likelihood: null,
  impact: null,
  score: null,
  rating: null,
  ale_mean: null,
  var95: null,
  currency: null,
}

/** The level with people's judgment in it; the money of analyses stays. */
export const judged = (level: Level | null, { likelihood, impact }: Judgment): Level => ({
  ...(level ?? empty),
  likelihood,
  impact,
})

/** Without people's judgment; null where no analysis gave it money. */
export const unjudged = (level: Level | null): Level | null =>
  level === null || level.var95 === null ? null : { ...level, likelihood: null, impact: null }

/** The level with the money that an analysis gave. */
export const quantified = (
  level: Level | null,
  money: { readonly mean: number; readonly var95: number; readonly currency: string },
): Level => ({ ...(level ?? empty), ale_mean: money.mean, var95: money.var95, currency: money.currency })
