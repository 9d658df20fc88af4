/**
 * Score and rating of a risk. Qualitative: NIST SP 800-30 Rev. 1, table I-2 (likelihood × impact) with the bands of table
 * I-3. Quantitative: 100·x/(x+t) with x the 95 % value at risk of annual loss and t the tolerance, so that 50 is exactly
 * at the tolerance. Pure. Tested in score.test.ts.
 */
import { type Rating, ratings } from './words.ts'

/** Table I-2: rows likelihood 1..5, columns impact 1..5; an entry is the place of its rating among `ratings`. */
const matrix = [
  [0, 0, 0, 1, 1],
  [0, 1, 1, 1, 2],
  [0, 1, 2, 2, 3],
  [0, 1, 2, 3, 4],
  [0, 1, 2, 3, 4],
] as const

/** Upper end of each band of table I-3, and the middle of each band. */
const bandEnds = [4, 20, 79, 95] as const
const midpoints: readonly number[] = [2, 12.5, 50, 87.5, 98]

/** Level of a risk as people judged it. */
export interface Judgment {
  /** 1 very low to 5 very high. */
  readonly likelihood: number
  readonly impact: number
}

/** 0..100: the middle of the band of the matrix cell. @throws RangeError for values outside 1..5 */
export function qualitativeScore({ likelihood, impact }: Judgment): number {
  const score = midpoints[matrix[likelihood - 1]?.[impact - 1] ?? -1]
  if (score === undefined) throw new RangeError(`No cell at likelihood ${likelihood} and impact ${impact}`)
  return score
}

/** 0..100 with two decimals. @param var95 annual loss, 0 or more @param tolerance above 0, in the same currency */
export function quantitativeScore(var95: number, tolerance: number): number {
  return Math.round((10_000 * var95) / (var95 + tolerance)) / 100
}

/** Band of a score. A score between two bands belongs to the lower one until it reaches the next band's first number. */
export function ratingOf(score: number): Rating {
  const place = bandEnds.findIndex((end) => score < end + 1)
  return ratings[place < 0 ? ratings.length - 1 : place] ?? 'very_high'
}

/** Whether a rating is high enough that a risk without money counts as above its tolerance. */
export const isHigh = (rating: Rating): boolean => ratings.indexOf(rating) >= ratings.indexOf('high')
