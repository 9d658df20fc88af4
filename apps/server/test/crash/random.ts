export interface Chance {
  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number
  pick<T>(items: readonly T[]): T | undefined
}

/** Numbers that come again with the same seed (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return { below, pick: (items) => items[below(items.length)] }
}
