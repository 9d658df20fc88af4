/**
 * Solves f(x) = 0 for a non-decreasing f by Halley steps that fall back to bisection.
 * @param slope derivative of f; @param bend f'' / f'.
 * @param low, high bracket of the root, finite.
 */
export function solveIncreasing(
  f: (x: number) => number,
  slope: (x: number) => number,
  bend: (x: number) => number,
  bracket: { readonly low: number; readonly high: number; readonly guess: number; readonly steps?: number },
): number {
  let { low, high } = bracket
  let x = bracket.guess > low && bracket.guess < high ? bracket.guess : 0.5 * (low + high)
  for (let step = 0; step < (bracket.steps ?? 200); step += 1) {
    const value = f(x)
    if (value === 0) return x
    if (value < 0) low = x
    else high = x
    const newton = value / slope(x)
    const halley = newton / (1 - 0.5 * clamp(newton * bend(x)))
    let next = x - halley
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high)
      if (high - low > 1e-15 * Math.abs(next)) {
        x = next
        continue
      }
    }
    // Halley's error is cubic: after a step this small the next one would be below rounding.
    if (Math.abs(next - x) <= 1e-6 * Math.abs(next) || next === low || next === high) return next
    x = next
  }
  return x
}

function clamp(value: number): number {
  return value > 1 ? 1 : value < -1 ? -1 : value
}
