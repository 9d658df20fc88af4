/** Losses in memory that the threads of a simulation share, so that no vector travels. */
import { blockYears } from '@parapet/quant'

export interface SharedLosses {
  readonly iterations: number
  /** One number a year. */
  readonly total: SharedArrayBuffer
  /** One vector for each part. */
  readonly parts: readonly SharedArrayBuffer[]
  /** One number a block: 1 once all its losses are there. */
  readonly done: SharedArrayBuffer
}

const bytes = Float64Array.BYTES_PER_ELEMENT

export function shareLosses(iterations: number, parts: number): SharedLosses {
  return {
    iterations,
    total: new SharedArrayBuffer(iterations * bytes),
    parts: Array.from({ length: parts }, () => new SharedArrayBuffer(iterations * bytes)),
    done: new SharedArrayBuffer(Math.ceil(iterations / blockYears) * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** Years of a vector from 0 up to a number of them. */
export const yearsOf = (vector: SharedArrayBuffer, years: number): Float64Array => new Float64Array(vector, 0, years)

/** The place of one block in a vector. */
export function blockOf({ iterations }: SharedLosses, vector: SharedArrayBuffer, block: number): Float64Array {
  const from = block * blockYears
  return new Float64Array(vector, from * bytes, Math.min(blockYears, iterations - from))
}

export const markDone = ({ done }: SharedLosses, block: number): void =>
  void Atomics.store(new Int32Array(done), block, 1)

/** Number of blocks that are done. */
export function countDone({ done }: SharedLosses): number {
  let count = 0
  const flags = new Int32Array(done)
  for (let block = 0; block < flags.length; block += 1) count += Atomics.load(flags, block)
  return count
}

/** Years of the blocks that are done from the first one without a gap. */
export function wholeYears({ done, iterations }: SharedLosses): number {
  const flags = new Int32Array(done)
  let block = 0
  while (block < flags.length && Atomics.load(flags, block) === 1) block += 1
  return Math.min(iterations, block * blockYears)
}
