import type { BlockBytes } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import { highBit } from './reverse-bits.ts'

/** A table of finite state entropy: for each state its symbol, and how the next state is made (RFC 8878, 4.1). */
export interface FseTable {
  /** Bits of a state. */
  readonly log: number
  readonly symbols: Uint8Array
  /** Bits that are read for the next state. */
  readonly bits: Uint8Array
  /** The numbers that are added to them. */
  readonly bases: Uint16Array
}

/** The largest tables that are allowed. */
export interface FseBounds {
  readonly mostLog: number
  readonly mostSymbol: number
}

/**
 * Reads a table's description (RFC 8878, 4.1.1).
 * @returns with the place after it
 * @throws ZstdError
 */
export function readFse(block: BlockBytes, at: number, bounds: FseBounds): { readonly table: FseTable; next: number } {
  const log = (block.byte(at) & 15) + 5
  if (log > bounds.mostLog) throw new ZstdError('the accuracy of a table is too high')
  const bits = new ForwardBits(block, at * 8 + 4)
  const counts: number[] = []
  for (let left = 1 << log; left > 0; ) {
    if (counts.length > bounds.mostSymbol) throw new ZstdError('a table has too many symbols')
    const count = bits.below(left + 2) - 1
    left -= Math.abs(count)
    counts.push(count)
    // How many symbols without a place follow, by threes.
    for (let repeat = count === 0 ? 3 : 0; repeat === 3; ) {
      repeat = bits.read(2)
      for (let n = 0; n < repeat; n += 1) counts.push(0)
      if (counts.length > bounds.mostSymbol + 1) throw new ZstdError('a table has too many symbols')
    }
  }
  const next = (bits.at + 7) >> 3
  block.assertHas(next)
  return { table: fseOf(counts, log), next }
}

/** The table of counts that add up to `2^log`; -1 is a symbol less probable than one state. */
export function fseOf(counts: readonly number[], log: number): FseTable {
  const size = 1 << log
  const symbols = spread(counts, size)
  const seen = counts.map((count) => Math.abs(count))
  const bits = new Uint8Array(size)
  const bases = new Uint16Array(size)
  for (const [state, symbol] of symbols.entries()) {
    const nth = seen[symbol] ?? 1
    seen[symbol] = nth + 1
    const needed = log - highBit(nth)
    bits[state] = needed
    bases[state] = (nth << needed) - size
  }
  return { log, symbols, bits, bases }
}

/** Gives each symbol its states, in the order of the standard. */
function spread(counts: readonly number[], size: number): Uint8Array {
  const symbols = new Uint8Array(size)
  let high = size - 1
  for (const [symbol, count] of counts.entries())
    if (count === -1) {
      symbols[high] = symbol
      high -= 1
    }
  const step = (size >> 1) + (size >> 3) + 3
  let at = 0
  for (const [symbol, count] of counts.entries())
    for (let n = 0; n < count; n += 1) {
      symbols[at] = symbol
      do at = (at + step) & (size - 1)
      while (at > high)
    }
  return symbols
}

/** A table in which every state is the same symbol. */
export const fseOfOne = (symbol: number): FseTable => ({
  log: 0,
  symbols: Uint8Array.of(symbol),
  bits: new Uint8Array(1),
  bases: new Uint16Array(1),
})

/** Bits from the lowest of the first byte on. */
class ForwardBits {
  readonly #block: BlockBytes
  /** In bits. */
  at: number

  constructor(block: BlockBytes, at: number) {
    this.#block = block
    this.at = at
  }

  read(count: number): number {
    this.#block.assertHas((this.at + count + 7) >> 3)
    const value = this.#peek(count)
    this.at += count
    return value
  }

  /** A number below `bound`; the lower ones take one bit less than the others. */
  below(bound: number): number {
    const most = bound - 1
    const count = highBit(most) + 1
    const short = (1 << count) - 1 - most
    this.#block.assertHas((this.at + count + 6) >> 3)
    const value = this.#peek(count)
    const low = value & ((1 << (count - 1)) - 1)
    const isShort = low < short
    this.at += isShort ? count - 1 : count
    if (isShort) return low
    return value > (1 << (count - 1)) - 1 ? value - short : value
  }

  #peek(count: number): number {
    return (this.#block.word(this.at >> 3) >>> (this.at & 7)) & ((1 << count) - 1)
  }
}
