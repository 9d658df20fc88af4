/**
 * Ranks chunks for a question without a model: BM25 (Robertson and Zaragoza 2009, with the idf of Lucene, which is never
 * negative) and, for longer questions, RM3 pseudo-relevance feedback (Abdul-Jaleel et al. 2004). Only the segments that it
 * is given count, in the statistics too, so that a score tells nothing of a source that its reader may not read. Pure.
 * Tested in search.test.ts and cranfield.test.ts.
 */
import { countIn, localTerm, type Segment } from './segment.ts'
import { type Language, termsOf } from './tokenize.ts'
import { Top } from './top.ts'

export const feedbackModes = ['auto', 'on', 'off'] as const

export interface SearchOptions {
  /** Chunks at most. */
  readonly top: number
  readonly k1?: number
  readonly b?: number
  /** `auto`: for questions of at least four terms. */
  readonly rm3?: (typeof feedbackModes)[number]
}

export interface Hit {
  /** Place of the segment in the list. */
  readonly segment: number
  /** Place of the chunk in the segment. */
  readonly chunk: number
  readonly score: number
}

export interface Found {
  /** Best first. */
  readonly hits: readonly Hit[]
  /** Quarantined chunks that would stand among the hits. */
  readonly quarantined: readonly Hit[]
  /** Chunks with a term of the question. */
  readonly candidates: number
  readonly expanded: boolean
}

const defaults = { k1: 1.2, b: 0.75, rm3: 'auto' } as const
const feedbackChunks = 10
const feedbackTerms = 10
/** Weight of the question beside what its best chunks say. */
const ownWeight = 0.7
/** Terms in more than this share of the chunks say nothing. */
const commonShare = 0.1
const termsForFeedback = 4

/** Segments of one language, ranked together. */
interface Group {
  readonly language: Language
  readonly members: readonly { readonly segment: Segment; readonly index: number }[]
  readonly chunks: number
  readonly meanLength: number
}

type Weights = ReadonlyMap<string, number>
type Settings = Required<SearchOptions>

export function search(segments: readonly Segment[], question: string, options: SearchOptions): Found {
  const settings = { ...defaults, ...options }
  const found = groupsOf(segments).map((group) => searchGroup(group, question, settings))
  const hits = new Top<Hit>(settings.top)
  for (const one of found) for (const hit of one.hits) hits.add(hit.score, hit)
  const best = hits.sorted()
  const least = best.length < settings.top ? 0 : (best.at(-1)?.score ?? 0)
  return {
    hits: best,
    quarantined: found.flatMap(({ quarantined }) => quarantined).filter(({ score }) => score >= least),
    candidates: found.reduce((sum, { candidates }) => sum + candidates, 0),
    expanded: found.some(({ expanded }) => expanded),
  }
}

function groupsOf(segments: readonly Segment[]): readonly Group[] {
  const members = new Map<Language, { segment: Segment; index: number }[]>()
  for (const [index, segment] of segments.entries())
    members.set(segment.language, [...(members.get(segment.language) ?? []), { segment, index }])
  return [...members].map(([language, of]) => {
    const chunks = of.reduce((sum, { segment }) => sum + segment.ids.length, 0)
    const length = of.reduce((sum, { segment }) => sum + segment.totalLength, 0)
    return { language, members: of, chunks, meanLength: chunks === 0 ? 1 : Math.max(1, length / chunks) }
  })
}

function searchGroup(group: Group, question: string, settings: Settings): Found {
  const own = weightsOf(termsOf(question, group.language))
  const wantsFeedback = settings.rm3 === 'on' || (settings.rm3 === 'auto' && own.size >= termsForFeedback)
  const first = ranked(group, own, wantsFeedback ? { ...settings, top: feedbackChunks } : settings)
  if (!wantsFeedback) return { ...first, expanded: false }
  const expansion = feedbackOf(group, first.hits)
  if (expansion.size === 0) return { ...ranked(group, own, settings), expanded: false }
  return { ...ranked(group, mixed(own, expansion), settings), expanded: true }
}

/** Each term by its share of the question. */
function weightsOf(terms: readonly string[]): Weights {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1 / terms.length)
  return counts
}

function mixed(own: Weights, expansion: Weights): Weights {
  const weights = new Map([...own].map(([term, weight]) => [term, weight * ownWeight]))
  for (const [term, weight] of expansion) weights.set(term, (weights.get(term) ?? 0) + weight * (1 - ownWeight))
  return weights
}

function frequencyOf({ members }: Group, term: string): number {
  let sum = 0
  for (const { segment } of members) {
    const local = localTerm(segment, term)
    if (local >= 0) sum += (segment.starts[local + 1] ?? 0) - (segment.starts[local] ?? 0)
  }
  return sum
}

function ranked(group: Group, weights: Weights, settings: Settings): Omit<Found, 'expanded'> {
  const scored = [...weights].map(([term, weight]) => {
    const frequency = frequencyOf(group, term)
    return { term, weight: weight * Math.log(1 + (group.chunks - frequency + 0.5) / (frequency + 0.5)) }
  })
  const hits = new Top<Hit>(settings.top)
  const quarantined = new Top<Hit>(settings.top)
  let candidates = 0
  for (const { segment, index } of group.members) {
    const scores = scoresOf(segment, scored, { ...settings, meanLength: group.meanLength })
    if (scores === null) continue
    for (let chunk = 0; chunk < scores.length; chunk += 1) {
      const score = scores[chunk] ?? 0
      if (score <= 0) continue
      if (segment.quarantined[chunk] === 1) quarantined.add(score, { segment: index, chunk, score })
      else {
        candidates += 1
        if (hits.takes(score)) hits.add(score, { segment: index, chunk, score })
      }
    }
  }
  return { hits: hits.sorted(), quarantined: quarantined.sorted(), candidates }
}

interface Scoring extends Settings {
  readonly meanLength: number
}

/** Null where no term of the question stands in the segment. */
function scoresOf(
  segment: Segment,
  scored: readonly { readonly term: string; readonly weight: number }[],
  { k1, b, meanLength }: Scoring,
): Float64Array | null {
  const { starts, places, counts, lengths } = segment
  const known = scored.flatMap(({ term, weight }) => {
    const local = localTerm(segment, term)
    return local < 0 ? [] : [{ local, weight }]
  })
  if (known.length === 0) return null
  const scores = new Float64Array(lengths.length)
  const perLength = (k1 * b) / meanLength
  for (const { local, weight } of known) {
    const end = starts[local + 1] ?? 0
    for (let at = starts[local] ?? 0; at < end; at += 1) {
      const place = places[at] ?? 0
      const count = counts[at] ?? 0
      const norm = k1 * (1 - b) + perLength * (lengths[place] ?? 0)
      scores[place] = (scores[place] ?? 0) + (weight * count * (k1 + 1)) / (count + norm)
    }
  }
  return scores
}

/** The terms that the best chunks have in common, by their share. */
function feedbackOf(group: Group, hits: readonly Hit[]): Weights {
  const whole = hits.reduce((sum, { score }) => sum + score, 0)
  const weights = new Map<string, number>()
  for (const { segment: index, chunk, score } of hits) {
    const segment = group.members.find((member) => member.index === index)?.segment
    if (segment === undefined) continue
    const { chunkStarts, chunkTerms, terms, vocabulary, lengths } = segment
    const share = score / whole / Math.max(1, lengths[chunk] ?? 1)
    for (let at = chunkStarts[chunk] ?? 0; at < (chunkStarts[chunk + 1] ?? 0); at += 1) {
      const local = chunkTerms[at] ?? 0
      const term = vocabulary.nameOf(terms[local] ?? 0)
      weights.set(term, (weights.get(term) ?? 0) + share * countIn(segment, local, chunk))
    }
  }
  const kept: [string, number][] = []
  for (const entry of [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))) {
    if (kept.length === feedbackTerms) break
    if (frequencyOf(group, entry[0]) <= commonShare * group.chunks) kept.push(entry)
  }
  const sum = kept.reduce((total, [, weight]) => total + weight, 0)
  return new Map(kept.map(([term, weight]) => [term, weight / sum]))
}
