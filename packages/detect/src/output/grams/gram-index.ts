/** Sets of hashed runs of units (n-grams) with a bitmap before them, so that a unit of ordinary text costs one look-up. */
const factor = 0x01000193

/** Calls back with the hash of each run of `size` units and the offset after it (Rabin and Karp, 1987; modulo 2^32). */
export function eachGram(
  units: ArrayLike<number>,
  range: { length: number; size: number },
  visit: (hash: number, end: number) => void,
): void {
  const { length, size } = range
  let power = 1
  for (let i = 0; i < size; i += 1) power = Math.imul(power, factor)
  let hash = 0
  for (let i = 0; i < length; i += 1) {
    hash = (Math.imul(hash, factor) + (units[i] ?? 0) + 1) | 0
    if (i >= size) hash = (hash - Math.imul((units[i - size] ?? 0) + 1, power)) | 0
    if (i + 1 >= size) visit(hash, i + 1)
  }
}

/** Spreads a rolling hash, whose low bits depend on the last units only. */
export function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}

export interface GramBits {
  add(hash: number): void
  has(hash: number): boolean
}

/** A bitmap of 2^`bits` places with two places per hash: no false negatives, few false positives. */
export function createGramBits(bits: number): GramBits {
  const words = new Uint32Array(2 ** Math.max(0, bits - 5))
  const mask = 2 ** bits - 1
  const hasBit = (place: number): boolean => (((words[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
  const setBit = (place: number): void => {
    words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31))
  }
  return {
    add: (hash) => {
      const spread = mixed(hash)
      setBit(spread & mask)
      setBit((spread >>> 11) & mask)
    },
    has: (hash) => {
      const spread = mixed(hash)
      return hasBit(spread & mask) && hasBit((spread >>> 11) & mask)
    },
  }
}
