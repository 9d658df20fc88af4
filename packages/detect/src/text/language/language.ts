/**
 * Whether a text reads like language. Promises one look-up per character; it knows Latin-script languages by their
 * letter pairs and every other script only by being letters. Tested in views.test.ts.
 */
import { bigramCosts } from './bigrams.ts'
import { commonWords } from './common-words.ts'

const costs = Uint8Array.from(bigramCosts, (digit) => Number.parseInt(digit, 36))

const indices = /* @__PURE__ */ buildIndices()

/** The tables behind `letterIndex` and, at 27 times the first index plus the second, `pairCost`, for the busiest loops. */
export { costs as pairCosts, indices as letterIndices }

function buildIndices(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let k = 1; k <= 26; k += 1) table[96 + k] = table[64 + k] = k
  return table
}

/** Row and column of a UTF-16 unit in the table: 0 for every non-letter, 1 to 26 for a to z. */
export const letterIndex = (unit: number): number => indices[unit] ?? 0

/** Cost of one letter (1..26, 0 for the word boundary) after another. */
export const pairCost = (before: number, after: number): number => costs[before * 27 + after] ?? 0

/**
 * Mean cost of a letter in -2.5 ln p. Measured on English, 14 other Latin languages and code: 7.2 to 7.9 in the
 * middle, 8.5 to 9.7 for the worst twentieth; reversed 9.8, shifted by 13 12.5, Atbash 14.7. 0 without letters.
 */
export function strangeness(text: string, start = 0, end = text.length): number {
  let before = 0
  let sum = 0
  let letters = 0
  for (let i = start; i <= end; i += 1) {
    const after = i < end ? letterIndex(text.charCodeAt(i)) : 0
    if (after > 0) letters += 1
    else if (before === 0) continue
    sum += costs[before * 27 + after] ?? 0
    before = after
  }
  return letters === 0 ? 0 : sum / letters
}

/** Letters of natural Latin-script text stay below this; see `strangeness`. */
export const readableBelow = 9

/** Share of the words (runs of a-z) that are common English ones; 0 without words. */
export function commonShare(text: string, limit = 4096): number {
  let words = 0
  let common = 0
  for (const word of text
    .slice(0, limit)
    .toLowerCase()
    .match(/[a-z]+/g) ?? []) {
    words += 1
    if (commonWords.has(word)) common += 1
  }
  return words === 0 ? 0 : common / words
}

const sampleLength = 1024
const minPrintable = 0.85

/** Whether at most 15 % of the first 1,024 characters are controls or unassigned-looking. */
export function isPrintable(text: string): boolean {
  const sample = text.slice(0, sampleLength)
  let bad = 0
  for (let i = 0; i < sample.length; i += 1) {
    const code = sample.charCodeAt(i)
    if ((code < 32 && (code < 9 || code > 13)) || (code >= 0x7f && code < 0xa0) || code === 0xfffd) bad += 1
  }
  return sample.length > 0 && bad <= sample.length * (1 - minPrintable)
}

const minLetters = 0.6
const longestWord = 30

/** Whether a text that came out of a decoder is language: mostly letters and blanks, words of human length. */
export function looksLikeLanguage(text: string): boolean {
  const sample = text.slice(0, sampleLength)
  if (!isPrintable(sample)) return false
  const letters = sample.match(/\p{L}|\p{M}/gu)?.length ?? 0
  const blanks = sample.match(/\s/g)?.length ?? 0
  if (letters < 3 || letters + blanks < sample.length * minLetters) return false
  // Only Latin-script text parts its words with blanks everywhere and can be checked by letter pairs.
  const latin = sample.match(/[A-Za-z]/g)?.length ?? 0
  if (latin * 2 < letters) return letters >= 4
  return latin <= longestWord * (blanks + 1) && strangeness(sample) < readableBelow + (sample.length < 24 ? 1 : 2)
}

const minProse = 0.85

/** Whether a text is words and blanks for the most part; code and tables read strangely without being enciphered. */
export function isProse(sample: string): boolean {
  let prose = 0
  for (let i = 0; i < sample.length; i += 1) {
    const code = sample.charCodeAt(i)
    if (letterIndex(code) > 0 || code === 32) prose += 1
  }
  return prose >= sample.length * minProse
}
