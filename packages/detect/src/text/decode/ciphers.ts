/**
 * Letter ciphers that leave word lengths alone: Caesar shifts, Atbash, reversal. Lines are judged by how usual their
 * letter pairs are; a line that reads well is never touched. Works on normalized text.
 */

import {
  isProse,
  letterIndex,
  letterIndices,
  pairCost,
  pairCosts,
  readableBelow,
  strangeness,
} from '../language/language.ts'
import { wordOrder } from '../language/word-order.ts'
import { type Budget, isSpent, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'

interface Segment {
  readonly start: number
  readonly end: number
  /** Whether a line feed or the end of the text follows. */
  readonly endsLine: boolean
}

/** How a segment reads once its cipher is undone. */
interface Reading {
  readonly name: string
  readonly cost: number
  decode(text: string): string
}

interface Deciphered extends Segment {
  readonly reading: Reading
}

const minLetters = 10
const sampleLength = 160
// Half of all English lines cost 7.2 or less and nineteen in twenty 8.4; a line as usual as that is no cipher.
const usualBelow = 8
// Reversed text keeps its vowels between consonants; replaced letters do not: 99 of 100 lines cost 9.2 or more.
const shiftedFrom = 9

/** One candidate for each cipher that occurs; stops where the budget ends. */
export function decodeCiphers(text: string, budget: Budget): Candidate[] {
  const found: Deciphered[] = []
  for (let start = 0; start < text.length; ) {
    const segment = segmentAt(text, start)
    const cost = quickCost(text, segment)
    start = segment.end + (segment.endsLine ? 1 : 0)
    if (cost < usualBelow && cost > 0) continue
    const reading = cost === 0 ? undefined : readingOf(text, segment, budget)
    if (isSpent(budget)) break
    const previous = found.at(-1)
    if (previous && !previous.endsLine && previous.end === segment.start && continues(previous, reading)) {
      found[found.length - 1] = { ...segment, start: previous.start, reading: previous.reading }
    } else if (reading && reading !== 'usual') found.push({ ...segment, reading })
  }
  return candidates(text, found)
}

/** A fragment too short to judge, and any in the same cipher, belongs to the one before it in its line. */
const continues = (previous: Deciphered, reading: Reading | 'usual' | undefined): boolean =>
  reading === undefined || (reading !== 'usual' && reading.name === previous.reading.name)

const maxTwoReadings = 500
/** Letters by which the order of words is judged. */
const maxOrder = 4_000

function candidates(text: string, found: readonly Deciphered[]): Candidate[] {
  const byName = new Map<string, Deciphered[]>()
  for (const line of found) byName.set(line.reading.name, [...(byName.get(line.reading.name) ?? []), line])
  const list = [...byName].map(([name, lines]) => candidate(text, name, lines))
  const turned = byName.get('reversed') ?? []
  const length = turned.reduce((sum, line) => sum + line.end - line.start, 0)
  if (length === 0) return list
  // Letter pairs look the same whether the whole line or each word was turned around; the order of the words tells.
  const order = wordOrder(list.find(({ name }) => name === 'reversed')?.text.slice(0, maxOrder) ?? '')
  if (order === 'forward' || (order === 'unknown' && length > maxTwoReadings)) return list
  const words = turned.map((line) => ({ ...line, reading: { ...line.reading, decode: reversedWords } }))
  const eachWord = candidate(text, 'reversed-words', words)
  return order === 'backward' ? [...list.filter(({ name }) => name !== 'reversed'), eachWord] : [...list, eachWord]
}

function candidate(text: string, name: string, lines: readonly Deciphered[]): Candidate {
  const pieces = lines.map(({ start, end, reading }): Piece => {
    return { text: `${reading.decode(text.slice(start, end))}\n`, start, end, literal: false }
  })
  return { name, consumed: pieces.reduce((sum, piece) => sum + piece.text.length, 0), ...patch(pieces) }
}

// Prose before a cipher must not cover for it: lines are judged sentence by sentence.
const minSegment = 24
const maxSegment = 400

function segmentAt(text: string, start: number): Segment {
  const most = Math.min(text.length, start + maxSegment)
  const kinds = segmentEnds
  for (let i = start; i < most; i += 1) {
    const kind = kinds[text.charCodeAt(i)] ?? 0
    if (kind === 0) continue
    if (kind === feed) return { start, end: i, endsLine: true }
    const length = i + 1 - start
    if (kind === colon ? length > 4 : length >= minSegment) return { start, end: i + 1, endsLine: false }
  }
  return { start, end: most, endsLine: most < start + maxSegment }
}

const feed = 1
const colon = 2
const stop = 3
const segmentEnds = /* @__PURE__ */ buildEnds()

function buildEnds(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const char of '.!?;') table[char.charCodeAt(0)] = stop
  table[10] = feed
  table[58] = colon
  return table
}

const quickLength = 64

/** Cost of the first letters of a segment, 0 when they are too few to tell. */
function quickCost(text: string, { start, end }: Segment): number {
  const [indices, costs] = [letterIndices, pairCosts]
  const to = Math.min(end, start + quickLength)
  let before = 0
  let sum = 0
  let letters = 0
  for (let i = start; i < to; i += 1) {
    const after = indices[text.charCodeAt(i)] ?? 0
    // One for the indices 1 to 26: no processor can foretell where a word ends.
    letters += (after + 31) >> 5
    sum += costs[before * 27 + after] ?? 0
    before = after
  }
  return letters < minLetters ? 0 : sum / letters
}

function readingOf(text: string, segment: Segment, budget: Budget): Reading | 'usual' {
  const end = Math.min(segment.end, segment.start + sampleLength)
  const cost = strangeness(text, segment.start, end)
  if (cost < usualBelow) return 'usual'
  const sample = text.slice(segment.start, end)
  if (!isProse(sample) || !spend(budget, sample.length)) return 'usual'
  const needed = sample.length < 32 ? 1.8 : 1
  const readings: Reading[] = [{ name: 'reversed', cost: strangeness(reversed(sample)), decode: reversed }]
  if (cost >= shiftedFrom) readings.push(...letterReadings(sample))
  const best = readings.reduce((least, reading) => (reading.cost < least.cost ? reading : least))
  return best.cost < readableBelow + 0.3 && best.cost + needed <= cost ? best : 'usual'
}

function letterReadings(sample: string): Reading[] {
  const shift = bestShift(sample)
  return [
    { name: shift.by === 13 ? 'rot13' : 'caesar', cost: shift.cost, decode: (t) => shifted(t, shift.by) },
    { name: 'atbash', cost: strangeness(atbash(sample)), decode: atbash },
  ]
}

function bestShift(sample: string): { by: number; cost: number } {
  const indices = Uint8Array.from(sample, (char) => letterIndex(char.charCodeAt(0)))
  let best = { by: 0, cost: Number.POSITIVE_INFINITY }
  for (let by = 1; by < 26; by += 1) {
    const cost = shiftCost(indices, by, best.cost)
    if (cost < best.cost) best = { by, cost }
  }
  return best
}

/** Mean cost with every letter moved on by `by`; stops early once the sum is past hope. */
function shiftCost(indices: Uint8Array, by: number, limit: number): number {
  let before = 0
  let sum = 0
  let letters = 0
  for (let i = 0; i <= indices.length; i += 1) {
    const index = indices[i] ?? 0
    if (index === 0 && before === 0) continue
    const after = index === 0 ? 0 : ((index - 1 + by) % 26) + 1
    sum += pairCost(before, after)
    letters += index === 0 ? 0 : 1
    before = after
    if (letters === 24 && sum > letters * (limit + 3)) return Number.POSITIVE_INFINITY
  }
  return letters === 0 ? Number.POSITIVE_INFINITY : sum / letters
}

const shifted = (text: string, by: number): string => mapLetters(text, (code) => ((code - 97 + by) % 26) + 97)

const atbash = (text: string): string => mapLetters(text, (code) => 219 - code)

function mapLetters(text: string, map: (code: number) => number): string {
  let mapped = ''
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    mapped += code >= 97 && code <= 122 ? String.fromCharCode(map(code)) : text.charAt(i)
  }
  return mapped
}

const reversed = (text: string): string => [...text].reverse().join('')

const reversedWords = (text: string): string => text.split(' ').map(reversed).join(' ')
