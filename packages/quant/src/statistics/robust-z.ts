/** Factor that makes the median absolute deviation estimate the standard deviation of a normal sample. */
const madScale = 1.4826

/** Middle value; the mean of the two middle values of an even sample. Throws on an empty sample. */
export function median(sample: readonly number[]): number {
  if (sample.length === 0) throw new RangeError('Median of an empty sample')
  const sorted = [...sample].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? 0
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0
  return (lower + upper) / 2
}

/** Median of the absolute deviations from the median. */
export function medianAbsoluteDeviation(sample: readonly number[]): number {
  const middle = median(sample)
  return median(sample.map((value) => Math.abs(value - middle)))
}

/**
 * Deviation of a value from a sample in robust standard deviations: `(y − median)/max(1.4826·MAD, floor)`
 * (NIST/SEMATECH e-Handbook 1.3.5.17).
 *
 * @param floor smallest standard deviation to divide by: 1 for Anscombe-transformed counts, so that a constant history
 *   does not make every new value an outlier
 */
export function robustZ(value: number, sample: readonly number[], floor = 1): number {
  if (!(floor > 0)) throw new RangeError(`Floor must be above 0, got ${floor}`)
  return (value - median(sample)) / Math.max(madScale * medianAbsoluteDeviation(sample), floor)
}

/** Limits of the level-shift rule. */
export interface LevelShiftRule {
  /** One value above this z fires. */
  readonly single: number
  /** Two consecutive values above this z fire. */
  readonly repeated: number
}

/** 0.010 and 0.001 false alarms per agent-week on negative-binomial traffic of hour-of-week buckets. */
export const defaultLevelShiftRule: LevelShiftRule = { single: 6, repeated: 3.5 }

/** Decides whether the newest robust z, with the one before it, is a level shift. */
export function isLevelShift(
  z: number,
  previous: number | null,
  rule: LevelShiftRule = defaultLevelShiftRule,
): boolean {
  return z > rule.single || (previous !== null && z > rule.repeated && previous > rule.repeated)
}
