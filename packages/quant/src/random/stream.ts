import { philox4x32 } from './philox.ts'

const bufferSize = 1_024

/** Two 32-bit words of a seed. */
export type SeedKey = readonly [number, number]

/** @param seed unsigned 64-bit integer as a decimal string. @throws RangeError for anything else. */
export function seedKey(seed: string): SeedKey {
  if (!/^\d{1,20}$/.test(seed) || BigInt(seed) > 0xffffffffffffffffn)
    throw new RangeError('A seed is an unsigned 64-bit integer as a decimal string.')
  const value = BigInt(seed)
  return [Number(value & 0xffffffffn), Number(value >> 32n)]
}

/**
 * Random words of one model variable in one block of years: xoshiro128++ (Blackman and Vigna 2021), its state seeded by
 * Philox with the seed as key and (block, stream) as counter. Equal arguments give equal words on every machine.
 */
export class RandomStream {
  readonly #words = new Int32Array(bufferSize)
  readonly #state = new Int32Array(4)
  #position = bufferSize

  constructor(state: readonly [number, number, number, number] = [1, 2, 3, 4]) {
    this.#state.set(state)
  }

  /** Moves to the beginning of a stream; `block` below 2^53, `stream` below 2^32. */
  seek(key: SeedKey, block: number, stream: number): this {
    const state = philox4x32([block >>> 0, Math.floor(block / 0x100000000), stream, 0], key)
    // The one state that xoshiro never leaves.
    if (state.every((word) => word === 0)) state[0] = 1
    this.#state.set(state)
    this.#position = bufferSize
    return this
  }

  /** Next 32 bits, as a signed integer. */
  next(): number {
    if (this.#position === bufferSize) this.#refill()
    const word = this.#words[this.#position] ?? 0
    this.#position += 1
    return word
  }

  /** Uniform on (0, 1) with 53 bits, never 0 or 1; takes two words. */
  uniform(): number {
    const high = this.next() >>> 6
    const low = this.next() >>> 6
    return (high * 67108864 + low + 0.5) * 2.220446049250313e-16
  }

  #refill(): void {
    const words = this.#words
    const state = this.#state
    let s0 = state[0] ?? 0
    let s1 = state[1] ?? 0
    let s2 = state[2] ?? 0
    let s3 = state[3] ?? 0
    for (let i = 0; i < bufferSize; i += 1) {
      const sum = (s0 + s3) | 0
      words[i] = (((sum << 7) | (sum >>> 25)) + s0) | 0
      const shifted = s1 << 9
      s2 ^= s0
      s3 ^= s1
      s1 ^= s2
      s0 ^= s3
      s2 ^= shifted
      s3 = (s3 << 11) | (s3 >>> 21)
    }
    state[0] = s0
    state[1] = s1
    state[2] = s2
    state[3] = s3
    this.#position = 0
  }
}
