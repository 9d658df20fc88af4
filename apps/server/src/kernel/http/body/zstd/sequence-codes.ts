/** Codes of sequences and the tables that stand for them where a block brings none (RFC 8878, 3.1.1.3.2 and 3.1.1.3.2.2). */
import { fseOf } from './fse.ts'

export interface Codes {
  /** The value that a code begins at. */
  readonly bases: Uint32Array
  /** Bits that are added to it. */
  readonly bits: Uint8Array
}

export const literalLengths = codesOf(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
export const matchLengths = codesOf(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])

/** `plain` codes of one value each come first. */
function codesOf(first: number, plain: number, widths: readonly number[]): Codes {
  const bits = Uint8Array.from([...new Array<number>(plain).fill(0), ...widths])
  const bases = new Uint32Array(bits.length)
  let next = first
  for (const [code, width] of bits.entries()) {
    bases[code] = next
    next += 2 ** width
  }
  return { bases, bits }
}

export const bounds = {
  literals: { mostLog: 9, mostSymbol: 35 },
  offsets: { mostLog: 8, mostSymbol: 31 },
  matches: { mostLog: 9, mostSymbol: 52 },
} as const

const ones = (count: number): readonly number[] => new Array<number>(count).fill(1)
const rare = (count: number): readonly number[] => new Array<number>(count).fill(-1)
const twos = (count: number): readonly number[] => new Array<number>(count).fill(2)

export const defaults = {
  literals: fseOf([4, 3, ...twos(11), ...ones(3), ...twos(9), 3, 2, ...ones(5), ...rare(4)], 6),
  offsets: fseOf([...ones(6), ...twos(3), ...ones(15), ...rare(5)], 5),
  matches: fseOf([1, 4, 3, ...twos(6), ...ones(37), ...rare(7)], 6),
} as const
