import { type BlockBytes, mostBlock } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import { decodeHuffman, type HuffmanTree, readHuffman } from './huffman.ts'

/** The literals of the block that is being read, and the tree that the next block may use again. */
export class Literals {
  readonly bytes = new Uint8Array(mostBlock)
  length = 0
  #tree: HuffmanTree | null = null

  /** A frame begins. */
  reset(): void {
    this.#tree = null
  }

  /**
   * Reads the section of literals at the beginning of a block (RFC 8878, 3.1.1.3.1).
   * @returns the place after it
   * @throws ZstdError
   */
  read(block: BlockBytes): number {
    const kind = block.byte(0) & 3
    const form = (block.byte(0) >> 2) & 3
    return kind < 2 ? this.#readPlain(block, kind === 1, form) : this.#readPacked(block, kind === 2, form)
  }

  #readPlain(block: BlockBytes, isRun: boolean, form: number): number {
    const head = form === 1 ? 2 : form === 3 ? 3 : 1
    block.assertHas(head)
    const word = block.word(0)
    this.#setLength(head === 1 ? (word & 255) >> 3 : (word & (2 ** (head * 8) - 1)) >> 4)
    if (isRun) {
      this.bytes.fill(block.byte(head), 0, this.length)
      return head + 1
    }
    block.assertHas(head + this.length)
    this.bytes.set(block.bytes.subarray(head, head + this.length))
    return head + this.length
  }

  #readPacked(block: BlockBytes, hasTree: boolean, form: number): number {
    const head = [3, 3, 4, 5][form] ?? 5
    block.assertHas(head)
    const sizeBits = [10, 10, 14, 18][form] ?? 18
    const mask = 2 ** sizeBits - 1
    this.#setLength((block.word(0) >>> 4) & mask)
    const lowBits = 28 - sizeBits
    const low = block.word(0) >>> (4 + sizeBits)
    const packed = (lowBits < sizeBits ? low | (block.byte(4) << lowBits) : low) & mask
    const end = head + packed
    block.assertHas(end)
    let start = head
    if (hasTree) {
      const { tree, next } = readHuffman(block, head)
      this.#tree = tree
      start = next
    }
    if (this.#tree === null) throw new ZstdError('a block uses a tree that is not there')
    this.#decode(block, this.#tree, { start, end, streams: form === 0 ? 1 : 4 })
    return end
  }

  #decode(
    block: BlockBytes,
    tree: HuffmanTree,
    { start, end, streams }: { readonly start: number; readonly end: number; readonly streams: 1 | 4 },
  ): void {
    const into = this.bytes
    const { length } = this
    if (streams === 1) {
      decodeHuffman(block, tree, { start, end, into, from: 0, to: length })
      return
    }
    const each = (length + 3) >> 2
    if (each * 3 > length) throw new ZstdError('four streams have too few literals')
    let at = start + 6
    for (const n of [0, 1, 2, 3]) {
      const size = n < 3 ? block.byte(start + n * 2) | (block.byte(start + n * 2 + 1) << 8) : end - at
      if (at + size > end) throw new ZstdError('a stream of codes is too long')
      decodeHuffman(block, tree, {
        ...{ start: at, end: at + size, into },
        ...{ from: n * each, to: n < 3 ? (n + 1) * each : length },
      })
      at += size
    }
  }

  #setLength(length: number): void {
    if (length > mostBlock) throw new ZstdError('a block has too many literals')
    this.length = length
  }
}
