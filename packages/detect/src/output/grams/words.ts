/** Words as hashes: runs of letters and digits of any script, in lower case, accents and the rest of the text left out. */
const seed = 0x811c9dc5
const factor = 0x01000193

/** State of a word that may go on in the next piece of text. */
export interface OpenWord {
  hash: number
  start: number
}

/** No word is open. */
export const noWord = (): OpenWord => ({ hash: 0, start: -1 })

/** Calls back with hash (FNV-1a, 32 bits), start and end of each word. */
export function eachWord(text: string, visit: (hash: number, start: number, end: number) => void): void {
  const open = noWord()
  feedWords(text, { offset: 0, open }, visit)
  if (open.start >= 0) visit(open.hash, open.start, text.length)
}

/** As `eachWord` for one piece of a text; a word at its end stays open. */
export function feedWords(
  text: string,
  { offset, open }: { offset: number; open: OpenWord },
  visit: (hash: number, start: number, end: number) => void,
): void {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    const code = unit < 128 ? (wordUnits[unit] ?? 0) : isLetter(unit) ? lower(unit) : 0
    if (code > 0) {
      if (open.start < 0) {
        open.start = offset + i
        open.hash = seed
      }
      open.hash = Math.imul(open.hash ^ code, factor)
    } else if (open.start >= 0 && unit !== apostrophe) {
      visit(open.hash, open.start, offset + i)
      open.start = -1
    }
  }
}

const apostrophe = 39

const wordUnits = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) ? code : code >= 65 && code <= 90 ? code + 32 : 0,
)

const isLetter = (unit: number): boolean =>
  unit >= 0xc0 &&
  !(unit >= 0x2000 && unit < 0x2c00) &&
  !(unit >= 0x3000 && unit < 0x3005) &&
  unit !== 0xfeff &&
  !(unit >= 0xff01 && unit < 0xff10)

const lower = (unit: number): number =>
  unit < 0x590 || (unit >= 0x1e00 && unit < 0x2000) ? String.fromCharCode(unit).toLowerCase().charCodeAt(0) : unit
