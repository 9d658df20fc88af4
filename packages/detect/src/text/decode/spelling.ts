import { looksLikeLanguage } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'

const words =
  'alfa alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray x-ray yankee zulu'
const names: ReadonlySet<string> = new Set(words.split(' '))

// Hardly a word can be spelled without two of these.
const signs = ['november', 'tango', 'echo', 'romeo', 'oscar', 'india', 'alfa', 'sierra']
/** Fewer letters than this spell nothing. */
export const minLetters = 5

const shortest = 4
const longest = 8
const beginnings = /* @__PURE__ */ buildBeginnings()

/** By the low five bits of the first two letters: whether some name begins so. */
function buildBeginnings(): Uint8Array {
  const table = new Uint8Array(1024)
  for (const name of names) table[beginningOf(name, 0)] = 1
  return table
}

function beginningOf(text: string, at: number): number {
  return ((text.charCodeAt(at) & 31) << 5) | (text.charCodeAt(at + 1) & 31)
}

/** Whether a run of letters is a name of the alphabet or the second half of `x-ray`. */
export function isName(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < shortest || length > longest) return length === 3 && text.startsWith('ray', start)
  return beginnings[beginningOf(text, start)] === 1 && names.has(text.slice(start, end))
}

/** Start of the next word of the alphabet, the length of the text when there is none. */
function nextName(text: string, from: number): number {
  for (let i = from; i < text.length; ) {
    const end = wordEnd(text, i)
    const length = end - i
    if (length >= shortest && length <= longest && names.has(text.slice(i, end))) return i
    i = end + 1
  }
  return text.length
}

function wordEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && isNameUnit(text.charCodeAt(end))) end += 1
  return end
}

const isNameUnit = (code: number): boolean => (code >= 97 && code <= 122) || code === 45

/** Letters called by the words of the radiotelephony alphabet. Works on normalized text. */
export function decodeSpelling(text: string, budget: Budget): Candidate[] {
  if (signs.filter((word) => text.includes(word)).length < 2) return []
  const pieces: Piece[] = []
  let letters = 0
  let last = 0
  for (let at = nextName(text, 0); at < text.length; at = nextName(text, last)) {
    if (!spend(budget, 4)) break
    if (letters > 0 && /[/|\n.,;_]| {2}/.test(text.slice(last, at)))
      pieces.push({ text: ' ', start: last, end: at, literal: false })
    const end = wordEnd(text, at)
    pieces.push({ text: text.charAt(at), start: at, end, literal: false })
    letters += 1
    last = end
  }
  if (letters < minLetters) return []
  const { text: spelled, map } = patch(pieces)
  return looksLikeLanguage(`${spelled} a`)
    ? [{ name: 'spelling-alphabet', text: spelled, map, consumed: letters * 6 }]
    : []
}
