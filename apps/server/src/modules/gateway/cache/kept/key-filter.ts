/**
 * A Bloom filter over hexadecimal hashes: says for sure that a key was never added, or that it may have been. Keys
 * cannot be removed. Six of sixteen bits per key: at full capacity about one in a thousand keys that were not added is
 * reported as present, (1 - e^(-6/16))^6. Pure. Tested in known-keys.test.ts.
 */
export interface KeyFilter {
  /** Number of keys up to which the stated error rate holds. */
  readonly capacity: number
  /** Keys added, including duplicates. */
  count(): number
  add(key: string): void
  mayHold(key: string): boolean
}

/** Hexadecimal digits of a key that are used: two halves of 24 bits. */
export const keyDigits = 12

const bitsPerKey = 16
const probes = 6

/** @param capacity a power of two, at most 2^20, so that 24 bits reach each bit */
export function createKeyFilter(capacity: number): KeyFilter {
  const words = new Uint32Array((capacity * bitsPerKey) / 32)
  const mask = capacity * bitsPerKey - 1
  let count = 0
  const half = (key: string, from: number): number => Number.parseInt(key.slice(from, from + keyDigits / 2), 16)
  return {
    capacity,
    count: () => count,
    add: (key) => {
      count += 1
      const [start, step] = [half(key, 0), half(key, keyDigits / 2) | 1]
      for (let probe = 0; probe < probes; probe += 1) {
        const bit = (start + probe * step) & mask
        words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
      }
    },
    mayHold: (key) => {
      const [start, step] = [half(key, 0), half(key, keyDigits / 2) | 1]
      for (let probe = 0; probe < probes; probe += 1) {
        const bit = (start + probe * step) & mask
        if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
      }
      return true
    },
  }
}
