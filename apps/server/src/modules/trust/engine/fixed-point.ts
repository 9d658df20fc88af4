/** Points 0..100 as an integer number of hundredths, 0..10000. Every score is one of these. */
export type Hundredths = number

/** A share 0..1 as an integer number of ten-thousandths. Weights, confidence and coverage. */
export type TenThousandths = number

/** A share 0..1 as an integer number of millionths. Freshness. */
export type Millionths = number

export const FULL_SCORE: Hundredths = 10_000
export const WHOLE: TenThousandths = 10_000
export const ONE_MILLION: Millionths = 1_000_000

/**
 * `numerator / denominator` rounded half up. Both non-negative, the denominator above zero, twice the numerator
 * below 2^53; with integers the answer is exact, because a quotient that close to a boundary would need more than
 * 53 bits to be told apart from it.
 */
export function divideHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** Points 0..100 to hundredths, half up. */
export function toHundredths(points: number): Hundredths {
  return Math.floor(points * 100 + 0.5)
}

/** Hundredths to points: the double nearest to the two-decimal number. */
export function toPoints(hundredths: Hundredths): number {
  return hundredths / 100
}

/** A share 0..1 to ten-thousandths, to the nearest. */
export function toTenThousandths(share: number): TenThousandths {
  return Math.floor(share * WHOLE + 0.5)
}

/** A share 0..1 to millionths, half up. */
export function toMillionths(share: number): Millionths {
  return Math.floor(share * ONE_MILLION + 0.5)
}

/** True when a share is written with at most four decimals, so that nothing is lost in ten-thousandths. */
export function isTenThousandths(share: number): boolean {
  return toTenThousandths(share) / WHOLE === share
}

export interface Weighted {
  readonly weight: number
  readonly value: number
}

/** Weighted mean of integers, half up; `null` when the weights add up to nothing. Independent of order. */
export function weightedMean(terms: readonly Weighted[]): number | null {
  let total = 0
  let weights = 0
  for (const { weight, value } of terms) {
    total += weight * value
    weights += weight
  }
  return weights === 0 ? null : divideHalfUp(total, weights)
}
