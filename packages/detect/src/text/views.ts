/**
 * Every reading of a text that the rules and the scorer see: plain, leetspeak undone, markup parted into shown and
 * hidden, encodings decoded layer by layer, parts joined. Promises linear time, output within fixed limits and a range
 * of the scanned text for every range of every view. It does not judge. Tested in views.test.ts.
 */

import { decodeGroups, decodeRuns } from './decode/base-n.ts'
import type { Candidate } from './decode/candidate.ts'
import { decodeCiphers } from './decode/ciphers.ts'
import { decodeCodes } from './decode/codes.ts'
import { decodeEscapes } from './decode/escapes.ts'
import { type LineSurvey, surveyLines } from './decode/lines.ts'
import { decodeMorse } from './decode/morse.ts'
import { decodePigLatin } from './decode/pig-latin.ts'
import { decodeRot47 } from './decode/rot47.ts'
import { decodeSigns } from './decode/signs.ts'
import { decodeSpelling, minLetters } from './decode/spelling.ts'
import { surveyTokens } from './decode/tokens.ts'
import { decodeUpsideDown } from './decode/upside-down.ts'
import { decodeWordOrder } from './decode/word-order.ts'
import { joinParts } from './joined.ts'
import { looksLikeLanguage } from './language/language.ts'
import { undoLeet } from './leet.ts'
import { readMarkup } from './markup.ts'
import { cleanse, type NormalizedText, normalize, type Signals } from './normalize/normalize.ts'
import { type Budget, isSpent } from './view/budget.ts'
import { type Mapping, through, type View, type ViewKind } from './view/view.ts'

export type { View, ViewKind } from './view/view.ts'

export interface Views {
  /** The plain view comes first. */
  readonly views: readonly View[]
  /** Changes undone to get the plain view. */
  readonly signals: Signals
  /** Whether a limit kept some reading out. */
  readonly truncated: boolean
  /** Whether it was a limit on encodings: depth, number or size. */
  readonly overflow: boolean
  /** Characters that came out of decoders. */
  readonly decodedChars: number
}

export interface ViewOptions {
  /** Layers of encoding that are undone. Default 3. */
  readonly maxDepth?: number
  /** Decoded texts in one scan. Default 64. */
  readonly maxCandidates?: number
  /** Decoded characters in one scan, besides the limit of twice the input and 1,024. Default 262,144. */
  readonly maxDecoded?: number
}

/** All readings of a text. */
export function textViews(text: string, options: ViewOptions = {}): Views {
  const { maxDepth = 3, maxCandidates = 64, maxDecoded = 262_144 } = options
  const plain = normalize(text)
  const scan: Scan = {
    views: [view('plain', [], plain.text, plain.toOriginal)],
    maxDepth,
    candidates: maxCandidates,
    room: Math.min(maxDecoded, text.length * 2 + 1024),
    decodedChars: 0,
    overflow: false,
    budget: { left: maxWork },
  }
  const source = { text, plain, lines: surveyLines(plain.text), via: [], map: identity }
  addReadings(scan, source, plain.toOriginal)
  addDecoded(scan, source, 0)
  const { views, overflow, decodedChars } = scan
  return { views, signals: plain.signals, truncated: overflow || isSpent(scan.budget), overflow, decodedChars }
}

// About 30 ms. An honest megabyte of prose or code spends a third of it.
const maxWork = 100_000

const identity: Mapping = (start, end) => ({ start, end })

interface Scan {
  readonly views: View[]
  readonly maxDepth: number
  candidates: number
  room: number
  decodedChars: number
  overflow: boolean
  readonly budget: Budget
}

/** A text to read: as it stands, in normal form, how it was reached. */
interface Source {
  readonly text: string
  readonly plain: NormalizedText
  readonly lines: LineSurvey
  readonly via: readonly string[]
  /** From the text to the scanned text. */
  readonly map: Mapping
}

const view = (kind: ViewKind, via: readonly string[], text: string, toOriginal: Mapping): View => ({
  kind,
  via,
  text,
  toOriginal,
})

/** Leetspeak, markup and joined parts: rewritings of the normal form. */
function addReadings({ views, budget }: Scan, { plain, via, lines }: Source, map: Mapping): void {
  const leet = undoLeet(plain.text, lines.leet, budget)
  if (leet) views.push(view('leet', [...via, 'leet'], leet.text, through(leet.map, map)))
  const joined = joinParts(plain.text, lines.fragmented, budget)
  if (joined) views.push(view('joined', [...via, 'joined'], joined.text, through(joined.map, map)))
  const markup = readMarkup(plain.text, budget)
  if (!markup) return
  views.push(view('visible', via, markup.visible.text, through(markup.visible.map, map)))
  for (const part of markup.hidden) views.push(view('hidden', [...via, part.name], part.text, through(part.map, map)))
}

function addDecoded(scan: Scan, source: Source, depth: number): void {
  const readable = readableForm(source)
  const found = candidatesIn(scan, source, readable)
  for (const { candidate, map } of found) {
    if (scan.candidates === 0 || depth === scan.maxDepth || candidate.text.length > scan.room) {
      scan.overflow = true
      return
    }
    scan.candidates -= 1
    scan.room -= candidate.text.length
    scan.decodedChars += candidate.text.length
    const via = [...source.via, candidate.name]
    const plain = normalize(candidate.text)
    const back = through(candidate.map, map)
    const normalMap = through(plain.toOriginal, back)
    if (looksLikeLanguage(plain.text)) scan.views.push(view('decoded', via, plain.text, normalMap))
    const inner = { text: candidate.text, plain, lines: surveyLines(plain.text), via, map: back }
    addReadings(scan, inner, normalMap)
    addDecoded(scan, inner, depth + 1)
  }
}

interface Located {
  readonly candidate: Candidate
  /** From the decoder's input to the scanned text. */
  readonly map: Mapping
}

function candidatesIn({ budget }: Scan, { text, plain, map, via, lines }: Source, readable: Readable): Located[] {
  const survey = surveyTokens(readable.text)
  const direct = [
    ...decodeRuns(readable.text, survey.runs, budget),
    ...decodeGroups(readable.text, survey.even, budget),
    ...decodeRot47(readable.text, budget),
    ...decodeCodes(readable.text, survey.codes, budget),
    ...decodeMorse(readable.text, survey.marks, budget),
    ...decodeEscapes(readable.text, budget),
  ]
  const folded = [
    ...(isCipher(via.at(-1)) ? [] : decodeCiphers(plain.text, budget)),
    ...(lines.names < minLetters ? [] : decodeSpelling(plain.text, budget)),
    ...decodePigLatin(plain.text, lines.pig, budget),
    ...decodeUpsideDown(plain.text, budget),
    ...(via.at(-1) === 'word-order' ? [] : decodeWordOrder(plain.text, budget)),
  ]
  const fromReadable = through(readable.map, map)
  const fromPlain = through(plain.toOriginal, map)
  return [
    ...direct.map((candidate) => ({ candidate, map: fromReadable })),
    ...folded.map((candidate) => ({ candidate, map: fromPlain })),
    // The normal form leaves them out or takes them for marks.
    ...decodeSigns(text, budget).map((candidate) => ({ candidate, map })),
  ]
}

/** A cipher's own output is as readable as letters get; undoing it again would only turn it back. */
const isCipher = (name: string | undefined): boolean =>
  name !== undefined && /^(?:rot13|caesar|atbash|reversed|reversed-words)$/.test(name)

interface Readable {
  readonly text: string
  readonly map: Mapping
}

/** Input of case-sensitive decoders: the text itself, or without disguises when the normal form met any. */
function readableForm({ text, plain: { signals } }: Source): Readable {
  const disguised =
    signals.invisible + signals.tags + signals.bidi + signals.fullwidth + signals.styled + signals.marks > 0
  if (!disguised) return { text, map: identity }
  const clean = cleanse(text)
  return { text: clean.text, map: clean.toOriginal }
}
