/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC 2011).
 * @param counter four 32-bit words; @param key two 32-bit words.
 * @returns four 32-bit words.
 */
export function philox4x32(
  counter: readonly [number, number, number, number],
  key: readonly [number, number],
): Uint32Array {
  let [c0, c1, c2, c3] = counter
  let [k0, k1] = key
  for (let round = 0; round < 10; round += 1) {
    const high0 = highProduct(0xd2511f53, c0)
    const high1 = highProduct(0xcd9e8d57, c2)
    const low0 = Math.imul(0xd2511f53, c0)
    const low1 = Math.imul(0xcd9e8d57, c2)
    c0 = high1 ^ c1 ^ k0
    c1 = low1
    c2 = high0 ^ c3 ^ k1
    c3 = low0
    k0 = (k0 + 0x9e3779b9) | 0
    k1 = (k1 + 0xbb67ae85) | 0
  }
  return Uint32Array.of(c0, c1, c2, c3)
}

/** Upper 32 bits of the product of two unsigned 32-bit words. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  const other = aLow * bHigh + (middle % 0x10000)
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000)) | 0
}
