/**
 * Slot grammars on word hits: which words of a rule stand near each other in an order the rule allows.
 * Promises constant work per word and no allocation per text: it remembers the last four words of every slot.
 * Tested through engine.test.ts.
 */
import type { WordIndex } from './word-index.ts'

export interface Chains {
  /** Begins a text. */
  open(text: string): void
  /** Whether a word that starts here can continue a chain of the slot before `cell`; a cheap look. */
  mayFollow(cell: number, start: number, gap: number): boolean
  /** A word of a rule's first slot. Answers whether the rule holds, which it does if this is its only slot. */
  begin(rule: number, cell: number, word: Word): number
  /** A word of a later slot; answers the start of the chain that it completes, or -1. */
  follow(rule: number, cell: number, word: Word): number
  /** A word of a rule whose slots come in any order; answers the start of all words together, or -1. */
  gather(rule: number, cell: number, word: Word): number
}

/** Range of the word at hand in the text. */
export interface Word {
  start: number
  end: number
}

const ringBits = 2
const ring = 1 << ringBits

// Words so near belong together whatever stands between them: "ignore! all previous instructions".
const sameBreath = 6

// Farther than any rule looks back, so that words of the text before are out of reach.
const betweenTexts = 4096
const lastPosition = 0x7fff0000

/** Follows all rules through one text at a time; its memory is reused for the next. */
export function createChains(index: WordIndex): Chains {
  const rings = createRings(index)
  const { cellsFrom, gapOf } = index
  let endsBetween = createSentenceEnds('')
  // Positions are counted on from text to text, so that nothing has to be cleared between them.
  let base = 0
  let next = betweenTexts
  const apart = (end: number, start: number): boolean =>
    start - end > sameBreath && endsBetween(end - base, start - base)
  const isLast = (rule: number, cell: number): boolean => cellsFrom[rule + 1] === cell + 1
  const away = (from: number): number => (from < 0 ? -1 : from - base)

  return {
    open: (text) => {
      if (next + text.length > lastPosition) {
        rings.ends.fill(0)
        next = betweenTexts
      }
      base = next
      next += text.length + betweenTexts
      endsBetween = createSentenceEnds(text)
    },
    mayFollow: (cell, start, gap) => start + base - (rings.ends[placeBack(rings, cell - 1, 1)] ?? 0) <= gap,
    begin: (rule, cell, { start, end }) => {
      if (isLast(rule, cell)) return start
      remember(rings, cell, { start: start + base, end: end + base })
      return -1
    },
    follow: (rule, cell, { start, end }) => {
      const place = latestSince(rings, cell - 1, start + base, start + base - (gapOf[rule] ?? 0))
      if (place < 0 || apart(rings.ends[place] ?? 0, start + base)) return -1
      const from = rings.froms[place] ?? 0
      if (isLast(rule, cell)) return away(from)
      remember(rings, cell, { start: from, end: end + base })
      return -1
    },
    gather: (rule, cell, { start, end }) => {
      remember(rings, cell, { start: start + base, end: end + base })
      const cells = { from: cellsFrom[rule] ?? 0, to: cellsFrom[rule + 1] ?? 0, except: cell }
      return away(gatherWords(rings, cells, { start: start + base, gap: gapOf[rule] ?? 0, apart }))
    },
  }
}

/** The last words of every slot; a start is that of the whole chain. */
interface Rings {
  readonly ends: Int32Array
  readonly froms: Int32Array
  readonly heads: Uint8Array
  /** Reused for putting the words of a rule in order. */
  readonly places: Int32Array
}

function createRings({ cellsFrom }: WordIndex): Rings {
  const cells = cellsFrom.at(-1) ?? 0
  return {
    ends: new Int32Array(cells << ringBits),
    froms: new Int32Array(cells << ringBits),
    heads: new Uint8Array(cells),
    places: new Int32Array(cells),
  }
}

/** Place of the word that was remembered `back` words ago. */
const placeBack = ({ heads }: Rings, cell: number, back: number): number =>
  (cell << ringBits) | (((heads[cell] ?? 0) - back) & (ring - 1))

function remember({ ends, froms, heads }: Rings, cell: number, word: Word): void {
  const head = heads[cell] ?? 0
  ends[(cell << ringBits) | head] = word.end
  froms[(cell << ringBits) | head] = word.start
  heads[cell] = (head + 1) & (ring - 1)
}

/** Place of the latest word of a slot that ends at or before `start` and not before `least`; -1 if there is none. */
function latestSince(rings: Rings, cell: number, start: number, least: number): number {
  for (let back = 1; back <= ring; back += 1) {
    const place = placeBack(rings, cell, back)
    const end = rings.ends[place] ?? 0
    if (end < least) return -1
    if (end <= start) return place
  }
  return -1
}

interface Reach {
  readonly start: number
  readonly gap: number
  /** Whether a sentence ends between two words that are not in one breath. */
  apart(end: number, start: number): boolean
}

/** Start of the earliest of the latest words of all other slots when each is near the next, else -1. */
function gatherWords(rings: Rings, cells: { from: number; to: number; except: number }, reach: Reach): number {
  const { ends, froms, places } = rings
  const widest = reach.start - (reach.gap * (cells.to - cells.from) + longestWords)
  let count = 0
  for (let cell = cells.from; cell < cells.to; cell += 1) {
    if (cell === cells.except) continue
    const place = latestSince(rings, cell, reach.start, widest)
    if (place < 0) return -1
    insertByStart(rings, place, count)
    count += 1
  }
  for (let i = 0; i < count; i += 1) {
    const before = ends[places[i] ?? 0] ?? 0
    const next = i + 1 < count ? (froms[places[i + 1] ?? 0] ?? 0) : reach.start
    if (before > next || next - before > reach.gap || reach.apart(before, next)) return -1
  }
  return count === 0 ? reach.start : (froms[places[0] ?? 0] ?? reach.start)
}

/** Puts a place among the first `count` places, behind those that start no later. */
function insertByStart({ places, froms }: Rings, place: number, count: number): void {
  const start = froms[place] ?? 0
  let at = count
  for (; at > 0 && (froms[places[at - 1] ?? 0] ?? 0) > start; at -= 1) places[at] = places[at - 1] ?? 0
  places[at] = place
}

// Room for the words themselves in a rule of up to five slots; their distances are checked one by one afterwards.
const longestWords = 128

/**
 * Whether a sentence ends (`.!?` and a space, an ideographic stop, an empty line) between two positions. Positions grow
 * with the scan, so the last end found so far nearly always answers; going back costs a look at the gap.
 */
function createSentenceEnds(text: string): (from: number, to: number) => boolean {
  let read = 0
  let last = -1
  return (from, to) => {
    for (; read < to; read += 1) if (endsAt(text, read)) last = read
    if (last < to) return last >= from
    for (let i = from; i < to; i += 1) if (endsAt(text, i)) return true
    return false
  }
}

function endsAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code === 46 || code === 33 || code === 63) {
    const next = text.charCodeAt(at + 1)
    return next === 32 || next === 10
  }
  if (code === 10) return text.charCodeAt(at + 1) === 10
  return code === 0x3002 || code === 0xff01 || code === 0xff1f
}
