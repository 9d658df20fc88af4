import { isSpace, unitKinds } from './characters.ts'
import { foldCluster } from './fold.ts'

/** Offset map of a text that only lost some whitespace: from each of `at` on, positions shift to `origin`. */
export interface Breaks {
  readonly at: readonly number[]
  readonly origin: readonly number[]
}

export interface AsciiText {
  readonly text: string
  readonly breaks: Breaks
  /** Words in alternating case (`iGnOrE`). */
  readonly alternating: number
}

/**
 * Normal form of text without spaced-out letters in which every character is ASCII or folds to one ASCII character
 * (typeset quotes and dashes, accented letters of western Europe), or undefined when it is not that and needs the full
 * treatment. Only whitespace changes length, so the map is a short list.
 */
export function normalizeAscii(text: string): AsciiText | undefined {
  const found = survey(text)
  if (!found) return undefined
  const isAscii = !aboveAscii.test(text)
  const alternating = isAscii ? found.alternating : 0
  const folded = isAscii ? text.toLowerCase() : foldUnits(text)
  if (found.gaps.length === 0) return { text: folded, breaks: { at: [], origin: [] }, alternating }
  return { ...withoutGaps(folded, found.gaps), alternating }
}

const aboveAscii = /[\x80-\uffff]/
const ascii = /* @__PURE__ */ new TextDecoder()

function foldUnits(text: string): string {
  const units = new Uint8Array(text.length)
  const forms = asciiForms
  for (let i = 0; i < units.length; i += 1) units[i] = forms[text.charCodeAt(i)] ?? 0
  return ascii.decode(units)
}

// Where the characters are that every western European keyboard or word processor makes.
const foldable: readonly (readonly [first: number, last: number])[] = [
  [0xa0, 0x17f],
  [0x2010, 0x2026],
]
const asciiForms = /* @__PURE__ */ buildForms()

/** The one ASCII character that a character folds to in any surroundings; 0 where there is none. */
function buildForms(): Uint8Array {
  const forms = new Uint8Array(0x10000)
  for (let code = 0; code < 128; code += 1) forms[code] = code >= 65 && code <= 90 ? code + 32 : code
  for (const [first, last] of foldable) {
    for (let code = first; code <= last; code += 1) {
      const { units, look } = foldCluster(String.fromCharCode(code), { keepCase: false, stripMarks: false })
      const isPlain = units.length === 1 && units.charCodeAt(0) < 128 && look === 0 && unitKinds[code] === 0
      if (isPlain) forms[code] = units.charCodeAt(0)
    }
  }
  return forms
}

// Classes of characters, so that the survey needs one table look-up each.
const other = 0
const lower = 1
const upper = 2
const blank = 3
const mark = 4
const outside = 5
function buildClasses(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(outside, 128)
  for (let c = 97; c <= 122; c += 1) table[c] = lower
  for (let c = 65; c <= 90; c += 1) table[c] = upper
  for (let c = 0; c < 128; c += 1) if (isSpace(c)) table[c] = blank
  for (const c of '._*|-/~,+:') table[c.charCodeAt(0)] = mark
  for (let c = 128; c < 0x10000; c += 1) if ((asciiForms[c] ?? 0) > 0) table[c] = table[asciiForms[c] ?? 0] ?? other
  return table
}

const classes = /* @__PURE__ */ buildClasses()

const minSingles = 5
const minAlternations = 4

/** Start and end of every gap that must change, flattened; undefined at the first character that needs more or spaced-out text. */
function survey(text: string): { gaps: number[]; alternating: number } | undefined {
  // Kept at hand: in a bundle a module's own name is read anew for every unit.
  const classOf = classes
  const gaps: number[] = []
  let alternating = 0
  let turns = 0
  let token = 0
  let singles = 0
  let previous = other
  const { length } = text
  for (let i = 0; i < length; ) {
    const kind = classOf[text.charCodeAt(i)]
    if (kind === lower) {
      let end = i + 1
      while (end < length && classOf[text.charCodeAt(end)] === lower) end += 1
      turns = previous === upper && end === i + 1 ? turns + 1 : 0
      token += end - i
      i = end
    } else if (kind === blank || kind === mark) {
      if (token === 1 && (previous === lower || previous === upper)) singles += 1
      else if (token > 1) singles = 0
      if (singles >= minSingles - 1) return undefined
      token = 0
      i = kind === blank ? gapAt(text, i, gaps) : i + 1
    } else if (kind === outside) return undefined
    else {
      turns = kind === upper && previous === lower ? turns + 1 : 0
      token += 1
      i += 1
    }
    if (turns === minAlternations) alternating += 1
    previous = kind ?? other
  }
  return { gaps, alternating }
}

/** Notes the gap at `from` unless it is one space or line feed already; returns its end. */
function gapAt(text: string, from: number, gaps: number[]): number {
  let end = from + 1
  while (end < text.length && classes[text.charCodeAt(end)] === blank) end += 1
  const code = text.charCodeAt(from)
  if (end > from + 1 || (code !== 32 && code !== 10)) gaps.push(from, end)
  return end
}

function withoutGaps(text: string, gaps: readonly number[]): { text: string; breaks: Breaks } {
  const parts: string[] = []
  const at: number[] = []
  const origin: number[] = []
  let copied = 0
  let length = 0
  for (let g = 0; g < gaps.length; g += 2) {
    const start = gaps[g] ?? 0
    const end = gaps[g + 1] ?? 0
    parts.push(text.slice(copied, start), hasLineEnd(text, start, end) ? '\n' : ' ')
    length += start - copied + 1
    at.push(length)
    origin.push(end)
    copied = end
  }
  parts.push(text.slice(copied))
  return { text: parts.join(''), breaks: { at, origin } }
}

function hasLineEnd(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (code >= 10 && code <= 13) return true
  }
  return false
}

/** Range of the original text for a range of the shortened one. */
export function throughBreaks({ at, origin }: Breaks, start: number, end: number): { start: number; end: number } {
  const from = originOf(at, origin, start)
  if (end <= start) return { start: from, end: from }
  // The last unit ends where the next one begins when a gap was shortened there.
  const k = lastAtMost(at, end)
  const to = k >= 0 && at[k] === end ? (origin[k] ?? 0) : originOf(at, origin, end - 1) + 1
  return { start: from, end: to }
}

function originOf(at: readonly number[], origin: readonly number[], position: number): number {
  const k = lastAtMost(at, position)
  return k < 0 ? position : (origin[k] ?? 0) + position - (at[k] ?? 0)
}

/** Index of the last element not above `value` in a rising list, or -1. */
function lastAtMost(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
