/** Growing buffer of UTF-16 units that remembers, for each unit, the range of the original text it came from. */
export interface Tape {
  put(unit: number, start: number, end: number): void
  /** Unit at a position, 0 beyond the end. */
  at(index: number): number
  move(from: number, to: number): void
  cut(length: number): void
  length(): number
  units(): Uint16Array
  origins(): { starts: Uint32Array; ends: Uint32Array }
  text(): string
}

/** An empty tape with room for about `expected` units: ten bytes a unit. */
export function createTape(expected: number): Tape {
  let units = new Uint16Array(expected + 64)
  let starts = new Uint32Array(expected + 64)
  let ends = new Uint32Array(expected + 64)
  let length = 0

  const grow = (): void => {
    const size = units.length * 2
    units = enlarge(units, new Uint16Array(size))
    starts = enlarge(starts, new Uint32Array(size))
    ends = enlarge(ends, new Uint32Array(size))
  }

  return {
    put: (unit, start, end) => {
      if (length === units.length) grow()
      units[length] = unit
      starts[length] = start
      ends[length] = end
      length += 1
    },
    at: (index) => (index < length ? (units[index] ?? 0) : 0),
    move: (from, to) => {
      if (from === to) return
      units[to] = units[from] ?? 0
      starts[to] = starts[from] ?? 0
      ends[to] = ends[from] ?? 0
    },
    cut: (to) => {
      length = to
    },
    length: () => length,
    units: () => units,
    origins: () => ({ starts: starts.subarray(0, length), ends: ends.subarray(0, length) }),
    text: () => decodeUnits(units.subarray(0, length)),
  }
}

function enlarge<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

// Argument lists are limited by the stack; 8,192 is far below every engine's limit.
const block = 8192

function decodeUnits(units: Uint16Array): string {
  const parts: string[] = []
  for (let i = 0; i < units.length; i += block) parts.push(String.fromCharCode(...units.subarray(i, i + block)))
  return parts.join('')
}
