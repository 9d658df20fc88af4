import {
  hiddenBit,
  isAsciiLetter,
  isBidiControl,
  isGenericMark,
  isHidden,
  isOverlay,
  isTag,
  joinsBit,
  unitKinds,
} from '../alphabet/characters.ts'
import { latinLookalike } from '../alphabet/confusables.ts'
import { disguiseOf, type Folded, type FoldOptions, foldCluster, isFullwidth, isStyled } from '../alphabet/fold.ts'
import { type Origin, put, type Tape } from '../view/tape.ts'
import { undoOverrides } from './overrides.ts'

/** Changes undone on the way to normal text. */
export interface Signals {
  /** Hidden characters beside a Latin letter. */
  readonly invisible: number
  /** Tag characters that repeat ASCII invisibly. */
  readonly tags: number
  /** Direction embeddings, overrides and isolates. */
  readonly bidi: number
  /** Words whose look-alike letters were folded to Latin. */
  readonly folded: number
  /** More than one letter in three carried more than one mark. */
  readonly zalgo: boolean
  /** Runs of spaced-out letters that were joined. */
  readonly spaced: number
  readonly fullwidth: number
  /** Letters in mathematical, circled, squared or small-capital form. */
  readonly styled: number
  /** Marks on Latin letters that no spelling has: overlays, or two and more on one letter. */
  readonly marks: number
  /** Words in alternating case (`iGnOrE`); counted in ASCII text only. */
  readonly alternating: number
}

export const noSignals: Signals = {
  invisible: 0,
  tags: 0,
  bidi: 0,
  folded: 0,
  zalgo: false,
  spaced: 0,
  fullwidth: 0,
  styled: 0,
  marks: 0,
  alternating: 0,
}

type Counts = { -readonly [K in keyof Signals]: Signals[K] }

interface Copy {
  readonly text: string
  readonly tape: Tape
  readonly options: FoldOptions
  readonly counts: Counts
  readonly known: Map<number, Folded>
  disguises: Uint8Array | undefined
  /** Clusters with more than one generic mark, and how many of them are not Latin. */
  laden: number
  foreignLaden: number
}

/** Fills the tape with the folded characters of a text. `disguises` is there when some look like Latin letters. */
export function copyFolded(
  text: string,
  tape: Tape,
  { keepCase }: { keepCase: boolean },
): { signals: Signals; disguises: Uint8Array | undefined } {
  const overrides = undoOverrides(text)
  const copy = copyWith(overrides.text, tape, { keepCase, stripMarks: false })
  copy.counts.zalgo = copy.laden * 3 > tape.length
  if (!copy.counts.zalgo || copy.foreignLaden === 0) return settled(copy, overrides.widen)
  tape.length = 0
  tape.looks.fill(0)
  const again = copyWith(overrides.text, tape, { keepCase, stripMarks: true })
  again.counts.zalgo = true
  return settled(again, overrides.widen)
}

function settled(copy: Copy, widen: (tape: Tape) => void): { signals: Signals; disguises: Uint8Array | undefined } {
  widen(copy.tape)
  return { signals: copy.counts, disguises: copy.disguises }
}

function copyWith(text: string, tape: Tape, options: FoldOptions): Copy {
  const counts = { ...noSignals }
  const copy: Copy = { text, tape, options, counts, known: new Map(), disguises: undefined, laden: 0, foreignLaden: 0 }
  const forms = formsFor(options)
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i)
    const form = forms[code] ?? 0
    // Only a mark after it makes a simple character anything else than its form.
    if (form > 0 && kindAt(text, i + 1) === 0) {
      put(tape, form, i, i + 1)
      if (code >= 0x1d00) countStyled(counts, code)
      i += 1
    } else i = copyCluster(copy, i)
  }
  return copy
}

// Form of each simple character met so far: one that is a unit, is neither hidden nor like a Latin letter
// and folds to one unit. 0 for all others.
const plainForms = /* @__PURE__ */ asciiForms(32)
const casedForms = /* @__PURE__ */ asciiForms(0)

function formsFor({ keepCase, stripMarks }: FoldOptions): Uint16Array {
  if (stripMarks) return asciiForms(keepCase ? 0 : 32)
  return keepCase ? casedForms : plainForms
}

function asciiForms(lower: number): Uint16Array {
  const forms = new Uint16Array(0x10000)
  for (let code = 1; code < 0x80; code += 1) forms[code] = code >= 65 && code <= 90 ? code + lower : code
  return forms
}

function noteForm(code: number, { units, look }: Folded, options: FoldOptions): void {
  const isSimple = units.length === 1 && look === 0 && !isSurrogate(code) && code <= 0xffff
  if (isSimple && !options.stripMarks) formsFor(options)[code] = units.charCodeAt(0)
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** Copies one character with its marks, or drops a hidden one; returns where the next begins. */
function copyCluster(copy: Copy, start: number): number {
  const { text, counts } = copy
  const code = text.codePointAt(start) ?? 0
  const next = start + (code > 0xffff ? 2 : 1)
  if (isTag(code)) {
    counts.tags += 1
    return isMarked(text, next) ? copyMarked(copy, code - 0xe0000, { start, end: next }) : copyTag(copy, code, start)
  }
  if (isHidden(code)) {
    countHidden(copy, start, code)
    return next
  }
  if (code >= 0x1d00) countStyled(counts, code)
  return isMarked(text, next) ? copyMarked(copy, code, { start, end: next }) : copySingle(copy, code, start, next)
}

function copySingle(copy: Copy, code: number, start: number, end: number): number {
  let folded = copy.known.get(code)
  if (!folded) {
    folded = foldCluster(String.fromCodePoint(code), copy.options)
    copy.known.set(code, folded)
    noteForm(code, folded, copy.options)
  }
  write(copy, folded, start, end)
  return end
}

// Combining marks after the first 16 belong to no language.
const maxMarks = 16

function copyMarked(copy: Copy, code: number, base: Origin): number {
  const { text } = copy
  // Latin letters lose all their marks, however many.
  const isLatin = code < 0x250
  let cluster = isLatin ? '' : String.fromCodePoint(code)
  let isStruck = false
  let end = base.end
  let marks = 0
  for (; end < text.length; end += 1) {
    const mark = text.charCodeAt(end)
    const kind = unitKinds[mark] ?? 0
    if (kind & joinsBit) {
      if (marks < maxMarks && !isLatin) cluster += text.charAt(end)
      if (isGenericMark(mark)) marks += 1
      isStruck ||= isOverlay(mark)
    } else if (kind === hiddenBit) countHidden(copy, end, mark)
    else break
  }
  if (marks > 1 || isStruck) copy.counts.marks += 1
  if (marks > 1) copy.laden += 1
  if (isLatin) return copySingle(copy, code, base.start, end)
  if (marks > 1) copy.foreignLaden += 1
  write(copy, foldCluster(cluster, copy.options), base.start, end)
  return end
}

function copyTag(copy: Copy, code: number, start: number): number {
  const plain = code - 0xe0000
  put(copy.tape, plain >= 65 && plain <= 90 && !copy.options.keepCase ? plain + 32 : plain, start, start + 2)
  return start + 2
}

function write(copy: Copy, { units, look, disguise }: Folded, start: number, end: number): void {
  const { tape } = copy
  for (let i = 0; i < units.length; i += 1) {
    const unit = units.charCodeAt(i)
    put(tape, unit, start, end)
    if (units.length > 1 && unit >= 0x370) markLook(copy, latinLookalike(unit), disguiseOf(unit))
  }
  if (look > 0) markLook(copy, look, disguise)
}

/** Notes what the last unit of the tape looks like. */
function markLook(copy: Copy, look: number, disguise: number): void {
  if (look === 0) return
  const { tape } = copy
  copy.disguises ??= new Uint8Array(0)
  if (copy.disguises.length < tape.length) {
    const larger = new Uint8Array(tape.units.length)
    larger.set(copy.disguises)
    copy.disguises = larger
  }
  tape.looks[tape.length - 1] = look
  copy.disguises[tape.length - 1] = disguise
}

const kindAt = (text: string, at: number): number => (at < text.length ? (unitKinds[text.charCodeAt(at)] ?? 0) : 0)

/** Whether a mark follows, perhaps behind a few hidden characters. */
function isMarked(text: string, from: number): boolean {
  let at = from
  while (at < from + maxMarks && kindAt(text, at) === hiddenBit) at += 1
  return (kindAt(text, at) & joinsBit) > 0
}

function countHidden({ text, tape, counts }: Copy, at: number, code: number): void {
  if (isBidiControl(code)) counts.bidi += 1
  const before = tape.length > 0 ? (tape.units[tape.length - 1] ?? 0) : 0
  // A byte-order mark opens many honest files.
  if (at > 0 && (isAsciiLetter(before) || isAsciiLetter(text.charCodeAt(at + 1)))) counts.invisible += 1
}

function countStyled(counts: Counts, code: number): void {
  if (isFullwidth(code)) counts.fullwidth += 1
  else if (isStyled(code)) counts.styled += 1
}
