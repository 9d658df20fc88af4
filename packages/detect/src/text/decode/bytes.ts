import { utf8Text } from '../bytes/base64.ts'
import { isPrintable, looksLikeLanguage } from '../language/language.ts'

/** More than this never becomes a view. */
export const maxBytes = 262_144

/** Bytes as text when they are readable UTF-8 or UTF-16 little endian, else undefined. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || !mayBeText(bytes)) return undefined
  const text = isWide(bytes) ? utf16Text(bytes) : utf8Text(bytes)
  return text !== undefined && isWorthReading(text) ? text : undefined
}

const probeBytes = 48

/** Whether the first bytes are UTF-8 without controls, or UTF-16 of ASCII: by far most byte strings fail at once. */
export function mayBeText(bytes: Uint8Array): boolean {
  if (isWide(bytes)) return true
  const length = Math.min(bytes.length, probeBytes)
  let controls = 0
  for (let i = 0; i < length; ) {
    const byte = bytes[i] ?? 0
    if (byte < 32 ? byte < 9 || byte > 13 : byte === 127) controls += 1
    const more =
      byte < 0x80
        ? 0
        : byte >= 0xc2 && byte < 0xe0
          ? 1
          : byte >= 0xe0 && byte < 0xf0
            ? 2
            : byte >= 0xf0 && byte < 0xf5
              ? 3
              : -1
    if (more < 0 || controls * 10 > length) return false
    for (let k = 1; k <= more && i + k < length; k += 1) if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return false
    i += more + 1
  }
  return true
}

const minAscii = 12

/** Language, or ASCII long enough not to be chance: perhaps another encoding inside. */
export const isWorthReading = (text: string): boolean =>
  looksLikeLanguage(text) || (text.length >= minAscii && isPlainAscii(text))

function isPlainAscii(text: string): boolean {
  const sample = text.slice(0, 256)
  return isPrintable(sample) && !/[^\t\n\r -~]/.test(sample)
}

/** Whether every second byte is zero, as in UTF-16 of ASCII (PowerShell's base64). */
function isWide(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false
  for (let i = 1; i < Math.min(bytes.length, 16); i += 2) if (bytes[i] !== 0 || bytes[i - 1] === 0) return false
  return true
}

function utf16Text(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length >> 1)
  for (let i = 0; i < units.length; i += 1) units[i] = (bytes[i * 2] ?? 0) | ((bytes[i * 2 + 1] ?? 0) << 8)
  let text = ''
  for (let i = 0; i < units.length; i += block) text += String.fromCharCode(...units.subarray(i, i + block))
  return text
}

const block = 4096
