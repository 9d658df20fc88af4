/**
 * How far a passage supports a sentence, without a model: the share of the sentence's terms, weighted by how rare they
 * are, that stand in the best window of up to three sentences of the passage. Numbers and identifiers that the window has
 * not, and a negation that only one of both has, cap the share. Pure. Tested in verify.test.ts.
 */
import { termsOf } from '../retrieval/tokenize.ts'
import { type Span, sentencesOf } from './sentences.ts'

/** Most that a sentence with another number, identifier or negation is supported. */
const mismatchCap = 0.3
const windowSentences = 3
export const longestQuote = 500

interface Sentence {
  readonly terms: ReadonlySet<string>
  readonly exact: ReadonlySet<string>
  readonly negated: boolean
}

interface Window extends Span {
  readonly sentences: readonly Sentence[]
}

export interface PassageWindows {
  readonly text: string
  readonly windows: readonly Window[]
}

export interface Support extends Span {
  /** 0 to 1. */
  readonly score: number
}

const negation = /\b(?:not|no|never|none|nor|neither|without|cannot|[a-z]+n['’]t)\b/i
const exactPattern = /(?<![\p{L}\p{N}])[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*(?:[.,:/-]\p{N}[\p{L}\p{N}]*)*/gu

/** Numbers, dates and identifiers, with thousands written in one way. */
const exactOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(exactPattern)].map(([word]) => word.toLowerCase().replaceAll(/(?<=\d),(?=\d{3}(?:\D|$))/g, '')),
  )

export function windowsOf(text: string): PassageWindows {
  const spans = sentencesOf(text)
  const sentences = spans.map(({ start, end }): Sentence => {
    const own = text.slice(start, end)
    return { terms: new Set(termsOf(own, 'english')), exact: exactOf(own), negated: negation.test(own) }
  })
  const windows = spans.flatMap(({ start }, first) =>
    spans
      .slice(first, first + windowSentences)
      .map(({ end }, more): Window => ({ start, end, sentences: sentences.slice(first, first + more + 1) })),
  )
  return { text, windows: windows.filter(({ start, end }, at) => end - start <= longestQuote || isFirst(windows, at)) }
}

/** A sentence longer than a quote is kept alone, and cut. */
const isFirst = (windows: readonly Window[], at: number): boolean => windows[at - 1]?.start !== windows[at]?.start

export type Rarity = (term: string) => number

/** Rarity of terms among the sentences of all passages. */
export function rarityOf(passages: readonly PassageWindows[]): Rarity {
  const counts = new Map<string, number>()
  let all = 0
  for (const { windows } of passages) {
    const singles = windows.flatMap(({ sentences }) => (sentences.length === 1 ? sentences : []))
    all += singles.length
    for (const { terms } of singles) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + (all + 1) / ((counts.get(term) ?? 0) + 0.5))
}

interface Claim {
  /** Each with its rarity. */
  readonly terms: readonly (readonly [term: string, weight: number])[]
  readonly exact: readonly string[]
  readonly negated: boolean
}

/** The best window of a passage for a sentence; null where no term of it stands there. */
export function supportOf(sentence: string, passage: PassageWindows, rarity: Rarity): Support | null {
  const terms = [...new Set(termsOf(sentence, 'english'))].map((term) => [term, rarity(term)] as const)
  const claim = { terms, exact: [...exactOf(sentence)], negated: negation.test(sentence) }
  const whole = terms.reduce((sum, [, weight]) => sum + weight, 0)
  if (whole === 0) return null
  let best: Support | null = null
  for (const { start, end, sentences } of passage.windows) {
    const shared = sharedWeight(claim, sentences) / whole
    const support = { start, end: Math.min(end, start + longestQuote) }
    const score = fits(claim, sentences) ? shared : Math.min(shared, mismatchCap)
    if (score > 0 && (best === null || isBetter({ ...support, score }, best))) best = { ...support, score }
  }
  return best
}

function sharedWeight({ terms }: Claim, sentences: readonly Sentence[]): number {
  const stands = (term: string): boolean => sentences.some((sentence) => sentence.terms.has(term))
  return terms.reduce((sum, [term, weight]) => sum + (stands(term) ? weight : 0), 0)
}

/** Numbers stand somewhere in the window; the sentence that is nearest to the claim denies what the claim denies. */
function fits(claim: Claim, sentences: readonly Sentence[]): boolean {
  if (!claim.exact.every((word) => sentences.some(({ exact }) => exact.has(word)))) return false
  const shares = sentences.map((sentence) => sharedWeight(claim, [sentence]))
  return sentences[shares.indexOf(Math.max(...shares))]?.negated === claim.negated
}

/** Of equals the shorter one. */
const isBetter = (a: Support, b: Support): boolean =>
  a.score > b.score + 1e-9 || (a.score > b.score - 1e-9 && a.end - a.start < b.end - b.start)

/** Terms by which a sentence weighs in its answer. */
export const weightOf = (sentence: string): number => termsOf(sentence, 'english').length
