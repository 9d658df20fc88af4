/** CRC-32C (Castagnoli; RFC 3720, section 12.1), with which Google's KMS tells that nothing was changed on the way. Node and its zlib have CRC-32 alone. Tested in crc32c.test.ts. */

// Reflected: the lowest bit goes first.
const polynomial = 0x82f63b78

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 1 ? (rest >>> 1) ^ polynomial : rest >>> 1
  return rest
})

export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0)
  return (rest ^ 0xffffffff) >>> 0
}
