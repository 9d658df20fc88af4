import { exp, log } from '../numeric/exp-log.ts'
import type { Rule } from '../numeric/quadrature.ts'
import { rotation } from '../numeric/trigonometry.ts'
import type { ScenarioPlan } from './fair-model.ts'

/**
 * Transform of the annual loss at one frequency, from that of the primary loss (a + ib) and of the secondary loss
 * (c + id); writes real and imaginary part into `out`.
 */
export type CountEvaluator = (a: number, b: number, c: number, d: number, out: Float64Array) => void

/** Mixture of the count law's generating function over rates and secondary probabilities. */
export function countTransform(count: ScenarioPlan['count'], rate: Rule, secondary: Rule): CountEvaluator {
  const rates = Float64Array.from(rate.nodes)
  const rateWeights = Float64Array.from(rate.weights)
  const probabilities = Float64Array.from(secondary.nodes)
  const weights = Float64Array.from(secondary.weights)
  const inner = generatingFunction(count)
  return (a, b, c, d, out) => {
    let real = 0
    let imaginary = 0
    for (let j = 0; j < probabilities.length; j += 1) {
      // Loss per event: (a + ib) (1 + p (c - 1 + id)), less 1.
      const p = probabilities[j] ?? 0
      const re = 1 + p * (c - 1)
      const im = p * d
      inner(a * re - b * im - 1, a * im + b * re, rates, rateWeights, out)
      real += (weights[j] ?? 0) * (out[0] ?? 0)
      imaginary += (weights[j] ?? 0) * (out[1] ?? 0)
    }
    out[0] = real
    out[1] = imaginary
  }
}

type Inner = (x: number, y: number, rates: Float64Array, weights: Float64Array, out: Float64Array) => void

/** Σ w G_λ(1 + x + iy). */
function generatingFunction(count: ScenarioPlan['count']): Inner {
  switch (count.law) {
    case 'poisson':
      return poisson
    case 'bernoulli':
      return (x, y, rates, weights, out) => {
        let mean = 0
        for (let i = 0; i < rates.length; i += 1) mean += (weights[i] ?? 0) * (rates[i] ?? 0)
        out[0] = 1 + mean * x
        out[1] = mean * y
      }
    case 'negative_binomial':
      return (x, y, rates, weights, out) => negativeBinomial(count.dispersion, x, y, { rates, weights, out })
    case 'annual_loss':
      return (x, y, _rates, _weights, out) => {
        out[0] = 1 + x
        out[1] = y
      }
  }
}

function poisson(x: number, y: number, rates: Float64Array, weights: Float64Array, out: Float64Array): void {
  let real = 0
  let imaginary = 0
  for (let i = 0; i < rates.length; i += 1) {
    const lambda = rates[i] ?? 0
    const size = (weights[i] ?? 0) * exp(lambda * x)
    rotation(lambda * y, out)
    real += size * (out[0] ?? 0)
    imaginary += size * (out[1] ?? 0)
  }
  out[0] = real
  out[1] = imaginary
}

/** (1 - αλ(x + iy))^(-1/α) in polar form; the base keeps right of the imaginary axis, so its angle is unique. */
function negativeBinomial(
  alpha: number,
  x: number,
  y: number,
  { rates, weights, out }: { rates: Float64Array; weights: Float64Array; out: Float64Array },
): void {
  let real = 0
  let imaginary = 0
  for (let i = 0; i < rates.length; i += 1) {
    const re = 1 - alpha * (rates[i] ?? 0) * x
    const im = -alpha * (rates[i] ?? 0) * y
    const size = (weights[i] ?? 0) * exp((-0.5 * log(re * re + im * im)) / alpha)
    const angle = -arctangent(im / re) / alpha
    rotation(angle, out)
    real += size * (out[0] ?? 0)
    imaginary += size * (out[1] ?? 0)
  }
  out[0] = real
  out[1] = imaginary
}

/** Arctangent by three halvings of the angle and its power series. */
function arctangent(t: number): number {
  let x = t
  for (let i = 0; i < 3; i += 1) x /= 1 + Math.sqrt(1 + x * x)
  const z = x * x
  let sum = 0
  for (let k = 12; k >= 0; k -= 1) sum = 1 / (2 * k + 1) - z * sum
  return 8 * x * sum
}
