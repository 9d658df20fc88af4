/** Exact law of annual loss on a grid. */
export interface LossGrid {
  /** Probability of each multiple of the step; consumed. */
  readonly mass: Float64Array
  readonly step: number
  readonly mean: number
  readonly variance: number
  readonly noLoss: number
}

/** Law of annual loss: an atom at 0 and mass spread evenly within each step of the grid. */
export class AnnualLossLaw {
  readonly mean: number
  /** Infinity where it diverges. */
  readonly variance: number
  /** Probability of a year without loss. */
  readonly noLoss: number
  readonly step: number
  /** P(S <= (i + 1/2) step). */
  readonly #cumulative: Float64Array
  /** E[min(S, (i + 1/2) step)]. */
  readonly #limited: Float64Array

  constructor({ mass, step, mean, variance, noLoss }: LossGrid) {
    this.mean = mean
    this.variance = variance
    this.noLoss = noLoss
    this.step = step
    const limited = new Float64Array(mass.length)
    let sum = 0
    let area = 0
    for (let i = 0; i < mass.length; i += 1) {
      const before = i === 0 ? noLoss : sum
      sum = Math.min(1, Math.max(before, sum + (mass[i] ?? 0)))
      // The survival function falls linearly within a step.
      area += (i === 0 ? 0.5 : 1) * step * (1 - 0.5 * (before + sum))
      mass[i] = sum
      limited[i] = area
    }
    this.#cumulative = mass
    this.#limited = limited
  }

  get sd(): number {
    return Math.sqrt(this.variance)
  }

  /** P(S <= x). */
  cdf(x: number): number {
    if (x < 0) return 0
    const { i, share, before } = this.#locate(x)
    return i >= this.#cumulative.length ? 1 : before + share * ((this.#cumulative[i] ?? 1) - before)
  }

  /** P(S > x). */
  exceedance(x: number): number {
    return 1 - this.cdf(x)
  }

  /** Smallest loss x with P(S <= x) >= p, 0 < p < 1: value at risk at the level p. */
  quantile(p: number): number {
    if (p <= this.noLoss) return 0
    const cumulative = this.#cumulative
    let [low, high] = [0, cumulative.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] ?? 1) < p) low = middle + 1
      else high = middle
    }
    const before = low === 0 ? this.noLoss : (cumulative[low - 1] ?? 0)
    const mass = (cumulative[low] ?? 1) - before
    const share = mass > 0 ? Math.min(1, (p - before) / mass) : 1
    return low === 0 ? 0.5 * share * this.step : (low - 0.5 + share) * this.step
  }

  /** Mean of the worst 1 - p of years (expected shortfall), from the exact mean and the law below the quantile. */
  tailMean(p: number): number {
    const at = this.quantile(p)
    return at + (this.mean - this.limitedMean(at)) / (1 - p)
  }

  /** E[min(S, x)]. */
  limitedMean(x: number): number {
    if (x <= 0) return 0
    const { i, share, before } = this.#locate(x)
    if (i >= this.#cumulative.length) return this.mean
    const width = share * (i === 0 ? 0.5 : 1) * this.step
    const atX = before + share * ((this.#cumulative[i] ?? 1) - before)
    return (i === 0 ? 0 : (this.#limited[i - 1] ?? 0)) + width * (1 - 0.5 * (before + atX))
  }

  #locate(x: number): { readonly i: number; readonly share: number; readonly before: number } {
    const position = x / this.step + 0.5
    const i = Math.floor(position)
    if (i === 0) return { i, share: 2 * (position - 0.5), before: this.noLoss }
    return { i, share: position - i, before: this.#cumulative[i - 1] ?? 1 }
  }
}
