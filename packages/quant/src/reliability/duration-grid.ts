/**
 * Durations on a grid: sums of independent durations by fast Fourier transform, the longest of several by the product of
 * their distribution functions. Exact up to the step of the grid, which is a 4,096th of the longest possible duration.
 */
import type { Law } from '../distributions/specification.ts'
import { transform } from '../numeric/fft.ts'

/** Probabilities of the durations 0, step, 2 step, …; they add up to 1. */
export interface DurationGrid {
  readonly step: number
  readonly probabilities: Float64Array
}

/** A duration, ready for questions. */
export interface DurationLaw {
  readonly mean: number
  readonly sd: number
  /** P(duration ≤ x). */
  cdf(x: number): number
  /** Smallest x with P(duration ≤ x) ≥ p. */
  quantile(p: number): number
}

const cells = 4_096
/** Share of the tail of each duration that is put into the last cell. */
const tail = 1e-7

/** The sum of independent durations; 0 without any. */
export function sumOfDurations(laws: readonly Law[]): DurationLaw {
  // Constants only move the sum, and a grid would blur them.
  const offset = laws.reduce((sum, { variance, mean }) => (variance === 0 ? sum + mean : sum), 0)
  const varying = laws.filter(({ variance }) => variance !== 0)
  if (varying.length === 0) return constantDuration(offset)
  const step = varying.reduce((sum, law) => sum + upperEnd(law), 0) / (cells - 1)
  const grids = varying.map((law) => gridOf(law, step))
  return later(lawOfGrid({ step, probabilities: grids.reduce(convolve) }), offset)
}

function later(law: DurationLaw, offset: number): DurationLaw {
  if (offset === 0) return law
  return {
    mean: law.mean + offset,
    sd: law.sd,
    cdf: (x) => law.cdf(x - offset),
    quantile: (p) => law.quantile(p) + offset,
  }
}

/** The longest of independent durations; 0 without any. */
export function longestOfDurations(laws: readonly DurationLaw[]): DurationLaw {
  const longest = Math.max(0, ...laws.map((law) => law.quantile(1 - tail)))
  if (longest === 0) return constantDuration(0)
  const step = longest / (cells - 1)
  const cdf = (x: number) => laws.reduce((product, law) => product * law.cdf(x), 1)
  return lawOfGrid({ step, probabilities: masses(cdf, step) })
}

/** A duration that follows one of several laws, with the given weights. */
export function mixtureOfDurations(
  parts: readonly { readonly weight: number; readonly law: DurationLaw }[],
): DurationLaw {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  if (!(total > 0)) throw new RangeError('A mixture needs a weight above 0')
  const mean = parts.reduce((sum, { weight, law }) => sum + (weight / total) * law.mean, 0)
  const square = parts.reduce((sum, { weight, law }) => sum + (weight / total) * (law.sd ** 2 + law.mean ** 2), 0)
  const cdf = (x: number) => parts.reduce((sum, { weight, law }) => sum + (weight / total) * law.cdf(x), 0)
  return {
    ...{ mean, sd: Math.sqrt(Math.max(0, square - mean * mean)), cdf },
    quantile: (p) => bisect(cdf, p, Math.max(...parts.map(({ law }) => law.quantile(1 - tail)))),
  }
}

export function constantDuration(value: number): DurationLaw {
  return { mean: value, sd: 0, cdf: (x) => (x >= value ? 1 : 0), quantile: () => value }
}

function bisect(cdf: (x: number) => number, p: number, high: number): number {
  let [low, up] = [0, high]
  for (let i = 0; i < 60 && up - low > 1e-9 * high; i += 1) {
    const middle = (low + up) / 2
    if (cdf(middle) >= p) up = middle
    else low = middle
  }
  return up
}

const upperEnd = (law: Law): number => Math.max(0, Number.isFinite(law.high) ? law.high : law.upperQuantile(tail))

function gridOf(law: Law, step: number): Float64Array {
  return masses((x) => law.cdf(x), step)
}

/** The mass of the cell around k · step; the first begins below 0, the last has the rest. */
function masses(cdf: (x: number) => number, step: number): Float64Array {
  const found = new Float64Array(cells)
  let before = 0
  for (let k = 0; k < cells; k += 1) {
    const here = k === cells - 1 ? 1 : cdf((k + 0.5) * step)
    found[k] = Math.max(0, here - before)
    before = here
  }
  return found
}

/** The sum of two durations on one grid; the mass beyond its end goes into the last cell. */
function convolve(a: Float64Array, b: Float64Array): Float64Array {
  const length = 2 * cells
  const [realA, imaginaryA] = [new Float64Array(length), new Float64Array(length)]
  const [realB, imaginaryB] = [new Float64Array(length), new Float64Array(length)]
  realA.set(a)
  realB.set(b)
  transform(realA, imaginaryA, 1)
  transform(realB, imaginaryB, 1)
  for (let i = 0; i < length; i += 1) {
    const [x, y, u, v] = [realA[i] ?? 0, imaginaryA[i] ?? 0, realB[i] ?? 0, imaginaryB[i] ?? 0]
    realA[i] = x * u - y * v
    imaginaryA[i] = x * v + y * u
  }
  transform(realA, imaginaryA, -1)
  const sum = new Float64Array(cells)
  for (let i = 0; i < length; i += 1) {
    const at = Math.min(i, cells - 1)
    sum[at] = (sum[at] ?? 0) + Math.max(0, (realA[i] ?? 0) / length)
  }
  return sum
}

function lawOfGrid({ step, probabilities }: DurationGrid): DurationLaw {
  const cumulative = new Float64Array(cells)
  let [sum, mean, square] = [0, 0, 0]
  for (let k = 0; k < cells; k += 1) {
    const p = probabilities[k] ?? 0
    sum += p
    mean += p * k * step
    square += p * (k * step) ** 2
    cumulative[k] = sum
  }
  // Rounding of the transform: what is left of 1 belongs to nobody.
  const scale = sum > 0 ? 1 / sum : 1
  const value = (k: number): number => (k < 0 ? 0 : (cumulative[Math.min(k, cells - 1)] ?? 1) * scale)
  const cdf = (x: number): number => {
    if (x < 0) return 0
    const place = x / step - 0.5
    const k = Math.floor(place)
    if (k >= cells - 1) return 1
    return value(k) + (place - k) * (value(k + 1) - value(k))
  }
  return {
    mean: mean * scale,
    sd: Math.sqrt(Math.max(0, square * scale - (mean * scale) ** 2)),
    cdf,
    quantile: (p) => bisect(cdf, p, cells * step),
  }
}
