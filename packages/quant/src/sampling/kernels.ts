/**
 * Inner loops of the simulation. Each fills one array of a block for one variable, so that every loop is short,
 * allocates nothing and meets one kind of table.
 */
import { cells, type QuantileTable, quantileAt, refinedCells, tailValue } from '../distributions/table.ts'
import { exp } from '../numeric/exp-log.ts'
import type { RandomStream } from '../random/stream.ts'

/** One draw. Continuous tables take one word, and a second one in the refined ends; discrete tables one. */
export function draw(table: QuantileTable, stream: RandomStream): number {
  const word = stream.next()
  const cell = word >>> 18
  if (table.kind !== 'continuous') return quantileAt(table, word >>> 0, 0)
  if (cell >= refinedCells && cell < cells - refinedCells) {
    const knots = table.knots
    return (knots[2 * cell] ?? 0) + (knots[2 * cell + 1] ?? 0) * ((word & 0x3ffff) + 0.5)
  }
  const low = stream.next() >>> 0
  return cell < refinedCells
    ? tailValue(table.lowerTail, word >>> 0, low)
    : tailValue(table.upperTail, ~word >>> 0, ~low >>> 0)
}

/** Fills `out[0, years)` with draws. */
export function fillDraws(table: QuantileTable, stream: RandomStream, out: Float64Array, years: number): void {
  for (let i = 0; i < years; i += 1) out[i] = draw(table, stream)
}

/** Multiplies `out[0, years)` by draws. */
export function multiplyDraws(table: QuantileTable, stream: RandomStream, out: Float64Array, years: number): void {
  for (let i = 0; i < years; i += 1) out[i] = (out[i] ?? 0) * draw(table, stream)
}

/** Adds to each year the sum of as many draws as it has events. */
export function addEventLosses(
  table: QuantileTable,
  stream: RandomStream,
  counts: Uint32Array,
  out: Float64Array,
  years: number,
): void {
  if (table.kind === 'constant') {
    for (let i = 0; i < years; i += 1) out[i] = (out[i] ?? 0) + (counts[i] ?? 0) * table.value
    return
  }
  for (let i = 0; i < years; i += 1) {
    let sum = out[i] ?? 0
    for (let n = counts[i] ?? 0; n > 0; n -= 1) sum += draw(table, stream)
    out[i] = sum
  }
}

/** Keeps each event with the year's probability. */
export function thinCounts(
  stream: RandomStream,
  probabilities: Float64Array,
  counts: Uint32Array,
  kept: Uint32Array,
  years: number,
): void {
  for (let i = 0; i < years; i += 1) {
    const threshold = (probabilities[i] ?? 0) * 0x100000000
    let n = 0
    for (let left = counts[i] ?? 0; left > 0; left -= 1) if (stream.next() >>> 0 < threshold) n += 1
    kept[i] = n
  }
}

/** Largest rate drawn in one piece; e^-rate must not vanish. */
const pieceOfRate = 256

/** Poisson counts by inversion, which makes them monotone in the rate: one uniform of 53 bits each, more above 256. */
export function poissonCounts(stream: RandomStream, rates: Float64Array, counts: Uint32Array, years: number): void {
  for (let i = 0; i < years; i += 1) {
    let rate = rates[i] ?? 0
    let n = 0
    while (rate > pieceOfRate) {
      n += poisson(stream, pieceOfRate)
      rate -= pieceOfRate
    }
    counts[i] = n + poisson(stream, rate)
  }
}

const largestCount = 2_000
/** 1/n: a multiplication takes a third of the time of a division. */
const reciprocals = Float64Array.from({ length: largestCount + 1 }, (_, n) => 1 / Math.max(1, n))

function poisson(stream: RandomStream, rate: number): number {
  const u = stream.uniform()
  let p = exp(-rate)
  let sum = p
  let n = 0
  while (u > sum && n < largestCount) {
    n += 1
    p *= rate * (reciprocals[n] ?? 0)
    sum += p
  }
  return n
}

/** At most one event, with the year's rate as probability. */
export function bernoulliCounts(stream: RandomStream, rates: Float64Array, counts: Uint32Array, years: number): void {
  for (let i = 0; i < years; i += 1) counts[i] = stream.uniform() < (rates[i] ?? 0) ? 1 : 0
}
