const table = /* @__PURE__ */ buildTable()

/** CRC-32 (ISO 3309, reflected polynomial 0xEDB88320) of ASCII text, as an unsigned 32-bit number. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i += 1) crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Six base62 digits (0-9A-Za-z, most significant first) of the text's CRC-32, as token issuers append them. */
export function base62Checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (rest > 0) {
    digits = (base62[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits.padStart(6, '0')
}

function buildTable(): Uint32Array {
  const filled = new Uint32Array(256)
  for (let n = 0; n < 256; n += 1) {
    let value = n
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    filled[n] = value
  }
  return filled
}
