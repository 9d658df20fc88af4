/** Families of distributions and their parameters, as JSON. Money, rates and probabilities are plain numbers. */
export type Distribution =
  | { readonly type: 'constant'; readonly value: number }
  | { readonly type: 'uniform'; readonly low: number; readonly high: number }
  | { readonly type: 'triangular'; readonly low: number; readonly mode: number; readonly high: number }
  | {
      readonly type: 'pert'
      readonly low: number
      readonly mode: number
      readonly high: number
      /** Weight of the mode, default 4. */
      readonly shape?: number
      /** `sigma6` sets the standard deviation to (high - low) / 6, as pyfair does. */
      readonly variant?: 'standard' | 'sigma6'
    }
  | {
      readonly type: 'beta'
      readonly alpha: number
      readonly beta: number
      readonly low?: number
      readonly high?: number
    }
  | {
      readonly type: 'truncated_normal'
      /** Mean and standard deviation before truncation. */
      readonly mean: number
      readonly sd: number
      readonly low: number
      readonly high: number
    }
  | { readonly type: 'lognormal'; readonly mean: number; readonly sd: number }
  | { readonly type: 'lognormal_interval'; readonly p05: number; readonly p95: number }
  | { readonly type: 'gamma'; readonly shape: number; readonly scale: number }
  | { readonly type: 'exponential'; readonly mean: number }
  | { readonly type: 'weibull'; readonly shape: number; readonly scale: number }
  | { readonly type: 'pareto'; readonly minimum: number; readonly shape: number }
  | {
      readonly type: 'generalized_pareto'
      readonly location: number
      readonly scale: number
      readonly shape: number
    }
  | { readonly type: 'empirical'; readonly sample: readonly number[] }
  | { readonly type: 'discrete'; readonly values: readonly number[]; readonly probabilities: readonly number[] }

/** A model that cannot be evaluated: `pointer` is the JSON pointer (RFC 6901) of the field at fault. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** A probability law ready for evaluation. */
export interface Law {
  /** Bounds of the support; `high` may be Infinity. */
  readonly low: number
  readonly high: number
  readonly mean: number
  /** Infinity where the integral diverges. */
  readonly variance: number
  /** P(X <= x). */
  cdf(x: number): number
  /** Smallest x with P(X <= x) >= p. */
  quantile(p: number): number
  /** quantile(1 - q), accurate for small q. */
  upperQuantile(q: number): number
  /** Parameters of the beta law on [low, high], where it is one: lets the exact engine use Gauss–Jacobi nodes. */
  readonly beta?: { readonly alpha: number; readonly beta: number }
  /** Values in rising order with their probabilities, where the law is discrete. */
  readonly atoms?: { readonly values: readonly number[]; readonly probabilities: readonly number[] }
}
