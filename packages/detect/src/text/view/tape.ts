/**
 * Growing buffer of UTF-16 units that remembers, for each unit, the range of the original text it came from and the
 * Latin letter that the original character looks like (0 for none).
 */
export interface Tape {
  units: Uint16Array
  starts: Uint32Array
  ends: Uint32Array
  looks: Uint8Array
  length: number
}

/** Where one unit of a tape comes from: a range of the original text. */
export interface Origin {
  readonly start: number
  readonly end: number
}

/** An empty tape with room for about `expected` units: eleven bytes a unit. */
export function createTape(expected: number): Tape {
  const size = expected + 64
  return {
    units: new Uint16Array(size),
    starts: new Uint32Array(size),
    ends: new Uint32Array(size),
    looks: new Uint8Array(size),
    length: 0,
  }
}

/** Appends one unit that was made from the characters from `start` to `end`. */
export function put(tape: Tape, unit: number, start: number, end: number): void {
  const at = tape.length
  if (at === tape.units.length) grow(tape)
  tape.units[at] = unit
  tape.starts[at] = start
  tape.ends[at] = end
  tape.length = at + 1
}

/** Unit at a position, 0 beyond the end. */
export const unitAt = (tape: Tape, index: number): number => (index < tape.length ? (tape.units[index] ?? 0) : 0)

/** The units of a tape as a string. */
export function tapeText(tape: Tape): string {
  const parts: string[] = []
  for (let i = 0; i < tape.length; i += block) {
    parts.push(Reflect.apply(String.fromCharCode, undefined, tape.units.subarray(i, Math.min(i + block, tape.length))))
  }
  return parts.join('')
}

// Argument lists are limited by the stack; 8,192 is far below every engine's limit.
const block = 8192

function grow(tape: Tape): void {
  const size = tape.units.length * 2
  tape.units = copied(tape.units, new Uint16Array(size))
  tape.starts = copied(tape.starts, new Uint32Array(size))
  tape.ends = copied(tape.ends, new Uint32Array(size))
  tape.looks = copied(tape.looks, new Uint8Array(size))
}

function copied<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
