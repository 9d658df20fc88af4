/** Maps a model's raw probability to the detector's scale; both 0..1. Monotone and continuous. */
export interface ScoreTable {
  scoreOf(raw: number): number
}

/** A raw probability and the score that stands for it. */
export type ScorePoint = readonly [raw: number, score: number]

/**
 * A table that is linear between its points and level outside of them. Fit the points on harmless texts: where 1 % of
 * them reach a raw value, its score is 0.5; where 0.1 % do, 0.9.
 * @throws RangeError for fewer than two points, values outside 0..1, raw values that do not rise or scores that fall.
 */
export function createScoreTable(points: readonly ScorePoint[]): ScoreTable {
  const fault = faultOf(points)
  if (fault !== undefined) throw new RangeError(`A score table ${fault}`)
  const table = points.map(([raw, score]): ScorePoint => [raw, score])
  return { scoreOf: (raw) => interpolate(table, raw) }
}

function faultOf(points: readonly ScorePoint[]): string | undefined {
  if (points.length < 2) return 'needs two points or more.'
  if (points.flat().some((value) => !(value >= 0 && value <= 1))) return 'holds probabilities and scores of 0 to 1.'
  for (const [index, [raw, score]] of points.entries()) {
    const [rawBefore, scoreBefore] = points[index - 1] ?? [-1, 0]
    if (raw <= rawBefore) return `has raw values that rise; point ${index + 1} does not.`
    if (score < scoreBefore) return `has scores that never fall; point ${index + 1} does.`
  }
  return undefined
}

function interpolate(points: readonly ScorePoint[], raw: number): number {
  let [fromRaw, fromScore] = points[0] ?? [0, 0]
  if (raw <= fromRaw) return fromScore
  for (const [toRaw, toScore] of points) {
    // Clamped, so that rounding in the product can never step over the next point.
    if (raw <= toRaw)
      return Math.min(toScore, fromScore + ((toScore - fromScore) * (raw - fromRaw)) / (toRaw - fromRaw))
    fromRaw = toRaw
    fromScore = toScore
  }
  return fromScore
}
