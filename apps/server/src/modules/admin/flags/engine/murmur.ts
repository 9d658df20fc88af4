/**
 * MurmurHash3, x86, 32 bits, of a text's UTF-8 bytes: the hash that flagd and Unleash bucket with, so that imported flags
 * keep everyone where they are. Not for secrets. Austin Appleby, https://github.com/aappleby/smhasher (public domain).
 * Tested in murmur.test.ts against published values.
 */

const c1 = 0xcc9e2d51
const c2 = 0x1b873593
const encoder = new TextEncoder()
/** Reused: an evaluation is synchronous, and allocating for each costs more than the hash. */
let bytes = new Uint8Array(512)

/** An unsigned 32-bit integer. */
export function murmur3(text: string, seed = 0): number {
  if (text.length * 3 > bytes.length) bytes = new Uint8Array(text.length * 3)
  const length = encode(text)
  let hash = seed | 0
  const whole = length & ~3
  for (let at = 0; at < whole; at += 4) hash = mixed(hash, word(at))
  if (length > whole) hash ^= scrambled(rest(whole, length))
  return finished(hash ^ length)
}

function encode(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) return encoder.encodeInto(text, bytes).written
    bytes[at] = code
  }
  return text.length
}

function word(at: number): number {
  return byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24)
}

function rest(from: number, to: number): number {
  let value = 0
  for (let at = to - 1; at >= from; at -= 1) value = (value << 8) | byte(at)
  return value
}

function byte(at: number): number {
  return bytes[at] ?? 0
}

function scrambled(value: number): number {
  const k = Math.imul(value, c1)
  return Math.imul((k << 15) | (k >>> 17), c2)
}

function mixed(hash: number, value: number): number {
  const h = hash ^ scrambled(value)
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
}

function finished(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
