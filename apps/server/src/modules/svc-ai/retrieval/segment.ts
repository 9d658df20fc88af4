/**
 * Inverted index of one source. It is stored as blocks of term vectors, which are plain data, and searched as a segment:
 * typed arrays of postings with the terms of each chunk beside them. Promises that the same blocks give the same segment.
 * Pure. Tested in search.test.ts.
 */
import { type Language, termsOf } from './tokenize.ts'

export interface BlockChunk {
  readonly id: string
  /** Number of terms. */
  readonly length: number
  /** Never a candidate of an answer. */
  readonly quarantined: boolean
}

/** Postings of some chunks, as they are stored. */
export interface PostingsBlock {
  readonly chunks: readonly BlockChunk[]
  /** By term: place of the chunk in `chunks` and frequency, in turn. */
  readonly postings: readonly (readonly [term: string, ...pairs: number[]])[]
}

export interface ChunkText {
  readonly id: string
  readonly text: string
  readonly quarantined: boolean
}

/** Chunks of one block: few enough that a block is read at once. */
export const chunksOfBlock = 256

/** The postings of texts in blocks of at most 256. */
export function postingsOf(chunks: readonly ChunkText[], language: Language): PostingsBlock[] {
  const blocks: PostingsBlock[] = []
  for (let from = 0; from < chunks.length; from += chunksOfBlock)
    blocks.push(blockOf(chunks.slice(from, from + chunksOfBlock), language))
  return blocks
}

function blockOf(chunks: readonly ChunkText[], language: Language): PostingsBlock {
  const postings = new Map<string, [string, ...number[]]>()
  const known = chunks.map(({ id, text, quarantined }, place) => {
    const counts = new Map<string, number>()
    const terms = termsOf(text, language)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      const held = postings.get(term)
      if (held === undefined) postings.set(term, [term, place, count])
      else held.push(place, count)
    }
    return { id, length: terms.length, quarantined }
  })
  return { chunks: known, postings: [...postings.values()] }
}

export interface Segment {
  readonly language: Language
  readonly ids: readonly string[]
  readonly lengths: Uint32Array
  readonly quarantined: Uint8Array
  /** Number of each term. */
  readonly terms: ReadonlyMap<string, number>
  readonly names: readonly string[]
  /** Postings of term n: from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Uint32Array
  readonly places: Uint32Array
  readonly counts: Uint8Array
  /** Terms of chunk n, for feedback: from `chunkStarts[n]` to `chunkStarts[n + 1]`. */
  readonly chunkStarts: Uint32Array
  readonly chunkTerms: Uint32Array
  readonly chunkCounts: Uint8Array
  readonly totalLength: number
  /** Memory, roughly. */
  readonly bytes: number
}

interface Vocabulary {
  readonly terms: Map<string, number>
  readonly names: string[]
  readonly sizes: number[]
}

/** Joins blocks to a segment. */
export function segmentOf(blocks: readonly PostingsBlock[], language: Language): Segment {
  const chunks = blocks.flatMap((block) => block.chunks)
  const vocabulary = vocabularyOf(blocks)
  const { terms, names, sizes } = vocabulary
  const starts = startsOf(sizes)
  const postings = starts[names.length] ?? 0
  const places = new Uint32Array(postings)
  const counts = new Uint8Array(postings)
  const chunkSizes = new Uint32Array(chunks.length)
  fill(blocks, { terms, next: starts.slice(), places, counts, chunkSizes })
  const chunkStarts = startsOf(chunkSizes)
  const forward = forwardOf({ starts, places, counts, chunkStarts })
  const lengths = Uint32Array.from(chunks, ({ length }) => length)
  return {
    ...{ language, ids: chunks.map(({ id }) => id), lengths, terms, names, starts, places, counts, chunkStarts },
    quarantined: Uint8Array.from(chunks, ({ quarantined }) => Number(quarantined)),
    ...forward,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    bytes: postings * 10 + chunks.length * 90 + names.length * 90,
  }
}

function vocabularyOf(blocks: readonly PostingsBlock[]): Vocabulary {
  const terms = new Map<string, number>()
  const names: string[] = []
  const sizes: number[] = []
  for (const { postings } of blocks) {
    for (const entry of postings) {
      const [term] = entry
      let number = terms.get(term)
      if (number === undefined) {
        number = names.length
        terms.set(term, number)
        names.push(term)
        sizes.push(0)
      }
      sizes[number] = (sizes[number] ?? 0) + (entry.length - 1) / 2
    }
  }
  return { terms, names, sizes }
}

function startsOf(sizes: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1)
  for (let index = 0; index < sizes.length; index += 1) starts[index + 1] = (starts[index] ?? 0) + (sizes[index] ?? 0)
  return starts
}

interface Filling {
  readonly terms: ReadonlyMap<string, number>
  /** Where the next posting of each term goes. */
  readonly next: Uint32Array
  readonly places: Uint32Array
  readonly counts: Uint8Array
  readonly chunkSizes: Uint32Array
}

function fill(blocks: readonly PostingsBlock[], { terms, next, places, counts, chunkSizes }: Filling): void {
  let base = 0
  for (const { chunks, postings } of blocks) {
    for (const entry of postings) {
      const number = terms.get(entry[0]) ?? 0
      for (let index = 1; index < entry.length; index += 2) {
        const place = base + Number(entry[index])
        const at = next[number] ?? 0
        places[at] = place
        // A term that stands more often than 255 times in a chunk weighs no more.
        counts[at] = Math.min(255, Number(entry[index + 1]))
        next[number] = at + 1
        chunkSizes[place] = (chunkSizes[place] ?? 0) + 1
      }
    }
    base += chunks.length
  }
}

type Forward = Pick<Segment, 'starts' | 'places' | 'counts' | 'chunkStarts'>

function forwardOf({ starts, places, counts, chunkStarts }: Forward): Pick<Segment, 'chunkTerms' | 'chunkCounts'> {
  const chunkTerms = new Uint32Array(places.length)
  const chunkCounts = new Uint8Array(places.length)
  const next = chunkStarts.slice()
  for (let term = 0; term + 1 < starts.length; term += 1) {
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at += 1) {
      const place = places[at] ?? 0
      const to = next[place] ?? 0
      chunkTerms[to] = term
      chunkCounts[to] = counts[at] ?? 0
      next[place] = to + 1
    }
  }
  return { chunkTerms, chunkCounts }
}
