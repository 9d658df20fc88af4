import type { BlockBytes } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import { type FseBounds, type FseTable, fseOfOne, readFse } from './fse.ts'
import type { History } from './history.ts'
import type { Literals } from './literals.ts'
import { ReverseBits } from './reverse-bits.ts'
import { bounds, type Codes, defaults, literalLengths, matchLengths } from './sequence-codes.ts'

type Part = 'literals' | 'offsets' | 'matches'

/** An offset of a higher code is beyond the largest window. */
const mostOffsetCode = 23

/** Sequences of a block, and the state that the next block may reuse: tables and the last three offsets. */
export class Sequences {
  readonly #tables: { [part in Part]: FseTable | null } = { literals: null, offsets: null, matches: null }
  #last: readonly [number, number, number] = [1, 4, 8]

  /** A frame begins. */
  reset(): void {
    Object.assign(this.#tables, { literals: null, offsets: null, matches: null })
    this.#last = [1, 4, 8]
  }

  /**
   * Reads the section of sequences (RFC 8878, 3.1.1.3.2) and carries them out.
   * @param at where it begins; it ends with the block
   * @throws ZstdError
   */
  carryOut(block: BlockBytes, at: number, { literals, history }: { literals: Literals; history: History }): void {
    const { count, next } = countOf(block, at)
    if (count === 0) {
      if (next !== block.end) throw new ZstdError('a block goes on after its end')
      history.append(literals.bytes, 0, literals.length)
      return
    }
    const bits = new ReverseBits(block, this.#readTables(block, next), block.end)
    const [lengths, offsets, matches] = [
      new State(this.#table('literals'), bits),
      new State(this.#table('offsets'), bits),
      new State(this.#table('matches'), bits),
    ]
    let used = 0
    for (let left = count; left > 0; left -= 1) {
      const offsetValue = offsetOf(offsets.symbol, bits)
      const match = lengthOf(matchLengths, matches.symbol, bits)
      const literal = lengthOf(literalLengths, lengths.symbol, bits)
      if (used + literal > literals.length) throw new ZstdError('a block has too few literals')
      history.append(literals.bytes, used, used + literal)
      used += literal
      history.repeat(this.#distance(offsetValue, literal === 0), match)
      if (left === 1) break
      lengths.advance(bits)
      matches.advance(bits)
      offsets.advance(bits)
    }
    bits.assertEnded()
    history.append(literals.bytes, used, literals.length)
  }

  /** The distance of an offset value, which may stand for one of the last three distances (RFC 8878, 3.1.1.5). */
  #distance(value: number, hasNoLiterals: boolean): number {
    const [first, second, third] = this.#last
    if (value > 3) {
      this.#last = [value - 3, first, second]
      return value - 3
    }
    const which = hasNoLiterals ? value + 1 : value
    if (which === 1) return first
    const distance = which === 2 ? second : which === 3 ? third : first - 1
    if (distance === 0) throw new ZstdError('a match is nowhere')
    this.#last = [distance, first, which === 2 ? third : second]
    return distance
  }

  #table(part: Part): FseTable {
    const table = this.#tables[part]
    if (table === null) throw new ZstdError('a block uses a table that is not there')
    return table
  }

  #readTables(block: BlockBytes, at: number): number {
    const modes = block.byte(at)
    if ((modes & 3) !== 0) throw new ZstdError('a reserved bit is set')
    let next = at + 1
    for (const [part, shift] of [
      ['literals', 6],
      ['offsets', 4],
      ['matches', 2],
    ] as const)
      next = this.#readTable(block, next, { part, mode: (modes >> shift) & 3 })
    return next
  }

  /** @returns the place after it */
  #readTable(block: BlockBytes, at: number, { part, mode }: { readonly part: Part; readonly mode: number }): number {
    if (mode === 0) {
      this.#tables[part] = defaults[part]
      return at
    }
    if (mode === 1) {
      this.#tables[part] = onlyTable(block.byte(at), bounds[part])
      return at + 1
    }
    if (mode === 2) {
      const { table, next } = readFse(block, at, bounds[part])
      this.#tables[part] = table
      return next
    }
    return at
  }
}

/** A state of a table on its way through the bits. */
class State {
  readonly #table: FseTable
  #state: number

  constructor(table: FseTable, bits: ReverseBits) {
    this.#table = table
    this.#state = bits.read(table.log)
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] ?? 0
  }

  advance(bits: ReverseBits): void {
    const { bases, bits: needed } = this.#table
    this.#state = (bases[this.#state] ?? 0) + bits.read(needed[this.#state] ?? 0)
  }
}

function offsetOf(code: number, bits: ReverseBits): number {
  if (code > mostOffsetCode) throw new ZstdError('a match reaches too far back')
  return (1 << code) + bits.read(code)
}

const lengthOf = (codes: Codes, code: number, bits: ReverseBits): number =>
  (codes.bases[code] ?? 0) + bits.read(codes.bits[code] ?? 0)

function onlyTable(symbol: number, { mostSymbol }: FseBounds): FseTable {
  if (symbol > mostSymbol) throw new ZstdError('a table has a symbol that there is not')
  return fseOfOne(symbol)
}

function countOf(block: BlockBytes, at: number): { readonly count: number; readonly next: number } {
  const first = block.byte(at)
  if (first < 128) return { count: first, next: at + 1 }
  if (first < 255) return { count: ((first - 128) << 8) + block.byte(at + 1), next: at + 2 }
  return { count: block.byte(at + 1) + (block.byte(at + 2) << 8) + 0x7f00, next: at + 3 }
}
