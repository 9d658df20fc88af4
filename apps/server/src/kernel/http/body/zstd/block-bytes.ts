import { ZstdError } from './fault.ts'

/** Bytes of a block's content, packed or not (RFC 8878, 3.1.1.2.3). */
export const mostBlock = 131_072
/** Readers take four bytes at once, also at the end. */
const padding = 8

/** The content of the block that is being read, from 0 to `end`. Reading past `end` is refused. */
export class BlockBytes {
  readonly bytes = new Uint8Array(mostBlock + padding)
  readonly #view = new DataView(this.bytes.buffer)
  end = 0

  /** @throws ZstdError */
  byte(at: number): number {
    if (at >= this.end) throw new ZstdError('a part of a block is cut off')
    return this.#view.getUint8(at)
  }

  /** Four bytes, the lowest first; those past the end are of no meaning. */
  word(at: number): number {
    return this.#view.getUint32(at, true)
  }

  /** @throws ZstdError where the block has less */
  assertHas(end: number): void {
    if (end > this.end) throw new ZstdError('a part of a block is cut off')
  }
}
