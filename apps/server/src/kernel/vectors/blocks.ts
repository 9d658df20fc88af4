import type { ScanBlock } from './scan.ts'

/** Vectors of the first block, and of the largest ones. */
const [leastCapacity, mostCapacity] = [8, 4_096]

export function lengthOf(vector: Float32Array): number {
  let sum = 0
  for (const number of vector) sum += number * number
  return Math.sqrt(sum)
}

interface Block {
  readonly numbers: Float32Array<SharedArrayBuffer>
  readonly deleted: Uint8Array<SharedArrayBuffer>
  readonly capacity: number
  count: number
}

/**
 * Vectors in memory that threads share. A vector never moves and is never written again, so that a search may go on while
 * others are added and deleted; positions are in the order of adding, over all blocks.
 */
export class VectorBlocks {
  readonly #dimension: number
  readonly #blocks: Block[] = []

  constructor(dimension: number) {
    this.#dimension = dimension
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { numbers, deleted }) => sum + numbers.byteLength + deleted.byteLength, 0)
  }

  /** Adds the vector at length 1; one of length 0 stays as it is, and is like nothing. @returns its position */
  add(vector: Float32Array): number {
    const length = lengthOf(vector)
    const { block, first } = this.#open()
    const from = block.count * this.#dimension
    for (const [at, number] of vector.entries()) block.numbers[from + at] = length === 0 ? 0 : number / length
    block.count += 1
    return first + block.count - 1
  }

  delete(position: number): void {
    let first = 0
    for (const block of this.#blocks) {
      if (position < first + block.count) {
        block.deleted[position - first] = 1
        return
      }
      first += block.count
    }
  }

  /** As it is now. */
  scanned(): readonly ScanBlock[] {
    return this.#blocks.map(({ numbers, deleted, count }) => ({
      ...{ vectors: numbers.buffer, deleted: deleted.buffer, count },
    }))
  }

  /** Every vector by its position, for another place. */
  at(position: number): Float32Array {
    let first = 0
    for (const { numbers, count } of this.#blocks) {
      const slot = position - first
      if (slot < count) return numbers.slice(slot * this.#dimension, (slot + 1) * this.#dimension)
      first += count
    }
    throw new RangeError(`There is no vector at ${position}`)
  }

  #open(): { readonly block: Block; readonly first: number } {
    const held = this.#blocks.reduce((sum, { count }) => sum + count, 0)
    const last = this.#blocks.at(-1)
    if (last !== undefined && last.count < last.capacity) return { block: last, first: held - last.count }
    // Twice as much as there is, so that a small index is small.
    const capacity = Math.min(mostCapacity, Math.max(leastCapacity, held))
    const bytes = capacity * this.#dimension * Float32Array.BYTES_PER_ELEMENT
    const block: Block = {
      numbers: new Float32Array(new SharedArrayBuffer(bytes)),
      deleted: new Uint8Array(new SharedArrayBuffer(capacity)),
      ...{ capacity, count: 0 },
    }
    this.#blocks.push(block)
    return { block, first: held }
  }
}
