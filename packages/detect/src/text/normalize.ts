/**
 * The view of a text that rules read: hidden characters gone, spellings unified, every position traceable.
 * Promises linear time and a range of the original for every range of the view; the view is for matching only, it is
 * never shown or sent on, because it drops accents and case. Tested in normalize.test.ts.
 */
import { latinLookalike } from './confusables.ts'
import { createTape, type Tape } from './tape.ts'

export interface NormalizedText {
  readonly text: string
  /** Range of the original text that a range of the normalized text was made from (UTF-16). */
  toOriginal(start: number, end: number): { start: number; end: number }
}

/**
 * Drops zero-width, bidi and variation characters, maps tag characters to the ASCII they hide, applies NFKC and lower
 * case, removes accents from Latin letters, folds look-alikes in words that mix scripts, turns whitespace runs into
 * one space and joins letters that were spaced out (five or more). Pure ASCII takes a path without Unicode work.
 */
export function normalize(text: string): NormalizedText {
  if (isAscii(text)) {
    const lower = text.toLowerCase()
    if (!needsCompaction.test(lower)) return identity(lower.replace(/[\t\n\v\f\r]/g, ' '))
  }
  const tape = createTape(text.length)
  copyFolded(text, tape)
  foldMixedWords(tape)
  compact(tape)
  const { starts, ends } = tape.origins()
  return {
    text: tape.text(),
    toOriginal: (start, end) => ({
      start: starts[start] ?? text.length,
      end: end > start ? (ends[end - 1] ?? text.length) : (starts[start] ?? text.length),
    }),
  }
}

// Double whitespace, or a letter-separator pair repeated often enough to be spaced-out writing.
const needsCompaction = /\s\s|(?:\b[a-z][ ._*|-]){4}/

const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text)

function identity(text: string): NormalizedText {
  return { text, toOriginal: (start, end) => ({ start, end }) }
}

function copyFolded(text: string, tape: Tape): void {
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i) ?? 0
    const next = i + (code > 0xffff ? 2 : 1)
    if (code < 0x80 && (text.charCodeAt(next) < 0x300 || next === text.length)) {
      tape.put(code >= 65 && code <= 90 ? code + 32 : code, i, next)
      i = next
    } else if (isHidden(code)) {
      i = next
    } else if (code >= 0xe0020 && code <= 0xe007e) {
      tape.put(lowerAscii(code - 0xe0000), i, next)
      i = next
    } else {
      const end = clusterEnd(text, next)
      for (const unit of foldCluster(text.slice(i, end))) tape.put(unit, i, end)
      i = end
    }
  }
}

const lowerAscii = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

function isHidden(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    (code >= 0x17b4 && code <= 0x17b5) ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    code === 0xe0001 ||
    code === 0xe007f ||
    (code >= 0xe0100 && code <= 0xe01ef)
  )
}

// Combining marks after the first 16 belong to no language; they become clusters of their own and are dropped there.
const maxMarks = 16

function clusterEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < maxMarks && isMark(text.charCodeAt(end))) end += 1
  return end
}

function isMark(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x483 && code <= 0x489) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0x3099 && code <= 0x309a) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  )
}

function foldCluster(cluster: string): number[] {
  const folded = cluster.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss')
  const units: number[] = []
  for (const char of folded) {
    const bare = char.normalize('NFD')
    // Only Latin letters lose their marks: in Cyrillic or Japanese the mark is a different letter.
    const kept = bare.charCodeAt(0) < 0x250 ? bare.slice(0, 1) : char
    for (let i = 0; i < kept.length; i += 1) if (!isMark(kept.charCodeAt(i))) units.push(kept.charCodeAt(i))
  }
  return units
}

/** Folds look-alikes to Latin in words that also hold a plain Latin letter; pure Greek or Cyrillic words stay. */
function foldMixedWords(tape: Tape): void {
  const { units } = tape
  for (let i = 0; i < tape.length(); ) {
    let end = i
    let latin = false
    let foreign = false
    while (end < tape.length() && isWordUnit(units()[end] ?? 0)) {
      if (latinLookalike(units()[end] ?? 0) > 0) foreign = true
      else if ((units()[end] ?? 0) < 0x80) latin = true
      end += 1
    }
    if (latin && foreign)
      for (let k = i; k < end; k += 1) units()[k] = latinLookalike(units()[k] ?? 0) || (units()[k] ?? 0)
    i = Math.max(end, i + 1)
  }
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122

const isWordUnit = (code: number): boolean =>
  isLetter(code) || (code >= 0x180 && code < 0x2000) || (code > 0xa720 && code < 0xa7ff)

function compact(tape: Tape): void {
  let to = 0
  for (let i = 0; i < tape.length(); ) {
    const joined = spacedOutEnd(tape, i)
    if (joined > i) {
      for (let k = i; k < joined; k += 2) tape.move(k, to++)
      i = joined
    } else if (isSpace(tape.at(i))) {
      if (to === 0 || tape.at(to - 1) !== 32) {
        tape.move(i, to)
        tape.units()[to++] = 32
      }
      i += 1
    } else {
      tape.move(i, to++)
      i += 1
    }
  }
  tape.cut(to)
}

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0x85 ||
  code === 0xa0 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x3000

const minSpacedLetters = 5

/** End of a run like `i g n o r e` or `i.g.n.o.r.e` that begins at `from`, or `from` when there is none. */
function spacedOutEnd(tape: Tape, from: number): number {
  if (!isLetter(tape.at(from)) || (from > 0 && isLetter(tape.at(from - 1)))) return from
  const separator = tape.at(from + 1)
  if (!' ._*|-'.includes(String.fromCharCode(separator)) || separator === 0) return from
  let last = from
  while (tape.at(last + 1) === separator && isLetter(tape.at(last + 2)) && !isLetter(tape.at(last + 3))) last += 2
  return (last - from) / 2 + 1 >= minSpacedLetters ? last + 1 : from
}
