/** Which characters continue a word, for scripts that put spaces between words. Tested through engine.test.ts. */

// Digits, underscore, small letters.
const asciiRanges: readonly (readonly [first: number, last: number])[] = [
  [48, 57],
  [95, 95],
  [97, 122],
]

// First and last unit of blocks whose words are not set apart by spaces, and of punctuation above ASCII.
const otherThanLetters: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x37e, 0x37e],
  [0x387, 0x387],
  [0x589, 0x58a],
  [0x5be, 0x5be],
  [0x5c0, 0x5c0],
  [0x5c3, 0x5c3],
  [0x5f3, 0x5f4],
  [0x60c, 0x60d],
  [0x61b, 0x61f],
  [0x66a, 0x66d],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  // Thai, Lao, Myanmar, Hangul letters, Khmer.
  [0xe00, 0xeff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],
  [0x1780, 0x17ff],
  // Punctuation, symbols, Han, kana, Hangul, surrogates and private use.
  [0x2000, 0x2bff],
  [0x2e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xfaff],
  [0xfd3e, 0xfd4f],
  [0xfe10, 0xfe6f],
  [0xff00, 0xffff],
]

/** By UTF-16 unit: 1 where `continuesWord` holds. */
export const wordUnits: Uint8Array = /* @__PURE__ */ buildTable()

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(1, 0x80)
  for (const [first, last] of asciiRanges) table.fill(1, first, last + 1)
  for (const [first, last] of otherThanLetters) table.fill(0, first, last + 1)
  return table
}

/** Whether a word of a spaced script goes on at this UTF-16 unit; false for scripts without spaces. */
export const continuesWord = (code: number): boolean => wordUnits[code] === 1

// Longest rest of a word that a wildcard takes in; longer runs are no words.
const maxRest = 24

/** End of the word that goes on at `from`. */
export function wordEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < maxRest && continuesWord(text.charCodeAt(end))) end += 1
  return end
}

/** Start of the word whose later part begins at `from`. */
export function wordStart(text: string, from: number): number {
  let start = from
  while (start > 0 && from - start < maxRest && continuesWord(text.charCodeAt(start - 1))) start -= 1
  return start
}
