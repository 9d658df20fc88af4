import { isLineEnd, isSpace, isWordUnit } from '../alphabet/characters.ts'
import { type Tape, unitAt } from '../view/tape.ts'

/** Letters written apart: positions of the visible characters and the width of the gap after each but the last. */
export interface SpacedRun {
  readonly at: readonly number[]
  readonly gaps: readonly number[]
  /** The gap inside words; wider ones, and blanks where the separator is a mark, stand between words. */
  readonly narrow: number
}

const minLetters = 5
const maxGap = 6

/** Marks people put between letters. */
export const isSeparator = (unit: number): boolean =>
  unit === 32 ||
  unit === 10 ||
  unit === 46 ||
  unit === 95 ||
  unit === 42 ||
  unit === 124 ||
  unit === 45 ||
  unit === 47 ||
  unit === 126 ||
  unit === 44 ||
  unit === 43 ||
  unit === 58 ||
  unit === 0xb7

/**
 * The run of single characters that begins at `from`, five letters at least, with one kind of separator in each word:
 * `i g n o r e`, `i.g.n.o.r.e a_l_l`, `a_l_l_ _t_h_e`. When there is none, how far the search read (never less than `from`).
 */
export function spacedRun(tape: Tape, from: number): SpacedRun | number {
  let separator = unitAt(tape, from + 1)
  if (!isSeparator(separator) || (from > 0 && isWordUnit(unitAt(tape, from - 1)))) return from
  const at = [from]
  const gaps: number[] = []
  let letters = isLetter(unitAt(tape, from)) ? 1 : 0
  let last = from
  for (;;) {
    const width = gapWidth(tape, last + 1, separator)
    const next = last + 1 + width
    if (width === 0 || width > maxGap || next >= tape.length || !standsAlone(tape, next)) break
    at.push(next)
    const isBetweenWords = isSpace(unitAt(tape, last + 1)) && !isSpace(separator)
    gaps.push(isBetweenWords ? maxGap + width : width)
    if (isBetweenWords) separator = separatorAfter(tape, next) ?? separator
    if (isLetter(unitAt(tape, next))) letters += 1
    last = next
  }
  if (letters < minLetters || letters * 2 < at.length) return last
  return { at, gaps, narrow: gaps.reduce((least, gap) => Math.min(least, gap), maxGap) }
}

/** Replacement of a gap wider than those inside words: a line end if it held one, else a space. */
export function gapUnit(tape: Tape, start: number, end: number): number {
  for (let i = start; i < end; i += 1) if (isLineEnd(unitAt(tape, i))) return 10
  return 32
}

/** The mark that the word beginning there is written with. */
function separatorAfter(tape: Tape, at: number): number | undefined {
  const mark = unitAt(tape, at + 1)
  return isSeparator(mark) && !isSpace(mark) && isLetter(unitAt(tape, at + 2)) ? mark : undefined
}

const isLetter = (unit: number): boolean => isWordUnit(unit) && !(unit >= 48 && unit <= 57)

function gapWidth(tape: Tape, from: number, separator: number): number {
  const first = unitAt(tape, from)
  if (first !== separator && !isSpace(first)) return 0
  let width = 1
  while (width <= maxGap && (unitAt(tape, from + width) === separator || isSpace(unitAt(tape, from + width))))
    width += 1
  return width
}

const standsAlone = (tape: Tape, at: number): boolean =>
  !isWordUnit(unitAt(tape, at)) || !isWordUnit(unitAt(tape, at + 1))
