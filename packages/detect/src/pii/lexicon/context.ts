/**
 * Which topics the words around a value name, and how near they stand.
 * Promises answers that depend only on the 104 units before a position and the 48 after it, and one look-up per word
 * of the text however many values ask. Tested in lexicon.test.ts.
 */
import { type Hit, longestPhrase, type WordTree } from './word-tree.ts'

/** Distance of each topic, in UTF-16 units plus what stands between; absent when out of reach. */
export interface Near extends Iterable<readonly [topic: string, distance: number]> {
  /** Words within reach. */
  readonly size: number
  get(topic: string): number | undefined
}

export interface Context {
  /** Topics named in the 64 units before a position. A sentence end between adds 30. */
  before(start: number): Near
  /** Topics named in the 32 units after a position, unless the word labels something further on. Adds 16. */
  after(end: number): Near
}

const reachBefore = 64
const reachAfter = 32
/** Distance that a sentence end between a word and a value adds. */
export const sentenceCost = 30
const afterCost = 16
const blockSize = 32

const nothing: Near = { size: 0, get: () => undefined, [Symbol.iterator]: () => [][Symbol.iterator]() }

/** Words on one side of a position; how far one stands is asked only of those that name the wanted topic. */
class Nearby implements Near {
  readonly size: number
  readonly #text: string
  readonly #position: number
  readonly #hits: readonly Hit[]
  #known: number[] | undefined

  constructor(text: string, position: number, hits: readonly Hit[]) {
    this.size = hits.length
    this.#text = text
    this.#position = position
    this.#hits = hits
  }

  get(topic: string): number | undefined {
    let least: number | undefined
    for (let i = 0; i < this.#hits.length; i += 1) {
      const hit = this.#hits[i]
      if (!hit?.topics.has(topic)) continue
      this.#known ??= []
      const distance = this.#known[i] ?? distanceBetween(this.#text, this.#position, hit)
      this.#known[i] = distance
      if (least === undefined || distance < least) least = distance
    }
    return least
  }

  *[Symbol.iterator](): Iterator<readonly [string, number]> {
    const topics = new Set(this.#hits.flatMap((hit) => [...hit.topics]))
    for (const topic of topics) yield [topic, this.get(topic) ?? 0]
  }
}

function distanceBetween(text: string, position: number, { start, end }: Hit): number {
  if (end <= position) return position - end + (lastSentenceEnd(text, end, position) >= 0 ? sentenceCost : 0)
  return start - position + afterCost + (lastSentenceEnd(text, position, start) >= 0 ? sentenceCost : 0)
}

export function createContext(text: string, words: WordTree): Context {
  const hits = createHits(text, words)
  let lastStart = -1
  let lastBefore = nothing
  let lastEnd = -1
  let lastAfter = nothing
  return {
    before: (start) => {
      if (start !== lastStart) {
        lastStart = start
        lastBefore = nearBefore(text, start, hits)
      }
      return lastBefore
    },
    after: (end) => {
      if (end !== lastEnd) {
        lastEnd = end
        lastAfter = nearAfter(text, end, hits)
      }
      return lastAfter
    },
  }
}

/** The words of a block of the text, in text order; found when first asked for. */
type HitsAt = (block: number) => readonly Hit[]

/** More names within reach than this are a list, in which the far ones mean other values. */
const mostHits = 8

function createHits(text: string, words: WordTree): HitsAt {
  const blocks: (readonly Hit[] | undefined)[] = []
  return (block) => {
    const known = blocks[block]
    if (known) return known
    const hits = words.within(text, block * blockSize, (block + 1) * blockSize)
    blocks[block] = hits
    return hits
  }
}

const blockOf = (at: number): number => (at <= 0 ? 0 : Math.floor(at / blockSize))

/** The last words before `start`, nearest first. */
function nearBefore(text: string, start: number, hitsAt: HitsAt): Near {
  const from = start - reachBefore - longestPhrase
  let near: Hit[] | undefined
  let last: Hit['topics'] | undefined
  let seen = 0
  for (let block = blockOf(start - 1); block >= blockOf(from) && seen < mostHits; block -= 1) {
    const hits = hitsAt(block)
    for (let i = hits.length - 1; i >= 0 && seen < mostHits; i -= 1) {
      const hit = hits[i]
      if (!hit || hit.start < from || hit.end > start) continue
      seen += 1
      // From the nearest on: no later hit of the same word can be nearer.
      if (hit.topics === last || start - hit.end > reachBefore) continue
      last = hit.topics
      near ??= []
      near.push(hit)
    }
  }
  return near ? new Nearby(text, start, near) : nothing
}

/** The last words after `end` that label nothing further on. */
function nearAfter(text: string, end: number, hitsAt: HitsAt): Near {
  const to = end + reachAfter
  let near: Hit[] | undefined
  let seen = 0
  for (let block = blockOf(to - 1); block >= blockOf(end) && seen < mostHits; block -= 1) {
    const hits = hitsAt(block)
    for (let i = hits.length - 1; i >= 0 && seen < mostHits; i -= 1) {
      const hit = hits[i]
      if (!hit || hit.start < end || hit.end > to) continue
      seen += 1
      if (isLabel(text, hit.end, end + 46)) continue
      near ??= []
      near.push(hit)
    }
  }
  return near ? new Nearby(text, end, near) : nothing
}

/** Whether a word announces a later value: a colon, an equals sign or a digit follows closely. */
function isLabel(text: string, from: number, limit: number): boolean {
  for (let at = from; at < Math.min(from + 8, limit); at += 1) {
    const code = text.charCodeAt(at)
    if (code === 58 || code === 61 || code === 0xff1a || (code >= 48 && code <= 57)) return true
    if (code === 46 || code === 44 || code === 10) return false
  }
  return false
}

/** The last `?`, `!`, `;`, full stop after a word of four letters or more, or blank line; -1 when there is none. */
function lastSentenceEnd(text: string, from: number, to: number): number {
  for (let at = to - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at)
    if (code > 63 && code !== 0x3002) continue
    const next = text.charCodeAt(at + 1)
    if (code === 0x3002 || (code === 10 && next === 10)) return at
    if (next !== 32 && next !== 10) continue
    if (code === 63 || code === 33 || code === 59 || (code === 46 && endsWord(text, at))) return at
  }
  return -1
}

/** Shorter words before a full stop may be abbreviations: `no.`, `tel.`, `núm.`. Digits end sentences too. */
function endsWord(text: string, at: number): boolean {
  let length = 0
  while (length < 4 && isWordLike(text.charCodeAt(at - 1 - length))) length += 1
  return length === 4
}

const isWordLike = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 0xc0
