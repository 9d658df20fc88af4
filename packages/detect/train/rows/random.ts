/** Seeded random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Integer in [0, bound). */
  below(bound: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** `count` different items in random order; all of them when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[]
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state are enough for drawing examples. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return {
    next,
    below,
    pick,
    chance: (probability) => next() < probability,
    sample: (items, count) => {
      const rest = [...items]
      const taken = Math.min(count, rest.length)
      for (let i = 0; i < taken; i += 1) {
        const j = i + below(rest.length - i)
        const [a, b] = [rest[i], rest[j]]
        if (a !== undefined && b !== undefined) [rest[i], rest[j]] = [b, a]
      }
      return rest.slice(0, taken)
    },
  }
}
