import type { BlockBytes } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import { type FseTable, readFse } from './fse.ts'
import { highBit, ReverseBits } from './reverse-bits.ts'

/** A Huffman tree as a table: of each code, padded to `log` bits, the symbol and the bits it takes (RFC 8878, 4.2). */
export interface HuffmanTree {
  readonly log: number
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
}

/** Bits of a code. */
const mostBits = 11
const mostSymbols = 256
const weightBounds = { mostLog: 6, mostSymbol: 255 }

/**
 * Reads the description of a tree (RFC 8878, 4.2.1).
 * @returns with the place after it
 * @throws ZstdError
 */
export function readHuffman(block: BlockBytes, at: number): { readonly tree: HuffmanTree; readonly next: number } {
  const head = block.byte(at)
  if (head < 128) {
    const next = at + 1 + head
    const { table, next: begin } = readFse(block, at + 1, weightBounds)
    return { tree: treeOf(packedWeights(table, new ReverseBits(block, begin, next))), next }
  }
  const count = head - 127
  const next = at + 1 + ((count + 1) >> 1)
  block.assertHas(next)
  const weights = Array.from({ length: count }, (_, n) => {
    const byte = block.byte(at + 1 + (n >> 1))
    return n % 2 === 0 ? byte >> 4 : byte & 15
  })
  return { tree: treeOf(weights), next }
}

/** Weights by two states in turns, until the bits for the next state are not there (RFC 8878, 4.2.1.2). */
function packedWeights({ log, symbols, bits: needed, bases }: FseTable, bits: ReverseBits): readonly number[] {
  const weights: number[] = []
  let [state, other] = [bits.read(log), bits.read(log)]
  for (;;) {
    weights.push(symbols[state] ?? 0)
    if (weights.length >= mostSymbols - 1) throw new ZstdError('a tree has too many symbols')
    const count = needed[state] ?? 0
    if (count > bits.left) {
      weights.push(symbols[other] ?? 0)
      return weights
    }
    const next = (bases[state] ?? 0) + bits.read(count)
    state = other
    other = next
  }
}

/** The tree of weights, whose last one is what is missing to a power of two (RFC 8878, 4.2.1.1). */
function treeOf(weights: readonly number[]): HuffmanTree {
  if (weights.some((weight) => weight > mostBits)) throw new ZstdError('a code of a tree is too long')
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0)
  if (sum === 0) throw new ZstdError('a tree is empty')
  const log = highBit(sum) + 1
  const missing = 2 ** log - sum
  if (log > mostBits || (missing & (missing - 1)) !== 0) throw new ZstdError('a tree is not complete')
  return tableOf([...weights, highBit(missing) + 1], log)
}

/** Codes go by their length, the longest first, and by their symbols. */
function tableOf(weights: readonly number[], log: number): HuffmanTree {
  const symbols = new Uint8Array(1 << log)
  const bits = new Uint8Array(1 << log)
  let at = 0
  for (let weight = 1; weight <= log; weight += 1)
    for (const [symbol, its] of weights.entries()) {
      if (its !== weight) continue
      const end = at + 2 ** (weight - 1)
      symbols.fill(symbol, at, end)
      bits.fill(log + 1 - weight, at, end)
      at = end
    }
  return { log, symbols, bits }
}

/** Where a stream of codes stands in the block, and where its symbols go. */
export interface HuffmanStream {
  readonly start: number
  readonly end: number
  readonly into: Uint8Array
  readonly from: number
  readonly to: number
}

/** @throws ZstdError unless the stream has exactly these symbols */
export function decodeHuffman(
  block: BlockBytes,
  tree: HuffmanTree,
  { start, end, into, from, to }: HuffmanStream,
): void {
  const bits = new ReverseBits(block, start, end)
  const { log, symbols, bits: lengths } = tree
  for (let at = from; at < to; at += 1) {
    const code = bits.peek(log)
    into[at] = symbols[code] ?? 0
    bits.left -= lengths[code] ?? 0
    if (bits.left < 0) throw new ZstdError('a stream of codes is cut off')
  }
  bits.assertEnded()
}
