/** The search itself: a pure function of numbers, for threads and in place. Tested in scan.test.ts. */

/** Vectors of length 1, one after the other. */
export interface ScanBlock {
  /** Of `Float32Array`. */
  readonly vectors: SharedArrayBuffer
  /** A byte for each vector: 1 for one that is deleted. */
  readonly deleted: SharedArrayBuffer
  /** Vectors from the beginning that are there. */
  readonly count: number
}

export interface Scan {
  readonly dimension: number
  /** Of length 1. */
  readonly query: Float32Array
  readonly blocks: readonly ScanBlock[]
  readonly top: number
  readonly least: number
}

/** The nearest first, of equals the first. */
export interface ScanResult {
  /** Counted over all blocks, those that are deleted included. */
  readonly positions: readonly number[]
  readonly scores: readonly number[]
}

/** Vectors between two looks whether anybody still waits. */
const lookEvery = 4_096

/** @param stopped checked now and then; when true, the result covers the part scanned so far */
export function scan({ dimension, query, blocks, top, least }: Scan, stopped: () => boolean = () => false): ScanResult {
  const best = new Best(top, least)
  // Once, so that no product has to widen it.
  const wide = Float64Array.from(query)
  let first = 0
  for (const { vectors, deleted, count } of blocks) {
    const numbers = new Float32Array(vectors)
    const isDeleted = new Uint8Array(deleted)
    for (let slot = 0; slot < count; slot += 1) {
      if (slot % lookEvery === 0 && stopped()) return best.result()
      if (isDeleted[slot] === 1) continue
      const score = product(numbers, slot * dimension, wide)
      if (score >= best.floor) best.offer(first + slot, score)
    }
    first += count
  }
  return best.result()
}

/** Four sums, so that no addition waits for the one before it. */
function product(numbers: Float32Array, from: number, query: Float64Array): number {
  const whole = query.length & ~3
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let at = 0; at < whole; at += 4) {
    const place = from + at
    a += (numbers[place] ?? 0) * (query[at] ?? 0)
    b += (numbers[place + 1] ?? 0) * (query[at + 1] ?? 0)
    c += (numbers[place + 2] ?? 0) * (query[at + 2] ?? 0)
    d += (numbers[place + 3] ?? 0) * (query[at + 3] ?? 0)
  }
  for (let at = whole; at < query.length; at += 1) a += (numbers[from + at] ?? 0) * (query[at] ?? 0)
  return a + b + (c + d)
}

/** The best of the offered matches, in order. */
class Best {
  readonly #top: number
  readonly #positions: number[] = []
  readonly #scores: number[] = []
  /** A lower score is of no interest. */
  floor: number

  constructor(top: number, least: number) {
    this.#top = top
    this.floor = least
  }

  offer(position: number, score: number): void {
    const scores = this.#scores
    if (scores.length === this.#top && score <= this.floor) return
    let place = scores.length
    while (place > 0 && (scores[place - 1] ?? 0) < score) place -= 1
    scores.splice(place, 0, score)
    this.#positions.splice(place, 0, position)
    if (scores.length > this.#top) {
      scores.pop()
      this.#positions.pop()
    }
    if (scores.length === this.#top) this.floor = Math.max(this.floor, scores.at(-1) ?? this.floor)
  }

  result(): ScanResult {
    return { positions: this.#positions, scores: this.#scores }
  }
}
