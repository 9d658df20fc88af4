/** A stretch of the source that some decoder may read. */
export interface Region {
  readonly start: number
  readonly end: number
}

/** Where each family of decoders has something to look at; most texts have empty lists. */
export interface Survey {
  /** Blank-free runs of 16 or more characters, joined over blanks where lines were wrapped. */
  readonly runs: readonly Region[]
  /** Runs of number-like tokens, 16 characters or more in all. */
  readonly codes: readonly Region[]
  /** Four or more tokens of one length, as a long run looks that was cut into groups or short lines. */
  readonly even: readonly Region[]
  /** Runs of tokens made of two or three marks only. */
  readonly marks: readonly Region[]
}

const digit = 1
const hexLetter = 2
const glue = 4
const morse = 8
const letter = 16
const blank = 32
const other = 64
const kinds = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(other)
  const set = (chars: string, kind: number): void => {
    for (const char of chars) table[char.charCodeAt(0)] = kind
  }
  set('0123456789', digit)
  set('abcdefABCDEF', hexLetter)
  set('ghijklmnopqrstvwyzGHIJKLMNOPQRSTVWYZ', letter)
  set('xXuU+\\,;:#&%[](){}"\'oO', glue)
  set('-./|_', glue | morse)
  set('·•*−–—∙⋅', morse)
  set(' \t\n\r\v\f', blank)
  return table
}

const minRun = 16
const minMarks = 6

interface Groups {
  readonly runs: Region[]
  readonly codes: Region[]
  readonly marks: Region[]
  readonly even: Region[]
  row: { start: number; end: number; width: number; tokens: number } | undefined
  code: { start: number; end: number; length: number } | undefined
  mark: { start: number; end: number; tokens: number } | undefined
}

/** One pass over the blank-separated tokens of a text. */
export function surveyTokens(text: string): Survey {
  const groups: Groups = { runs: [], codes: [], marks: [], even: [], row: undefined, code: undefined, mark: undefined }
  const { length } = text
  // Kept at hand, as in every pass over all units: a module's own name is read anew for each of them.
  const kindOf = kinds
  for (let i = 0; i < length; ) {
    let bits = 0
    let end = i
    for (; end < length; end += 1) {
      const kind = kindOf[text.charCodeAt(end)] ?? other
      if (kind === blank) break
      bits |= kind
    }
    if (end > i) note(groups, { start: i, end, bits })
    i = end + 1
  }
  closeCode(groups)
  closeMark(groups)
  noteRow(groups, text.length, text.length)
  return groups
}

function note(groups: Groups, { start, end, bits }: { start: number; end: number; bits: number }): void {
  const length = end - start
  if (length >= minRun) groups.runs.push({ start, end })
  const isCode = (bits & (letter | other)) === 0 && (bits & (digit | hexLetter)) > 0 && (bits & digit || length <= 8)
  if (isCode) {
    groups.code ??= { start, end, length: 0 }
    groups.code.end = end
    groups.code.length += length
    // A lone slash or bar may part words of numbers.
  } else if (groups.code && (length > 1 || (bits & glue) === 0)) closeCode(groups)
  noteRow(groups, start, end)
  const isMark = (bits & ~(morse | glue)) === 0 && (bits & morse) > 0
  if (isMark) {
    groups.mark ??= { start, end, tokens: 0 }
    groups.mark.end = end
    groups.mark.tokens += 1
    // A sign that has no code stands for itself.
  } else if (groups.mark && length > 1) closeMark(groups)
}

const minTokens = 4
const minWidth = 4

function noteRow(groups: Groups, start: number, end: number): void {
  const { row } = groups
  const width = end - start
  if (row && width === row.width) {
    row.end = end
    row.tokens += 1
    return
  }
  if (row) {
    // The last group is what was left over.
    if (row.tokens >= minTokens) groups.even.push({ start: row.start, end: width < row.width ? end : row.end })
    groups.row = undefined
  }
  if (width >= minWidth && width < minRun) groups.row = { start, end, width, tokens: 1 }
}

function closeCode(groups: Groups): void {
  if (groups.code && groups.code.length >= 10) groups.codes.push({ start: groups.code.start, end: groups.code.end })
  groups.code = undefined
}

function closeMark(groups: Groups): void {
  if (groups.mark && groups.mark.tokens >= minMarks)
    groups.marks.push({ start: groups.mark.start, end: groups.mark.end })
  groups.mark = undefined
}
