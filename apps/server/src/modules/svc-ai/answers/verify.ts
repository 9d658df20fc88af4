/**
 * Holds an answer against the passages that were sent. Promises that a citation names a passage of this request and quotes
 * it by offsets, whatever the model wrote: other numbers are removed and counted, links and images become plain text, and
 * `document.slice(start, end)` is the quote. Pure. Tested in verify.test.ts.
 */
import type { Citation, Groundedness } from '../declared/conversation-schema.ts'
import type { Passage } from './passage.ts'
import { plainText } from './plain-text.ts'
import { sentencesOf } from './sentences.ts'
import { type PassageWindows, rarityOf, type Support, supportOf, weightOf, windowsOf } from './support.ts'

export interface VerifiedAnswer {
  readonly text: string
  readonly citations: Citation[]
  /** Null for an answer without a sentence. */
  readonly groundedness: Groundedness | null
  /** Markers that named no passage. */
  readonly rejected: number
}

const marker = /(?<!\s)\s*[[【]\^?(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)(?:†[^\]】\n]{0,40})?[\]】]/g
/** A sentence without a marker is cited where a passage supports it this much. */
const evident = 0.6
const mostCitations = 200

/** @param passages numbered from 1 in their order */
export function verifyAnswer(answer: string, passages: readonly Passage[]): VerifiedAnswer {
  const { text, rejected } = withKnownMarkers(plainText(answer), passages.length)
  const windows = passages.map((passage) => windowsOf(passage.text))
  const rarity = rarityOf(windows)
  const citations: Citation[] = []
  const sentences: Groundedness['sentences'] = []
  let [sum, weights] = [0, 0]
  for (const span of sentencesOf(text)) {
    const own = text.slice(span.start, span.end)
    const said = own.replaceAll(marker, '')
    const weight = weightOf(said)
    if (weight === 0) continue
    const named = numbersIn(own)
    const supports = supportsOf(said, { windows, named, rarity })
    const score = Math.max(0, ...supports.map(({ support }) => support.score))
    const cited = supports.filter(({ number, support }) => named.includes(number) || support.score >= evident)
    citations.push(...cited.map(({ number, support }) => citationOf(number, support, passages)))
    sentences.push({ ...span, score: rounded(score), citations: cited.map(({ number }) => number) })
    sum += score * weight
    weights += weight
  }
  return {
    ...{ text, rejected, citations: citations.slice(0, mostCitations) },
    groundedness: weights === 0 ? null : { score: rounded(sum / weights), sentences: sentences.slice(0, 500) },
  }
}

const rounded = (value: number): number => Math.round(Math.min(1, value) * 1_000) / 1_000

function withKnownMarkers(text: string, count: number): { readonly text: string; readonly rejected: number } {
  let rejected = 0
  const kept = text.replaceAll(marker, (_match, list: string) => {
    const numbers = list.split(/[,;]/).map(Number)
    const known = numbers.filter((number) => number >= 1 && number <= count)
    rejected += numbers.length - known.length
    return known.map((number) => ` [${number}]`).join('')
  })
  return { text: kept.trim(), rejected }
}

const numbersIn = (sentence: string): readonly number[] => [
  ...new Set([...sentence.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number))),
]

interface Looking {
  readonly windows: readonly PassageWindows[]
  /** Passages that the sentence cites; none means any of them. */
  readonly named: readonly number[]
  readonly rarity: (term: string) => number
}

function supportsOf(said: string, { windows, named, rarity }: Looking) {
  const asked = named.length > 0 ? named : windows.map((_, index) => index + 1)
  const found = asked.flatMap((number) => {
    const passage = windows[number - 1]
    const support = passage === undefined ? null : supportOf(said, passage, rarity)
    return support === null ? [] : [{ number, support }]
  })
  // Without a marker the best passage alone is cited.
  return named.length > 0 ? found : found.sort((a, b) => b.support.score - a.support.score).slice(0, 1)
}

function citationOf(number: number, { start, end, score }: Support, passages: readonly Passage[]): Citation {
  const passage = passages[number - 1]
  if (passage === undefined) throw new RangeError('a citation of a passage that was not sent')
  return {
    index: number,
    ...{ source_id: passage.sourceId, document_id: passage.documentId, chunk_id: passage.chunkId },
    ...{ title: passage.title, heading_path: [...passage.headingPath], page: passage.page },
    ...{ start: passage.start + start, end: passage.start + end, quote: passage.text.slice(start, end) },
    score: rounded(score),
  }
}
