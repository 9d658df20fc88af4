import { isName } from './spelling.ts'

/** A line of normalized text, end exclusive. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** Lines that some rewriting of words has something to do in; most texts have none. */
export interface LineSurvey {
  /** Words with digits or signs among the letters. */
  readonly leet: readonly LineRange[]
  /** Two or more letters parted by a mark inside a word. */
  readonly fragmented: readonly LineRange[]
  /** Words that mostly end in `ay`. */
  readonly pig: readonly LineRange[]
  /** Words of the radiotelephony alphabet. */
  readonly names: number
}

const letter = 1
const sign = 2
const divider = 3
const feed = 4
const kinds = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let c = 97; c <= 122; c += 1) table[c] = letter
  for (const char of '0123456789@$!|+€£¡') table[char.charCodeAt(0)] = sign
  for (const char of '-/~_*.·') table[char.charCodeAt(0)] = divider
  table[10] = feed
  return table
}

interface Found {
  readonly leet: LineRange[]
  readonly fragmented: LineRange[]
  readonly pig: LineRange[]
  names: number
}

interface Counts {
  words: number
  inner: number
  loose: number
  cuts: number
  pig: number
}

const maxLine = 2000

/** One pass over the letter runs of normalized text; lines over 2,000 characters count as several. */
export function surveyLines(text: string): LineSurvey {
  const survey: Found = { leet: [], fragmented: [], pig: [], names: 0 }
  let start = 0
  let counts: Counts = { words: 0, inner: 0, loose: 0, cuts: 0, pig: 0 }
  let lastEnd = -1
  const kindOf = kinds
  for (let i = 0; i <= text.length; ) {
    const kind = i < text.length ? kindOf[text.charCodeAt(i)] : feed
    if (kind === letter) {
      const end = runEnd(text, i + 1)
      if (isName(text, i, end)) survey.names += 1
      noteRun(counts, { text, start: i, end, lastEnd })
      lastEnd = end
      i = end
      continue
    }
    if (kind === feed || (kind === 0 && i - start >= maxLine)) {
      if (counts.words > 0) {
        noteLine(survey, { start, end: i }, counts)
        counts = { words: 0, inner: 0, loose: 0, cuts: 0, pig: 0 }
      }
      start = i + (kind === feed ? 1 : 0)
    }
    i += 1
  }
  return survey
}

function runEnd(text: string, from: number): number {
  let end = from
  const kindOf = kinds
  while (end < text.length && kindOf[text.charCodeAt(end)] === letter) end += 1
  return end
}

const maxSigns = 4

interface Run {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly lastEnd: number
}

function noteRun(counts: Counts, { text, start, end, lastEnd }: Run): void {
  counts.words += 1
  const gap = start - lastEnd
  const before = start > 0 ? kinds[text.charCodeAt(start - 1)] : 0
  const after = end < text.length ? kinds[text.charCodeAt(end)] : 0
  if (before === divider && gap === 1) counts.cuts += 1
  else if (before === sign) {
    if (isAddress(text, start, end)) return
    if (gap <= maxSigns && lastEnd >= 0 && allSigns(text, lastEnd, start)) counts.inner += 1
    counts.loose += 1
    if (gap === 1 && (text.charCodeAt(start - 1) > 57 || text.charCodeAt(start - 1) === 43)) counts.cuts += 1
  } else if (after === sign && isLooseSign(text.charCodeAt(end))) counts.loose += 1
  if (end - start > 3 && text.charCodeAt(end - 1) === 121 && text.charCodeAt(end - 2) === 97) counts.pig += 1
}

/** `name@host.example`: the at sign stands for no letter. */
const isAddress = (text: string, start: number, end: number): boolean =>
  text.charCodeAt(start - 1) === 64 && text.charCodeAt(end) === 46 && kinds[text.charCodeAt(end + 1)] === letter

/** After a word these are punctuation, arithmetic or the middle of an address. */
const isLooseSign = (code: number): boolean => code !== 33 && code !== 43 && code !== 64 && code !== 36

function allSigns(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i += 1) if (kinds[text.charCodeAt(i)] !== sign) return false
  return true
}

const minShare = 0.2
const maxSingle = 400

function noteLine(survey: Found, line: LineRange, { words, inner, loose, cuts, pig }: Counts): void {
  const isLeet = (inner > 0 && line.end - line.start <= maxSingle) || (loose >= 2 && loose >= words * minShare)
  if (isLeet) survey.leet.push(line)
  if (cuts >= 2) survey.fragmented.push(line)
  if (pig >= 3 && pig * 2 >= words) survey.pig.push(line)
}
