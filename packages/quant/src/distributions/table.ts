import { lawOf } from './law.ts'
import type { Distribution, Law } from './specification.ts'

/** Equally likely cells of a table. */
export const cells = 16_384
/** Cells at each end that are refined by halving probabilities. */
export const refinedCells = 64
const octaves = 56
const perOctave = 16

/**
 * Inverse distribution function over the 2^32 values of a random word, piecewise linear. The mean of every cell is kept,
 * so that the moments of the table are those of the law.
 */
export interface QuantileTable {
  readonly kind: 'constant' | 'continuous' | 'discrete'
  /** The value of a constant. */
  readonly value: number
  /** Base and slope (per unit of the low 18 bits) of each cell, or values of a discrete law. */
  readonly knots: Float64Array
  /** Base and slope of the halving cells of the lower and of the upper end. */
  readonly lowerTail: Float64Array
  readonly upperTail: Float64Array
  /** Upper bounds, in words, of the values of a discrete law, and for each cell the first value to look at. */
  readonly thresholds: Float64Array
  readonly guide: Uint32Array
  /** Relative errors of the table's mean and standard deviation; `within`: at most 1e-6 and 1e-5. */
  readonly accuracy: { readonly mean: number; readonly sd: number; readonly within: boolean }
}

const cache = new Map<string, QuantileTable>()
const maximumCached = 256
const none = new Float64Array(0)

/** Table of a valid distribution, from a cache by parameters. */
export function tableOf(distribution: Distribution, pointer = ''): QuantileTable {
  const key = JSON.stringify(distribution)
  const known = cache.get(key)
  if (known !== undefined) return known
  const table = tableOfLaw(lawOf(distribution, pointer))
  if (cache.size >= maximumCached) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, table)
  return table
}

/** Table of a law; not cached. */
export function tableOfLaw(law: Law): QuantileTable {
  if (law.low === law.high) return constantTable(law.low)
  if (law.atoms !== undefined) return discreteTable(law.atoms.values, law.atoms.probabilities)
  const q = new Float64Array(cells + 1)
  // Downwards and upwards from the middle: each quantile is close to the one before, which is its first guess.
  for (let i = refinedCells - 1; i <= cells / 2; i += 1) q[i] = law.quantile(i / cells)
  for (let i = refinedCells - 1; i < cells / 2; i += 1) q[cells - i] = law.upperQuantile(i / cells)
  const knots = new Float64Array(2 * cells)
  for (let i = refinedCells; i < cells - refinedCells; i += 1) {
    const [before, a, b, after] = [q[i - 1] ?? 0, q[i] ?? 0, q[i + 1] ?? 0, q[i + 2] ?? 0]
    // Fourth-order mean of the cell from four knots.
    const mean = (13 * (a + b) - before - after) / 24
    knots[2 * i] = mean - 0.5 * (b - a)
    knots[2 * i + 1] = (b - a) / 0x40000
  }
  const lowerTail = tail((p) => law.quantile(p))
  const upperTail = tail((p) => law.upperQuantile(p))
  return {
    kind: 'continuous',
    value: 0,
    knots,
    lowerTail,
    upperTail,
    thresholds: none,
    guide: new Uint32Array(0),
    accuracy: accuracyOf(law, knots, lowerTail, upperTail),
  }
}

/** Linear pieces in p over [2^-(j+1), 2^-j), j from 8, sixteen to an octave; Simpson's mean of each is kept. */
function tail(quantile: (p: number) => number): Float64Array {
  const pieces = new Float64Array(2 * octaves * perOctave)
  for (let octave = 0; octave < octaves; octave += 1) {
    const start = 2 ** -(octave + 9)
    let a = quantile(start)
    for (let i = 0; i < perOctave; i += 1) {
      const middle = quantile(start * (1 + (i + 0.5) / perOctave))
      const b = quantile(start * (1 + (i + 1) / perOctave))
      const at = 2 * (octave * perOctave + i)
      pieces[at] = (a + 4 * middle + b) / 6 - 0.5 * (b - a)
      pieces[at + 1] = b - a
      a = b
    }
  }
  return pieces
}

function accuracyOf(
  law: Law,
  knots: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
): QuantileTable['accuracy'] {
  let mean = 0
  let square = 0
  const add = (weight: number, base: number, rise: number): void => {
    const middle = base + 0.5 * rise - law.mean
    mean += weight * middle
    square += weight * (middle * middle + (rise * rise) / 12)
  }
  for (let i = refinedCells; i < cells - refinedCells; i += 1)
    add(1 / cells, knots[2 * i] ?? 0, (knots[2 * i + 1] ?? 0) * 0x40000)
  for (const end of [lower, upper])
    for (let i = 0; i < octaves * perOctave; i += 1)
      add(2 ** -(Math.floor(i / perOctave) + 9) / perOctave, end[2 * i] ?? 0, end[2 * i + 1] ?? 0)
  const scale = Math.abs(law.mean) || Math.sqrt(law.variance)
  const errors = { mean: mean / scale, sd: Math.sqrt((square - mean * mean) / law.variance) - 1 }
  return { ...errors, within: Math.abs(errors.mean) <= 1e-6 && Math.abs(errors.sd) <= 1e-5 }
}

function constantTable(value: number): QuantileTable {
  return {
    kind: 'constant',
    value,
    knots: none,
    lowerTail: none,
    upperTail: none,
    thresholds: none,
    guide: new Uint32Array(0),
    accuracy: { mean: 0, sd: 0, within: true },
  }
}

function discreteTable(values: readonly number[], probabilities: readonly number[]): QuantileTable {
  const thresholds = new Float64Array(values.length)
  let sum = 0
  probabilities.forEach((p, i) => {
    sum += p
    thresholds[i] = sum * 0x100000000
  })
  thresholds[values.length - 1] = Number.POSITIVE_INFINITY
  const guide = new Uint32Array(cells)
  let at = 0
  for (let cell = 0; cell < cells; cell += 1) {
    while ((thresholds[at] ?? 0) <= cell * 0x40000) at += 1
    guide[cell] = at
  }
  return { ...constantTable(0), kind: 'discrete', knots: Float64Array.from(values), thresholds, guide }
}

/** Value at the probability (high + low / 2^32) / 2^32; both are unsigned words. */
export function quantileAt(table: QuantileTable, high: number, low: number): number {
  if (table.kind === 'constant') return table.value
  const cell = high >>> 18
  if (table.kind === 'discrete') {
    let i = table.guide[cell] ?? 0
    const word = high + low / 0x100000000
    while (word >= (table.thresholds[i] ?? Number.POSITIVE_INFINITY)) i += 1
    return table.knots[i] ?? 0
  }
  if (cell < refinedCells) return tailValue(table.lowerTail, high, low)
  if (cell >= cells - refinedCells) return tailValue(table.upperTail, ~high >>> 0, ~low >>> 0)
  return (
    (table.knots[2 * cell] ?? 0) + (table.knots[2 * cell + 1] ?? 0) * ((high & 0x3ffff) + (low + 0.5) / 0x100000000)
  )
}

/** Value of an end at the probability (high + low / 2^32) / 2^32, below 2^-8. */
export function tailValue(pieces: Float64Array, high: number, low: number): number {
  const zeros = high === 0 ? 32 + Math.clz32(low) : Math.clz32(high)
  const octave = Math.min(octaves - 1, zeros - 8)
  // Position in the octave: [1, 2) after scaling; below the last octave its first value.
  const scaled = ((high >>> 0) * 0x100000000 + (low >>> 0) + 0.5) * 2 ** (octave - 55)
  const position = Math.max(0, scaled - 1) * perOctave
  const piece = Math.min(perOctave - 1, Math.floor(position))
  const at = 2 * (octave * perOctave + piece)
  return (pieces[at] ?? 0) + (pieces[at + 1] ?? 0) * (position - piece)
}
