/**
 * Values that span the border of two texts of a call, such as a card number with one half in each part of a message. A
 * value that the policy hides or refuses is moved as a whole into the text in which it began, so that code that
 * inspects texts one by one finds it; all other words stay where they were. Tested in split-values.test.ts.
 */
import type { CanonicalCall } from '../call/call.ts'
import { type JoinedRun, joinedRuns, type TextRun, textRuns } from '../call/texts/text-runs.ts'
import type { Finding } from '../detection/detectors.ts'
import type { SensitiveFinder } from '../detection/finders.ts'
import type { EffectivePolicy } from '../policy/merge.ts'
import { inspects, isUnread, type Judged, judge } from './sensitive-texts.ts'

type Rules = EffectivePolicy['sensitive_data']

export interface Gathered {
  readonly call: CanonicalCall
  /** Also finds a value that was recognized by its former surroundings. */
  readonly find: SensitiveFinder
  /** Found across a border and left there, as required by the policy. */
  readonly flagged: readonly Judged[]
}

/** Characters on each side of a border; a private key has some 3,000. */
const around = 4096

/** The texts across borders that `gatherSplit` inspects. */
export function textsAcross(call: CanonicalCall, rules: Rules): readonly string[] {
  return runsOf(call, rules).flatMap((run) =>
    joinedRuns(run, around).flatMap(({ windows }) => windows.map(({ text }) => text)),
  )
}

function runsOf(call: CanonicalCall, rules: Rules): readonly TextRun[] {
  return textRuns(call).filter(([first]) => first !== undefined && inspects(rules, first.provenance))
}

export function gatherSplit(call: CanonicalCall, rules: Rules, find: SensitiveFinder): Gathered {
  const moved = new Map<string, Moved>()
  const flagged: Judged[] = []
  for (const run of runsOf(call, rules)) {
    const across = joinedRuns(run, around).flatMap((joined) => valuesAcross(joined, rules, find))
    const values = apart(across.filter((value) => !isJustBeside(value, run, rules, find)))
    const taken = values.filter(({ judged }) => judged.action === 'redact' || judged.action === 'block')
    for (const { judged } of values) if (judged.action === 'flag') flagged.push(judged)
    const changes = changesOf(taken)
    for (const [index, text] of run.entries()) {
      const change = changeOf(index, text.text, { run, find, ...changes })
      if (change !== null) moved.set(`${text.turn} ${text.part}`, change)
    }
  }
  if (moved.size === 0) return { call, find, flagged }
  const known = new Map([...moved.values()].map(({ text, findings }) => [text, findings]))
  return { call: withMoved(call, moved), find: (text) => known.get(text) ?? find(text), flagged }
}

/** A place in a run. */
interface Place {
  readonly index: number
  readonly offset: number
}

interface Across {
  readonly judged: Judged
  readonly from: Place
  /** Exclusive. */
  readonly to: Place
  readonly glue: string
}

function valuesAcross(joined: JoinedRun, rules: Rules, find: SensitiveFinder): readonly Across[] {
  const { run, glue, windows } = joined
  return windows.flatMap(({ start, text }) =>
    judge({ text, location: '', provenance: run[0]?.provenance ?? 'user' }, rules, find).flatMap((judged) => {
      if (isUnread(judged.finding) || judged.action === 'allow') return []
      const from = placeOf(joined, start + judged.finding.start, 'start')
      const to = placeOf(joined, start + judged.finding.end, 'end')
      if (from.index >= to.index) return []
      return [{ judged: { ...judged, location: run[from.index]?.location ?? '' }, from, to, glue }]
    }),
  )
}

/** A start in the separator between two texts is the start of the second, an end there is the end of the first. */
function placeOf({ run, starts }: JoinedRun, position: number, side: 'start' | 'end'): Place {
  const index = lastUpTo(starts, side === 'start' ? position : position - 1)
  const length = run[index]?.text.length ?? 0
  const offset = position - (starts[index] ?? 0)
  if (side === 'start' && offset >= length && index + 1 < run.length) return { index: index + 1, offset: 0 }
  return { index, offset: Math.min(offset, length) }
}

/** Index of the last of ascending numbers that does not exceed the limit; 0 if none. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((numbers[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}

/** Merges overlapping values; of those with the same start the longest determines the kind. */
function apart(values: readonly Across[]): readonly Across[] {
  const kept: Across[] = []
  for (const value of values.toSorted((a, b) => compare(a.from, b.from) || compare(b.to, a.to))) {
    const last = kept.at(-1)
    if (last === undefined || compare(value.from, last.to) >= 0) kept.push(value)
    else if (compare(value.to, last.to) > 0) kept.splice(-1, 1, { ...last, to: value.to })
  }
  return kept
}

const compare = (a: Place, b: Place): number => a.index - b.index || a.offset - b.offset

/**
 * If one text ends with a whole value and the next begins with a word, or vice versa, the word is the continuation of
 * the caller's text and not part of the value.
 */
function isJustBeside({ from, to }: Across, run: TextRun, rules: Rules, find: SensitiveFinder): boolean {
  let isWhole = false
  for (let index = from.index; index <= to.index; index += 1) {
    const piece = run[index]
    if (piece === undefined) continue
    const start = index === from.index ? from.offset : 0
    const end = index === to.index ? to.offset : piece.text.length
    const isCovered = judge(piece, rules, find).some(
      ({ finding, action }) => action !== 'allow' && finding.start <= start && finding.end >= end,
    )
    if (isCovered) isWhole = true
    else if (!aWord.test(piece.text.slice(start, end).trim())) return false
  }
  return isWhole
}

const aWord = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}*|\p{Lo}*)$/u

interface Moved {
  readonly text: string
  readonly findings: readonly Finding[]
}

/**
 * Values by the texts they touch. Since values do not overlap, at most one begins in a text and continues, and at most
 * one ends in it.
 */
interface Changes {
  readonly begins: ReadonlyMap<number, Across>
  readonly goesOn: ReadonlyMap<number, Across>
}

function changesOf(values: readonly Across[]): Changes {
  const goesOn = new Map<number, Across>()
  for (const value of values)
    for (let index = value.from.index + 1; index <= value.to.index; index += 1) goesOn.set(index, value)
  return { begins: new Map(values.map((value) => [value.from.index, value])), goesOn }
}

interface Change extends Changes {
  readonly run: TextRun
  readonly find: SensitiveFinder
}

/** New content of a text of the run; null if it stays unchanged. */
function changeOf(index: number, text: string, { run, find, ...changes }: Change): Moved | null {
  const begins = changes.begins.get(index)
  const ends = changes.goesOn.get(index)
  if (begins === undefined && ends === undefined) return null
  const start = ends === undefined ? 0 : ends.to.index === index ? ends.to.offset : text.length
  const end = begins?.from.offset ?? text.length
  const stays = text.slice(start, end)
  // Some providers refuse an empty text; repeating the placeholder does not change the meaning.
  const value = begins ?? (stays.trim() === '' ? ends : undefined)
  const own = find(text).flatMap((finding) => clipped(finding, start, end))
  if (value === undefined) return { text: stays, findings: own }
  const whole = wholeOf(value, run)
  const { finding } = value.judged
  return {
    text: stays + whole,
    findings: [...own, { ...finding, start: stays.length, end: stays.length + whole.length }],
  }
}

function clipped(finding: Finding, start: number, end: number): readonly Finding[] {
  const [from, to] = [Math.max(finding.start, start), Math.min(finding.end, end)]
  return from < to ? [{ ...finding, start: from - start, end: to - start }] : []
}

function wholeOf({ from, to, glue }: Across, run: TextRun): string {
  return run
    .slice(from.index, to.index + 1)
    .map(({ text }, at) => {
      const index = from.index + at
      return text.slice(index === from.index ? from.offset : 0, index === to.index ? to.offset : text.length)
    })
    .join(glue)
}

function withMoved(call: CanonicalCall, moved: ReadonlyMap<string, Moved>): CanonicalCall {
  const turns = call.turns.map((turn, index) => ({
    ...turn,
    parts: turn.parts.map((part, place) => {
      const change = moved.get(`${index} ${place}`)
      return change === undefined || part.type !== 'text' ? part : { ...part, text: change.text }
    }),
  }))
  return { ...call, turns }
}
