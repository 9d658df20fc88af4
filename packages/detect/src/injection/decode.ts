import { decodeBase64, utf8Text } from '../text/base64.ts'

export interface DecodedRun {
  readonly text: string
  /** Range of the encoded run in the text it was found in. */
  readonly start: number
  readonly end: number
  readonly step: 'base64' | 'hex'
}

const maxCandidates = 64
const maxRunBytes = 65_536

// A line break may split a run, as mail software does every 76 characters.
const runs = /(?:\\x[0-9a-fA-F]{2}){8,}|[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{2,}){0,512}={0,2}/g
const hexPairs = /(?:[0-9a-fA-F]{2}[ :,]){11,}[0-9a-fA-F]{2}/g

/**
 * Texts that stand encoded in base64 or hexadecimal: at most 64 runs, 64 KiB each. `complete` is false when there
 * were more. A run counts only when it decodes to readable UTF-8.
 */
export function decodedRuns(text: string): { found: DecodedRun[]; complete: boolean } {
  const found: DecodedRun[] = []
  let left = maxCandidates
  for (const expression of [runs, hexPairs]) {
    for (const match of text.matchAll(expression)) {
      // Long words and paths cost nothing: they hold no digit and capital, or do not decode.
      if (left === 0) return { found, complete: false }
      const decoded = decodeRun(match[0], match.index)
      if (!decoded) continue
      found.push(decoded)
      left -= 1
    }
  }
  return { found, complete: true }
}

function decodeRun(run: string, start: number): DecodedRun | undefined {
  const pieces = run.includes('\n') ? [run, run.slice(0, run.indexOf('\n')).trimEnd()] : [run]
  for (const piece of pieces) {
    const hex = piece.replace(/\\x|[ :,\r\n]/g, '')
    const isHex = hex.length % 2 === 0 && /^[0-9a-fA-F]{16,}$/.test(hex)
    const bytes = isHex ? hexBytes(hex) : decodeBase64(piece, maxRunBytes)
    const text = bytes && utf8Text(bytes)
    if (text !== undefined && isReadable(text))
      return { text, start, end: start + piece.length, step: isHex ? 'hex' : 'base64' }
  }
  return undefined
}

function hexBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(Math.min(maxRunBytes, hex.length / 2))
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)
  return bytes
}

const minReadable = 0.85

/** Whether at least 85 % of the first 512 characters are letters, digits, blanks or ordinary punctuation. */
function isReadable(text: string): boolean {
  const sample = text.slice(0, 512)
  const ordinary = sample.match(/[\p{L}\p{N}\p{Zs}\n\r\t.,;:!?'"()<>|_\-/[\]{}#=+]/gu)?.length ?? 0
  return sample.length >= 8 && ordinary >= sample.length * minReadable
}
