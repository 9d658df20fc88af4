/**
 * The view of a text that rules read: hidden characters gone, spellings unified, every position traceable.
 * Promises linear time, a range of the original for every range of the view, and that normal text stays as it is; the
 * view is for matching only, it is never shown or sent on, because it drops accents and case. Tested in
 * normalize.test.ts.
 */
import { normalizeAscii, throughBreaks } from '../alphabet/ascii.ts'
import { createTape, tapeText } from '../view/tape.ts'
import { compact } from './compact.ts'
import { copyFolded, noSignals, type Signals } from './copy-folded.ts'
import { foldLookalikes } from './lookalike-words.ts'

export type { Signals } from './copy-folded.ts'

export interface NormalizedText {
  readonly text: string
  /** Changes that had to be undone; counts of characters unless said otherwise. */
  readonly signals: Signals
  /** Range of the original text that a range of the normalized text was made from (UTF-16). */
  toOriginal(start: number, end: number): { start: number; end: number }
}

const maxRounds = 4

/**
 * Drops hidden characters, maps tag characters to the ASCII they hide, undoes direction overrides, applies NFKC and
 * lower case, removes marks from Latin letters, folds look-alikes in Latin surroundings, turns whitespace into single
 * spaces and line feeds and joins letters that were spaced out (five or more).
 */
export function normalize(text: string): NormalizedText {
  let view = normalizeOnce(text)
  // Joining letters can bring others together; texts without spaced letters need one round.
  for (let round = 1; round < maxRounds && view.signals.spaced > 0; round += 1) {
    const next = normalizeOnce(view.text)
    if (next.text === view.text) break
    view = chained(view, next)
  }
  return view
}

function normalizeOnce(text: string): NormalizedText {
  const ascii = normalizeAscii(text)
  if (!ascii) return normalizeUnicode(text)
  return {
    text: ascii.text,
    signals: { ...noSignals, alternating: ascii.alternating },
    toOriginal: (start, end) => throughBreaks(ascii.breaks, clamp(start, ascii.text), clamp(end, ascii.text)),
  }
}

const clamp = (position: number, text: string): number => Math.min(Math.max(position, 0), text.length)

function normalizeUnicode(text: string): NormalizedText {
  const tape = createTape(text.length)
  const { signals, disguises } = copyFolded(text, tape, { keepCase: false })
  const folded = disguises ? foldLookalikes(tape, disguises) : 0
  const spaced = compact(tape)
  const { starts, ends, length } = tape
  return {
    text: tapeText(tape),
    signals: { ...signals, folded, spaced },
    toOriginal: (start, end) => {
      const from = start < length ? (starts[Math.max(0, start)] ?? text.length) : text.length
      return { start: from, end: end > start ? (ends[Math.min(end, length) - 1] ?? text.length) : from }
    },
  }
}

/** Hidden characters dropped and compatibility forms undone, capitals and layout kept: the input of decoders. */
export function cleanse(text: string): NormalizedText {
  const tape = createTape(text.length)
  const { signals } = copyFolded(text, tape, { keepCase: true })
  const { starts, ends, length } = tape
  return {
    text: tapeText(tape),
    signals,
    toOriginal: (start, end) => {
      const from = start < length ? (starts[Math.max(0, start)] ?? text.length) : text.length
      return { start: from, end: end > start ? (ends[Math.min(end, length) - 1] ?? text.length) : from }
    },
  }
}

function chained(first: NormalizedText, second: NormalizedText): NormalizedText {
  return {
    text: second.text,
    signals: { ...first.signals, spaced: first.signals.spaced + second.signals.spaced },
    toOriginal: (start, end) => {
      const range = second.toOriginal(start, end)
      return first.toOriginal(range.start, range.end)
    },
  }
}
