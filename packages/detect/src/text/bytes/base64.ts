/**
 * Bytes of a base64 or base64url text. Padding and whitespace are skipped, a dangling last character is ignored.
 * Returns undefined at the first character outside both alphabets.
 */
export function decodeBase64(text: string, maxBytes = Number.POSITIVE_INFINITY): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.min(maxBytes, Math.ceil((text.length * 3) / 4)))
  let length = 0
  let bits = 0
  let held = 0
  for (let i = 0; i < text.length && length < bytes.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 61 || code === 10 || code === 13 || code === 32) continue
    const value = sextet(code)
    if (value < 0) return undefined
    held = ((held << 6) | value) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[length] = (held >> bits) & 0xff
    length += 1
  }
  return bytes.subarray(0, length)
}

/** The bytes as text when they are valid UTF-8 (a cut last character is forgiven), else undefined. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    // Not text: most base64 and hex runs are keys, hashes or images.
    return undefined
  }
}

function sextet(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  if (code === 43 || code === 45) return 62
  return code === 47 || code === 95 ? 63 : -1
}
