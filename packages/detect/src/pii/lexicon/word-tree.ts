/**
 * Looks up words and phrases of many languages in a text. A written `*` at the end of a word lets the word go on
 * (compounds, endings); otherwise a hit must begin and end at word borders. Case, marks and punctuation are ignored.
 * Promises linear time: at most `longest` steps per word start. Tested in lexicon.test.ts.
 */
import { foldTable, isUnspaced } from './fold.ts'
import { type Entry, type PackedTree, packTree } from './packed-tree.ts'

export interface Hit {
  readonly start: number
  readonly end: number
  readonly topics: ReadonlySet<string>
}

/** No phrase is longer than this; hits never need more text. */
export const longestPhrase = 40

export interface WordTree {
  /** The longest hit at each place from `from` to before `to` where a word may begin, in text order. */
  within(text: string, from: number, to: number): readonly Hit[]
}

/** Builds the tree from words by topic. */
export function createWordTree(words: Iterable<readonly [topic: string, words: readonly string[]]>): WordTree {
  const entries: Entry[] = []
  for (const [topic, list] of words) for (const word of list) entries.push(entryOf(word, topic))
  const tree = packTree(entries)
  return { within: (text, from, to) => hitsWithin(tree, text, { from, to }) }
}

function entryOf(word: string, topic: string): Entry {
  const isOpen = word.endsWith('*')
  return { units: foldedUnits(isOpen ? word.slice(0, -1) : word), isOpen, topic }
}

// A name of the module's own: the scan reads it for every unit.
const folded = foldTable

/** Folded units with runs of blanks as one, none at either end, and one where the script changes. */
function foldedUnits(word: string): number[] {
  const units: number[] = []
  for (let i = 0; i < word.length; i += 1) {
    const code = folded[word.charCodeAt(i)] ?? 32
    const last = units.at(-1) ?? 32
    if (code === 32 && last === 32) continue
    if (last !== 32 && code !== 32 && isUnspaced(last) !== isUnspaced(code)) units.push(32)
    units.push(code)
  }
  if (units.at(-1) === 32) units.pop()
  return units
}

const none: readonly Hit[] = []
const root = 1

function hitsWithin(tree: PackedTree, text: string, { from, to }: { from: number; to: number }): readonly Hit[] {
  let hits: Hit[] | undefined
  const end = Math.min(to, text.length)
  let rawBefore = from > 0 ? text.charCodeAt(from - 1) : 32
  for (let at = from; at < end; at += 1) {
    const raw = text.charCodeAt(at)
    const isStart = begins(rawBefore, raw)
    rawBefore = raw
    if (!isStart || !mayGoOn(tree, text, at)) continue
    const hit = walk(tree, text, at)
    if (!hit) continue
    hits ??= []
    hits.push(hit)
  }
  return hits ?? none
}

function mayGoOn(tree: PackedTree, text: string, at: number): boolean {
  const second = at + 1 < text.length ? (folded[text.charCodeAt(at + 1)] ?? 32) : 32
  return tree.mayBegin(folded[text.charCodeAt(at)] ?? 32, second)
}

function walk(tree: PackedTree, text: string, start: number): Hit | undefined {
  let node = root
  let best: ReadonlySet<string> | undefined
  let bestEnd = 0
  let rawBefore = 32
  for (let at = start; at < start + longestPhrase; ) {
    const raw = at < text.length ? text.charCodeAt(at) : 32
    const code = folded[raw] ?? 32
    const border = at > start && (code === 32 || begins(rawBefore, raw))
    const topics = border ? tree.all[node] : tree.open[node]
    if (topics !== undefined) {
      best = topics
      bestEnd = at
    }
    if (at >= text.length) break
    const blank = border ? tree.next(node, 32) : 0
    if (code === 32) {
      const after = skipBlanks(text, at)
      if (blank === 0 || after - at > maxBlanks) break
      node = blank
      at = after
      rawBefore = 32
      continue
    }
    const next = tree.next(node, code) || (blank === 0 ? 0 : tree.next(blank, code))
    if (next === 0) break
    node = next
    rawBefore = raw
    at += 1
  }
  return best && { start, end: wordEnd(text, bestEnd), topics: best }
}

const maxBlanks = 4

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from <= maxBlanks && folded[text.charCodeAt(at)] === 32) at += 1
  return at
}

const longestEnding = 20

/** End of a word whose beginning matched. */
function wordEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from < longestEnding && isInside(text, at)) at += 1
  return at
}

function isInside(text: string, at: number): boolean {
  const raw = text.charCodeAt(at)
  const code = folded[raw] ?? 32
  return code !== 32 && !isUnspaced(code) && !begins(at > 0 ? text.charCodeAt(at - 1) : 32, raw)
}

/** Whether a word may begin between two units: after a border, at a change of script, or at a hump as in `taxId`. */
function begins(rawBefore: number, raw: number): boolean {
  const code = folded[raw] ?? 32
  if (code === 32) return false
  const before = folded[rawBefore] ?? 32
  if (before === 32) return true
  if (raw < 128 && rawBefore < 128) return raw <= 90 && rawBefore >= 97
  return isUnspaced(code) || isUnspaced(before)
}
