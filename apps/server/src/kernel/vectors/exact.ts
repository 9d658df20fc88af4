/**
 * The adapter that looks at every vector. Small indexes are searched where the caller is, others in a thread of the quick
 * lane over shared memory. Tested by the contract suite.
 */
import type { Threads } from '../threads/threads.ts'
import { lengthOf, VectorBlocks } from './blocks.ts'
import type { VectorIndex, VectorMatch, VectorQuery, Vectors } from './port.ts'
import { type Scan, scan } from './scan.ts'
import { scanVectors } from './scan-task.ts'

const mostDimension = 8_192
const mostMatches = 1_000
/** Products below which a search takes less time than a journey: about a quarter of a millisecond. */
const inPlaceProducts = 250_000

export interface ExactParts {
  readonly threads: Pick<Threads, 'run'>
  /** Products from which a search goes to a thread. */
  readonly inPlaceProducts?: number
}

export function createExactVectors(parts: ExactParts): Vectors {
  return {
    create: (dimension) => {
      if (!Number.isInteger(dimension) || dimension < 1 || dimension > mostDimension)
        throw new RangeError(`A vector has 1 to ${mostDimension} numbers`)
      return new ExactIndex(dimension, parts)
    },
  }
}

class ExactIndex implements VectorIndex {
  readonly dimension: number
  readonly #parts: ExactParts
  readonly #positions = new Map<string, number>()
  #blocks: VectorBlocks
  /** By position; null for one that is deleted. */
  #ids: (string | null)[] = []

  constructor(dimension: number, parts: ExactParts) {
    this.dimension = dimension
    this.#parts = parts
    this.#blocks = new VectorBlocks(dimension)
  }

  get size(): number {
    return this.#positions.size
  }

  get bytes(): number {
    return this.#blocks.bytes
  }

  put(id: string, vector: Float32Array): void {
    this.#assertFits(vector)
    this.delete(id)
    this.#positions.set(id, this.#blocks.add(vector))
    this.#ids.push(id)
  }

  has(id: string): boolean {
    return this.#positions.has(id)
  }

  delete(id: string): boolean {
    const position = this.#positions.get(id)
    if (position === undefined) return false
    this.#positions.delete(id)
    this.#blocks.delete(position)
    this.#ids[position] = null
    if (this.#ids.length > 64 && this.#ids.length > this.#positions.size * 2) this.#compact()
    return true
  }

  async search({ vector, top, least = -1, signal }: VectorQuery): Promise<readonly VectorMatch[]> {
    this.#assertFits(vector)
    if (!Number.isInteger(top) || top < 1 || top > mostMatches)
      throw new RangeError(`A search has 1 to ${mostMatches} matches`)
    // Of this moment: a compaction meanwhile makes others.
    const ids = this.#ids
    const work: Scan = {
      ...{ dimension: this.dimension, query: atLengthOne(vector), blocks: this.#blocks.scanned() },
      // A score may be a rounding below the cosine that it is.
      ...{ top, least: least - Number.EPSILON * this.dimension },
    }
    const { inPlaceProducts: most = inPlaceProducts, threads } = this.#parts
    const { positions, scores } =
      ids.length * this.dimension < most
        ? scan(work)
        : await threads.run(scanVectors, work, signal === undefined ? {} : { signal })
    return positions.flatMap((position, n) => {
      const id = ids[position]
      // One may be deleted since.
      return id === undefined || id === null || !this.has(id) ? [] : [{ id, score: scores[n] ?? 0 }]
    })
  }

  /** Half of it is deleted: the remaining vectors move together, in their order. */
  #compact(): void {
    const blocks = new VectorBlocks(this.dimension)
    const ids: string[] = []
    for (const [position, id] of this.#ids.entries()) {
      if (id === null) continue
      this.#positions.set(id, blocks.add(this.#blocks.at(position)))
      ids.push(id)
    }
    this.#blocks = blocks
    this.#ids = ids
  }

  #assertFits(vector: Float32Array): void {
    if (vector.length !== this.dimension)
      throw new RangeError(`A vector of ${vector.length} numbers is none of ${this.dimension}`)
  }
}

function atLengthOne(vector: Float32Array): Float32Array {
  const length = lengthOf(vector)
  return length === 0 ? vector : vector.map((number) => number / length)
}
