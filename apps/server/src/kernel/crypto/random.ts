/**
 * Random bytes and ids from a refilled pool: one system call serves many requests
 * (measured by `bench/micro.mjs`). Ids are UUID v7 (RFC 9562), strictly increasing within a process. Tested in random.test.ts.
 */
import { randomFillSync } from 'node:crypto'

export interface Random {
  bytes(length: number): Uint8Array
  /** Twice as many lower-case hex digits as bytes. */
  hex(length: number): string
  /** UUID v7 of the given Unix millisecond. */
  uuid(): string
  /** Base62 text of the given length, uniformly drawn. */
  base62(length: number): string
  /** Uniform in [0, 1); for jitter, never for secrets. */
  fraction(): number
}

const poolBytes = 4096
const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function createRandom(now: () => number): Random {
  const pool = Buffer.allocUnsafe(poolBytes)
  let used = poolBytes
  let lastMs = 0
  let counter = 0

  const take = (length: number): Buffer => {
    if (length > poolBytes) return randomFillSync(Buffer.allocUnsafe(length))
    if (used + length > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const slice = pool.subarray(used, used + length)
    used += length
    return slice
  }

  // 12 bits count within a millisecond (RFC 9562 section 6.2, method 1); past 4,096 the clock part is borrowed ahead.
  const tick = (): void => {
    const current = now()
    if (current > lastMs) {
      lastMs = current
      counter = take(2).readUInt16BE(0) & 0x3ff
    } else {
      counter += 1
      if (counter > 0xfff) {
        lastMs += 1
        counter = 0
      }
    }
  }

  return {
    bytes: (length) => Uint8Array.from(take(length)),
    hex: (length) => take(length).toString('hex'),
    uuid: () => {
      tick()
      const tail = take(8)
      const time = lastMs.toString(16).padStart(12, '0')
      const variant = ((tail[0] ?? 0) & 0x3f) | 0x80
      const rest = tail.toString('hex')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant.toString(16)}${rest.slice(2, 4)}-${rest.slice(4)}`
    },
    base62: (length) => {
      let text = ''
      while (text.length < length) {
        const byte = take(1)[0] ?? 255
        // 248 = 4 × 62: larger bytes would favor the first letters.
        if (byte < 248) text += base62Alphabet[byte % 62] ?? ''
      }
      return text
    },
    fraction: () => take(4).readUInt32BE(0) / 2 ** 32,
  }
}
