/**
 * How likely a sequence of words is a person's name: additive log odds, hand set, mapped by the logistic function.
 * Promises the same score for the same words and neighbors. Tested through names.test.ts.
 */
import { confirmedByEmail, type Left, rightOf } from './context.ts'
import { role } from './lexicon.ts'
import type { Token } from './tokens.ts'

export interface Candidate {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The word after the candidate in its run, if any. */
  readonly next: Token | undefined
  readonly left: Left
  /** No context is read from here on. */
  readonly limit: number
}

const has = (token: Token, bits: number): boolean => (token.roles & bits) !== 0
const isName = (token: Token): boolean => has(token, role.given | role.family | role.shaped)
const isPlain = (token: Token): boolean => isName(token) && !has(token, role.ambiguous | role.organization | role.place)

/** Probability, 0..1, that the candidate is the whole name of a person. */
export function scoreOf(candidate: Candidate): number {
  const { tokens, left } = candidate
  const words = tokens.filter(({ form }) => form === 'capital' || form === 'upper')
  const first = words[0]
  const last = words.at(-1)
  if (!first || !last || words.length > 4 || !mayBeName(tokens, left)) return 0
  const odds = wordOdds(words, tokens, left) + shapeOdds(tokens, words) + contextOdds(candidate, words)
  return 1 / (1 + Math.exp(-odds))
}

/** Stop words and organizations end a name; particles and initials may stand only inside one. */
function mayBeName(tokens: readonly Token[], left: Left): boolean {
  const ends = tokens.at(-1)
  if (!ends || ends.form === 'particle' || (ends.form === 'initial' && tokens.length > 1 && !left.strong)) return false
  for (const [index, token] of tokens.entries()) {
    // A capitalized particle inside a name (Vincent Mac Thuathail, Maria Van Dyke).
    if (index > 0 && index < tokens.length - 1 && has(token, role.particle)) continue
    if (has(token, role.stop)) return false
    if (has(token, role.abstract) && !left.strong && !tokens.some(isPlain)) return false
    if (has(token, role.organization | role.place) && !isName(token)) return false
    if (has(token, role.title) && !isName(token)) return false
  }
  return true
}

const base = -2

function wordOdds(words: readonly Token[], tokens: readonly Token[], left: Left): number {
  const first = words[0]
  const last = words.at(-1)
  if (!first || !last) return -9
  const initials = tokens.some(({ form }) => form === 'initial')
  if (words.length === 1) return initials ? base + (isName(last) ? 2.4 : 0.9) : base + aloneOdds(last, left)
  let odds = base + firstOdds(first, left) + lastOdds(last)
  // North Robert, Lake Donald.
  if (has(first, role.place) && !left.strong) odds -= 2
  for (const middle of words.slice(1, -1))
    odds += has(middle, role.particle) ? 0.3 : isPlain(middle) ? 0.4 : isName(middle) ? 0.1 : -0.7
  if (has(first, role.given) && has(last, role.family | role.shaped)) odds += 0.5
  // Family name first (Nagy István, Wang Xiaoming).
  else if (has(first, role.family) && !has(first, role.given) && has(last, role.given)) odds += 0.3
  // Nothing known but a cue: "Customer: Thandolwethu Qhubeka".
  if (!words.some(isName)) odds += left.strong ? 1.2 : -3
  // Will May be warm? Both are ordinary words and one begins the sentence.
  if (left.sentenceStart && !left.strong && !words.some(isPlain)) odds -= 0.8
  return odds
}

function aloneOdds(word: Token, left: Left): number {
  if (word.form === 'upper') return left.strong && isName(word) ? 0.4 : -2
  if (has(word, role.ambiguous | role.organization | role.place)) return isName(word) ? (left.strong ? -0.1 : -1.6) : -3
  if (has(word, role.given)) return left.sentenceStart ? 1.4 : 2.2
  if (has(word, role.family)) return left.strong ? 1 : 0
  if (has(word, role.abstract)) return -2
  return left.strong ? (has(word, role.shaped) ? 0.6 : -0.4) : -2
}

function firstOdds(word: Token, left: Left): number {
  if (has(word, role.given)) return isPlain(word) ? 2.2 : left.sentenceStart ? 0.8 : 1.1
  if (has(word, role.family)) return isPlain(word) ? 1.1 : 0.3
  if (has(word, role.shaped)) return 0.5
  return left.sentenceStart && !left.strong ? -0.6 : 0.5
}

function lastOdds(word: Token): number {
  if (has(word, role.family)) return isPlain(word) ? 1.7 : 0.8
  if (has(word, role.shaped)) return 1.5
  if (has(word, role.given)) return isPlain(word) ? 1.1 : 0.4
  return 0.3
}

function shapeOdds(tokens: readonly Token[], words: readonly Token[]): number {
  let odds = words.some(isName) || words.every(({ form }) => form !== 'upper') ? 0 : -2
  if (tokens.some(({ form }, index) => form === 'initial' && index < tokens.length - 1)) odds += 0.9
  if (tokens.some(({ form }) => form === 'particle')) odds += 0.3
  if (words.length > 1 && words.every(({ form }) => form === 'upper')) odds -= 0.3
  else if (words.some(({ form }) => form === 'upper'))
    odds -= words.length > 1 && words.at(-1)?.form === 'upper' ? 0.2 : 1.5
  return odds
}

function contextOdds({ text, tokens, next, left, limit }: Candidate, words: readonly Token[]): number {
  const end = tokens.at(-1)?.end ?? 0
  let odds = left.weight + rightOf(text, end, limit)
  // A line of its own, as in a letter head or a shipping label.
  const alone = left.lineStart && words.length > 1 && /^\s*$|^\n/.test(text.slice(end, end + 2))
  if (alone && words.some(isPlain)) odds += 0.9
  if (next && has(next, role.organization) && !isName(next)) odds -= 3.5
  else if (next && next.form !== 'initial' && !has(next, role.stop | role.follower | role.title)) odds -= 0.4
  // Enough to outweigh that no gazetteer knows the words.
  if (confirmedByEmail(text, end, words)) odds += words.length > 1 && !words.some(isName) ? 5 : 2
  return odds
}
