import { mostBlock } from './block-bytes.ts'
import { ZstdError } from './fault.ts'

/** Bytes of content that are kept beyond the window, so that the window is moved once for as many. */
const slack = 1_048_576
/** Below it, bytes are copied faster one by one than by a call. */
const fewBytes = 24

/** The last content of a frame, of which matches are copied, and the content of the block that is being read. */
export class History {
  #bytes = new Uint8Array(0)
  #window = 0
  /** Where the next byte goes. */
  #at = 0
  /** Bytes before `#at` that matches may reach; at most the window. */
  #reach = 0
  #blockStart = 0
  #blockEnd = 0

  /** A frame begins. */
  reset(window: number): void {
    const size = window + slack + mostBlock
    if (this.#bytes.byteLength < size) this.#bytes = new Uint8Array(size)
    this.#window = window
    this.#at = 0
    this.#reach = 0
  }

  /** A block begins. @param most bytes of its content */
  begin(most: number): void {
    if (this.#at + most > this.#bytes.byteLength) {
      this.#bytes.copyWithin(0, this.#at - this.#window, this.#at)
      this.#at = this.#window
    }
    this.#blockStart = this.#at
    this.#blockEnd = this.#at + most
  }

  /** A copy of the content of the block. */
  taken(): Uint8Array {
    return this.#bytes.slice(this.#blockStart, this.#at)
  }

  /** @throws ZstdError where the block becomes larger than it may be */
  fill(byte: number, count: number): void {
    const end = this.#grow(count)
    this.#bytes.fill(byte, end - count, end)
  }

  /** @throws ZstdError where the block becomes larger than it may be */
  append(source: Uint8Array, from: number, to: number): void {
    const count = to - from
    const end = this.#grow(count)
    if (count > fewBytes) this.#bytes.set(source.subarray(from, to), end - count)
    else copy(source, from, { into: this.#bytes, at: end - count, count })
  }

  /** Repeats content from `offset` bytes ago. @throws ZstdError where that is too far back, or the block becomes too large */
  repeat(offset: number, count: number): void {
    if (offset > this.#reach) throw new ZstdError('a match reaches too far back')
    const end = this.#grow(count)
    const at = end - count
    if (offset >= count && count > fewBytes) this.#bytes.copyWithin(at, at - offset, end - offset)
    else copy(this.#bytes, at - offset, { into: this.#bytes, at, count })
  }

  #grow(count: number): number {
    const end = this.#at + count
    if (end > this.#blockEnd) throw new ZstdError('a block is too large')
    this.#at = end
    this.#reach = Math.min(this.#reach + count, this.#window)
    return end
  }
}

/** Byte by byte, so that a copy may read what it has just written. */
function copy(
  source: Uint8Array,
  from: number,
  { into, at, count }: { readonly into: Uint8Array; readonly at: number; readonly count: number },
): void {
  for (let n = 0; n < count; n += 1) into[at + n] = source[from + n] ?? 0
}
