const rfc1924 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const rfcValues = /* @__PURE__ */ Int8Array.from({ length: 128 }, (_, code) =>
  rfc1924.indexOf(String.fromCharCode(code)),
)

/**
 * Bytes of Ascii85 (Adobe: digits `!` to `u`, `z` for four zeros, `<~ ~>` optional) or else of the base85 of RFC 1924
 * and Git; undefined at a foreign character.
 */
export function decodeBase85(text: string, isAscii85: boolean): Uint8Array | undefined {
  const from = isAscii85 && text.startsWith('<~') ? 2 : 0
  const to = isAscii85 && text.endsWith('~>') ? text.length - 2 : text.length
  const bytes = new Uint8Array(Math.max(0, to - from) * 4)
  let length = 0
  let value = 0
  let digits = 0
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i)
    if (isAscii85 && code === 122 && digits === 0) {
      length += 4
      continue
    }
    const digit = isAscii85 ? ascii85Value(code) : code < 128 ? (rfcValues[code] ?? -1) : -1
    if (digit < 0) return undefined
    value = value * 85 + digit
    digits += 1
    if (digits < 5) continue
    if (value > 0xffffffff) return undefined
    for (let shift = 24; shift >= 0; shift -= 8) bytes[length++] = (value / 2 ** shift) & 0xff
    value = 0
    digits = 0
  }
  if (digits > 1) length = writeRest(bytes, length, { value, digits })
  return bytes.subarray(0, length)
}

const ascii85Value = (code: number): number => (code >= 33 && code <= 117 ? code - 33 : -1)

/** A last group of n digits gives n - 1 bytes: it is filled up with the highest digit. */
function writeRest(bytes: Uint8Array, from: number, { value, digits }: { value: number; digits: number }): number {
  let filled = value
  for (let k = digits; k < 5; k += 1) filled = filled * 85 + 84
  let length = from
  for (let k = 0; k < digits - 1; k += 1) bytes[length++] = Math.floor(filled / 2 ** (24 - 8 * k)) & 0xff
  return length
}
