/**
 * Folding of words before they are compared: case, Latin and Greek marks, and punctuation as blanks.
 * Promises one code unit for one code unit; does not handle look-alikes. Tested in lexicon.test.ts.
 */

const limit = 0x530
const table = new Uint16Array(limit)
for (let code = 0; code < limit; code += 1) table[code] = foldedSlowly(code)
// ı and ł have no decomposition, ø and ß neither.
for (const [from, to] of [
  'ıi',
  'İi',
  'łl',
  'Łl',
  'øo',
  'Øo',
  'đd',
  'Đd',
  'ßs',
  'þt',
  'ðd',
  'æa',
  'Æa',
  'œo',
  'ёе',
  'Ёе',
]) {
  if (from !== undefined && to !== undefined) table[from.charCodeAt(0)] = to.charCodeAt(0)
}

function foldedSlowly(code: number): number {
  const char = String.fromCharCode(code).toLowerCase()
  if (code >= 48 && code <= 57) return 32
  // Cyrillic й is a letter of its own, not и with a mark.
  const base = code >= 0x400 ? char : char.normalize('NFD')
  const first = base.charCodeAt(0)
  if (first < 128) return first >= 97 && first <= 122 ? first : 32
  return code < 0xc0 || code === 0xd7 || code === 0xf7 ? 32 : first
}

/** The folded code unit by code unit; 32 for everything that separates words. */
export const foldTable: Uint16Array = Uint16Array.from({ length: 0x10000 }, (_, code) => foldUnit(code))

/** The folded code unit; 32 for everything that separates words. */
export const fold = (code: number): number => foldTable[code] ?? 32

function foldUnit(code: number): number {
  if (code < limit) return table[code] ?? 32
  if (code >= 0x1e00 && code < 0x2000) return foldedSlowly(code)
  if (code < 0x2070 || (code >= 0x3000 && code <= 0x3003) || (code >= 0x3008 && code <= 0x3020)) {
    return code >= 0x2000 || (code >= 0x660 && code <= 0x669) ? 32 : code
  }
  return code >= 0xff00 && code <= 0xff20 ? 32 : code
}

/** Scripts written without blanks, or that glue particles to a word: a word may begin anywhere. */
export const isUnspaced = (code: number): boolean => code >= 0x590 && !(code >= 0x1e00 && code < 0x2000)
