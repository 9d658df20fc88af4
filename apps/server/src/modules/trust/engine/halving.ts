const TERMS = 20
const SMALLEST_EXPONENT = 1075

/**
 * `2^(-x)` for x >= 0, relative error below 1e-15.
 *
 * `Math.pow` may differ in the last bit between engines, and a snapshot must be recomputed to the same number
 * anywhere. Addition, multiplication and division are fixed bit for bit by IEEE 754, so this uses nothing else:
 * the whole part of x by halving (exact), the rest by the series of e^(-y), y = rest * ln 2 < 0.7, whose twentieth
 * term is below 1e-21.
 */
export function halvings(x: number): number {
  if (x >= SMALLEST_EXPONENT) return 0
  const whole = Math.floor(x)
  let power = exponentialOfMinus((x - whole) * Math.LN2)
  for (let i = 0; i < whole; i++) power *= 0.5
  return power
}

function exponentialOfMinus(y: number): number {
  let sum = 1
  for (let term = TERMS; term > 0; term--) sum = 1 - (y / term) * sum
  return sum
}
