/**
 * Texts that a model reads as one: the text parts of a message, and of consecutive messages of one author. The work is
 * proportional to the number of borders between them. Tested in ../pipeline/split-values.test.ts.
 */
import type { CanonicalCall, Turn } from '../call.ts'
import { type CallText, placeOfPart, provenanceOf } from './texts.ts'

export interface PlacedText extends CallText {
  readonly turn: number
  readonly part: number
}

export type TextRun = readonly PlacedText[]

/** Runs of two texts or more. The output of one tool does not continue the output of another. */
export function textRuns({ turns }: Pick<CanonicalCall, 'turns'>): readonly TextRun[] {
  const runs: PlacedText[][] = []
  let before: Turn['role'] | null = null
  for (const [index, turn] of turns.entries()) {
    const texts = textsOfTurn(turn, index)
    const run = runs.at(-1)
    if (run !== undefined && turn.role === before && turn.role !== 'tool') for (const text of texts) run.push(text)
    else runs.push(texts)
    before = turn.role
  }
  return runs.filter(({ length }) => length > 1)
}

function textsOfTurn(turn: Turn, index: number): PlacedText[] {
  const at = turn.at ?? `/messages/${index}`
  const provenance = provenanceOf[turn.role]
  return turn.parts.flatMap((part, place) =>
    part.type === 'text' && part.text !== ''
      ? [{ turn: index, part: place, location: placeOfPart(turn, at, place), provenance, text: part.text }]
      : [],
  )
}

/** A piece of the joined text around borders, and its start position. */
export interface Window {
  readonly start: number
  readonly text: string
}

/** A run joined with a separator between its texts. */
export interface JoinedRun {
  readonly run: TextRun
  readonly glue: string
  /** Start position of each text. */
  readonly starts: readonly number[]
  readonly windows: readonly Window[]
}

/** It is unknown whether a vendor inserts a separator between texts: words may continue, or end there. */
export function joinedRuns(run: TextRun, around: number): readonly JoinedRun[] {
  const isSpaced = run.every(
    ({ text }, index) => index === 0 || /\s$/.test(run[index - 1]?.text ?? '') || /^\s/.test(text),
  )
  return (isSpaced ? [''] : ['', '\n']).map((glue) => joined(run, glue, around))
}

function joined(run: TextRun, glue: string, around: number): JoinedRun {
  const starts: number[] = []
  let length = 0
  for (const { text } of run) {
    starts.push(length)
    length += text.length + glue.length
  }
  const whole = run.map(({ text }) => text).join(glue)
  const spans: { start: number; end: number }[] = []
  for (const border of starts.slice(1)) {
    const start = Math.max(0, border - around)
    const last = spans.at(-1)
    if (last !== undefined && last.end >= start) last.end = border + around
    else spans.push({ start, end: border + around })
  }
  const windows = spans.map(({ start, end }) => ({ start, text: whole.slice(start, end) }))
  return { run, glue, starts, windows }
}
