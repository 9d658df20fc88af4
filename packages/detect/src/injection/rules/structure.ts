/**
 * Attacks by amount rather than words: a conversation the author invented turn by turn, and floods that push the real
 * instructions out of reach. Promises one pass over the lines and one over the words. Tested in structure.test.ts.
 */
import { fnvBasis, fnvStep } from '../../text/bytes/fnv.ts'
import type { Family } from './rule.ts'

export interface StructureHit {
  readonly id: 'structure-turns' | 'structure-flood'
  readonly family: Family
  /** Range in the normalized text (UTF-16). */
  readonly start: number
  readonly end: number
  /** 0..1, as the weight of a rule. */
  readonly weight: number
}

/** Invented turns and floods of repeated words; empty for ordinary text. */
export function structureHits(text: string): StructureHit[] {
  return [...inventedTurns(text), ...floods(text)]
}

// Two of each side may be a quoted exchange or an example; a few dozen are the body of a many-shot attack.
const fewTurns = 4
const manyTurns = 16
const asks = ['user', 'human', 'q', 'question', 'h', 'customer', 'person', 'input', 'prompt', 'me']
const answers = ['assistant', 'ai', 'a', 'answer', 'bot', 'chatgpt', 'gpt', 'model', 'output', 'response', 'claude']

/** Lines that begin with a speaker, counted where the speaker changes between the one who asks and the machine. */
function inventedTurns(text: string): StructureHit[] {
  let turns = 0
  let speaker = ''
  let start = -1
  let end = 0
  for (let line = 0; line < text.length; line = nextLine(text, line)) {
    const found = speakerAt(text, line)
    if (found === '' || found === speaker) continue
    if (start < 0) start = line
    speaker = found
    turns += 1
    end = Math.max(line, Math.min(text.length, nextLine(text, line)))
  }
  if (turns < fewTurns) return []
  const weight = Math.min(0.8, 0.25 + (0.55 * (turns - fewTurns)) / (manyTurns - fewTurns))
  return [{ id: 'structure-turns', family: 'many-shot', start, end, weight }]
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

const longestSpeaker = 16

function speakerAt(text: string, line: number): 'asks' | 'answers' | '' {
  let from = line
  while (from < line + 6 && ' #*>-|<['.includes(text[from] ?? 'x')) from += 1
  const colon = text.slice(from, from + longestSpeaker).search(/[:\]>]/)
  if (colon < 1) return ''
  const name = text.slice(from, from + colon).replace(/[*_ \d|]{1,8}$/, '')
  if (asks.includes(name)) return 'asks'
  return answers.includes(name) ? 'answers' : ''
}

// A poem or a table repeats itself, but not for 200 words with one in ten new.
const floodWords = 200
const mostNew = 20

/** Stretches of 200 words and more in which hardly a word is new: padding to flood the context. */
function floods(text: string): StructureHit[] {
  const hits: { start: number; end: number }[] = []
  const known = createKnownWords()
  let [fresh, count, from] = [0, 0, 0]
  for (let start = 0; start < text.length; ) {
    const end = wordEnd(text, start)
    if (end === start) {
      start += 1
      continue
    }
    if (count === 0) from = start
    count += 1
    if (known.isNew(hashOf(text, start, end))) fresh += 1
    start = end
    if (fresh > mostNew) {
      // No flood whatever else is in the stretch: its other words are only counted.
      start = pastWords(text, start, floodWords - count)
    } else if (count < floodWords) continue
    else joinTo(hits, { start: from, end })
    known.forget()
    fresh = 0
    count = 0
  }
  return hits.map((hit) => ({ id: 'structure-flood', family: 'context-flooding', ...hit, weight: floodWeight(hit) }))
}

const slots = 1024

interface KnownWords {
  isNew(hash: number): boolean
  forget(): void
}

/** Words by their hashes: one is known when its slot holds its hash and the stretch's number; a clash only hides a flood. */
function createKnownWords(): KnownWords {
  const hashes = new Int32Array(slots)
  const stretches = new Int32Array(slots)
  let stretch = 1
  return {
    isNew: (hash) => {
      const slot = hash & (slots - 1)
      const isKnown = hashes[slot] === hash && stretches[slot] === stretch
      hashes[slot] = hash
      stretches[slot] = stretch
      return !isKnown
    },
    forget: () => {
      stretch += 1
    },
  }
}

// 2,000 characters of padding may be a slip of the keyboard; 20,000 are not.
const floodWeight = ({ start, end }: { start: number; end: number }): number =>
  Math.min(0.7, 0.3 + (0.4 * (end - start)) / 20_000)

function joinTo(hits: { start: number; end: number }[], hit: { start: number; end: number }): void {
  const last = hits.at(-1)
  if (last && hit.start - last.end <= 2) last.end = hit.end
  else hits.push(hit)
}

const longestWord = 32

/** End of the word that begins at `start`; one of more than 32 characters counts as many, so that no word is endless. */
function wordEnd(text: string, start: number): number {
  const most = Math.min(text.length, start + longestWord)
  let end = start
  while (end < most && !isSpace(text.charCodeAt(end))) end += 1
  return end
}

/** Position behind the next so many words, or the end of the text; asks nothing that a processor could not foretell. */
function pastWords(text: string, from: number, words: number): number {
  let start = from
  let left = words
  const blankAt = blanks
  for (let i = from; i < text.length; i += 1) {
    const blank = blankAt[text.charCodeAt(i)] ?? 0
    // A blank that is not the first one ends a word; behind every blank another may begin.
    left -= blank & Number(i > start)
    start += (i + 1 - start) & -blank
    if (i + 1 - start === longestWord) {
      left -= 1
      start = i + 1
    }
    if (left === 0) return start
  }
  return text.length
}

const blanks = /* @__PURE__ */ buildBlanks()

function buildBlanks(): Uint8Array {
  const table = new Uint8Array(0x10000)
  table[10] = table[32] = 1
  return table
}

const isSpace = (code: number): boolean => blanks[code] === 1

function hashOf(text: string, start: number, end: number): number {
  let hash = fnvBasis
  for (let i = start; i < end; i += 1) hash = fnvStep(hash, text.charCodeAt(i))
  return hash
}
