/**
 * Attacks by amount rather than words: a conversation the author invented turn by turn, and floods that push the real
 * instructions out of reach. Promises one pass over the lines and one over the words. Tested in structure.test.ts.
 */
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
const newWordShare = 0.1

/** Stretches of 200 words and more in which hardly a word is new: padding to flood the context. */
function floods(text: string): StructureHit[] {
  const hits: { start: number; end: number }[] = []
  // A word is known in a stretch when its slot holds its hash and the stretch's number; a clash only hides a flood.
  const hashes = new Int32Array(slots)
  const stretches = new Int32Array(slots)
  let [fresh, count, blockStart] = [0, 0, 0]
  eachWord(text, (hash, start, end) => {
    const stretch = Math.floor(count / floodWords) + 1
    if (count % floodWords === 0) blockStart = start
    const slot = hash & (slots - 1)
    if (hashes[slot] !== hash || stretches[slot] !== stretch) fresh += 1
    hashes[slot] = hash
    stretches[slot] = stretch
    count += 1
    if (count % floodWords !== 0) return
    if (fresh <= floodWords * newWordShare) joinTo(hits, { start: blockStart, end })
    fresh = 0
  })
  return hits.map((hit) => ({ id: 'structure-flood', family: 'context-flooding', ...hit, weight: floodWeight(hit) }))
}

const slots = 1024

// 2,000 characters of padding may be a slip of the keyboard; 20,000 are not.
const floodWeight = ({ start, end }: { start: number; end: number }): number =>
  Math.min(0.7, 0.3 + (0.4 * (end - start)) / 20_000)

function joinTo(hits: { start: number; end: number }[], hit: { start: number; end: number }): void {
  const last = hits.at(-1)
  if (last && hit.start - last.end <= 2) last.end = hit.end
  else hits.push(hit)
}

const longestWord = 32

/** Runs of characters between whitespace, by hash (FNV-1a), cut at 32 so that one endless word counts as many. */
function eachWord(text: string, visit: (hash: number, start: number, end: number) => void): void {
  let start = 0
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i <= text.length; i += 1) {
    const code = i < text.length ? text.charCodeAt(i) : 32
    const space = code === 32 || code === 10
    if (!space && i - start < longestWord) {
      hash = Math.imul(hash ^ code, 0x01000193)
      continue
    }
    if (i > start) visit(hash, start, i)
    start = space ? i + 1 : i
    hash = space ? 0x811c9dc5 | 0 : Math.imul(0x811c9dc5 ^ code, 0x01000193)
  }
}
