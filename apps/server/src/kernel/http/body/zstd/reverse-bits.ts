import type { BlockBytes } from './block-bytes.ts'
import { ZstdError } from './fault.ts'

/**
 * Bits that are read from the end of their bytes (RFC 8878, 4.1). The highest bit of the last byte that is set marks the
 * beginning.
 */
export class ReverseBits {
  readonly #block: BlockBytes
  readonly #start: number
  /** Bits that are left. */
  left: number

  /** @throws ZstdError for bytes without a mark */
  constructor(block: BlockBytes, start: number, end: number) {
    if (end <= start) throw new ZstdError('a stream of bits is empty')
    block.assertHas(end)
    const last = block.byte(end - 1)
    if (last === 0) throw new ZstdError('a stream of bits has no mark')
    this.#block = block
    this.#start = start
    this.left = (end - start) * 8 - 8 + highBit(last)
  }

  /** The next bits, at most 24; zeros stand for those that are not there. */
  peek(count: number): number {
    const low = this.left - count
    if (low < 0) return (this.#block.word(this.#start) & ((1 << this.left) - 1)) << -low
    return (this.#block.word(this.#start + (low >> 3)) >>> (low & 7)) & ((1 << count) - 1)
  }

  /** @throws ZstdError where fewer are left */
  read(count: number): number {
    const value = this.peek(count)
    this.left -= count
    if (this.left < 0) throw new ZstdError('a stream of bits is cut off')
    return value
  }

  /** @throws ZstdError */
  assertEnded(): void {
    if (this.left !== 0) throw new ZstdError('a stream of bits is too long')
  }
}

/** The position of the highest bit that is set, of a number above 0. */
export const highBit = (value: number): number => 31 - Math.clz32(value)
