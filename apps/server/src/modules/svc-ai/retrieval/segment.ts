/**
 * Inverted index of one source. It is stored as blocks of term vectors, which are plain data, and searched as segments:
 * typed arrays of postings with the terms of each chunk beside them, five bytes for each posting. Promises that the same
 * blocks give the same segment. Pure. Tested in segment.test.ts and search.test.ts.
 */
import { type Language, termsOf } from './tokenize.ts'
import { placeIn, Vocabulary } from './vocabulary.ts'

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
  /** Shared by the segments of a source. */
  readonly vocabulary: Vocabulary
  /** Numbers of the terms that stand here, ascending; a term's place in this list is its local number. */
  readonly terms: Uint32Array
  /** Postings of local term n: from `starts[n]` to `starts[n + 1]`, by ascending chunk. */
  readonly starts: Uint32Array
  readonly places: Uint16Array
  readonly counts: Uint8Array
  /** Local terms of chunk n, for feedback: from `chunkStarts[n]` to `chunkStarts[n + 1]`. */
  readonly chunkStarts: Uint32Array
  readonly chunkTerms: Uint16Array | Uint32Array
  readonly totalLength: number
  /** Memory without the vocabulary, roughly. */
  readonly bytes: number
}

/** Chunks that a place of two bytes can name. */
export const mostChunks = 65_536
/** An id and its place in the list. */
const bytesOfId = 88

/** Joins blocks to a segment. @throws RangeError for more than 65,536 chunks */
export function segmentOf(
  blocks: readonly PostingsBlock[],
  language: Language,
  vocabulary: Vocabulary = new Vocabulary(),
): Segment {
  const chunks = blocks.flatMap((block) => block.chunks)
  if (chunks.length > mostChunks) throw new RangeError(`A segment has at most ${mostChunks} chunks`)
  const { terms, locals, sizes } = termsOfBlocks(blocks, vocabulary)
  const starts = startsOf(sizes)
  const postings = starts[terms.length] ?? 0
  const [places, counts] = [new Uint16Array(postings), new Uint8Array(postings)]
  const chunkSizes = new Uint32Array(chunks.length)
  fill(blocks, { vocabulary, locals, next: starts.slice(), places, counts, chunkSizes })
  const chunkStarts = startsOf(chunkSizes)
  const chunkTerms = forwardOf({ starts, places, chunkStarts })
  const lengths = Uint32Array.from(chunks, ({ length }) => length)
  const quarantined = Uint8Array.from(chunks, (chunk) => Number(chunk.quarantined))
  const arrays = [terms, starts, places, counts, chunkStarts, chunkTerms, lengths, quarantined]
  return {
    ...{ language, ids: chunks.map(({ id }) => id), lengths, quarantined, vocabulary, terms, starts, places, counts },
    ...{ chunkStarts, chunkTerms },
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    bytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0) + chunks.length * bytesOfId,
  }
}

/** Local number of a term; -1 where the segment has it not. */
export function localTerm({ vocabulary, terms }: Segment, term: string): number {
  const number = vocabulary.numberOf(term)
  return number === undefined ? -1 : placeIn(terms, number)
}

/** How often a local term stands in a chunk, 255 at most. */
export function countIn({ starts, places, counts }: Segment, local: number, chunk: number): number {
  const at = placeIn(places, chunk, starts[local] ?? 0, starts[local + 1] ?? 0)
  return at < 0 ? 0 : (counts[at] ?? 0)
}

interface Terms {
  readonly terms: Uint32Array
  /** Local number by number. */
  readonly locals: ReadonlyMap<number, number>
  /** Postings of each local term. */
  readonly sizes: Uint32Array
}

function termsOfBlocks(blocks: readonly PostingsBlock[], vocabulary: Vocabulary): Terms {
  const found = new Map<number, number>()
  for (const { postings } of blocks) {
    for (const entry of postings) {
      const number = vocabulary.add(entry[0])
      found.set(number, (found.get(number) ?? 0) + (entry.length - 1) / 2)
    }
  }
  const terms = Uint32Array.from(found.keys()).sort()
  const locals = new Map<number, number>()
  for (const [local, number] of terms.entries()) locals.set(number, local)
  return { terms, locals, sizes: terms.map((number) => found.get(number) ?? 0) }
}

function startsOf(sizes: Uint32Array): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1)
  for (let index = 0; index < sizes.length; index += 1) starts[index + 1] = (starts[index] ?? 0) + (sizes[index] ?? 0)
  return starts
}

interface Filling extends Pick<Terms, 'locals'> {
  readonly vocabulary: Vocabulary
  /** Where the next posting of each local term goes. */
  readonly next: Uint32Array
  readonly places: Uint16Array
  readonly counts: Uint8Array
  readonly chunkSizes: Uint32Array
}

function fill(blocks: readonly PostingsBlock[], filling: Filling): void {
  const { vocabulary, locals, next, places, counts, chunkSizes } = filling
  let base = 0
  for (const { chunks, postings } of blocks) {
    for (const entry of postings) {
      const local = locals.get(vocabulary.numberOf(entry[0]) ?? -1) ?? 0
      for (let index = 1; index < entry.length; index += 2) {
        const place = base + Number(entry[index])
        const at = next[local] ?? 0
        places[at] = place
        // A term that stands more often than 255 times in a chunk weighs no more.
        counts[at] = Math.min(255, Number(entry[index + 1]))
        next[local] = at + 1
        chunkSizes[place] = (chunkSizes[place] ?? 0) + 1
      }
    }
    base += chunks.length
  }
}

type Forward = Pick<Segment, 'starts' | 'places' | 'chunkStarts'>

function forwardOf({ starts, places, chunkStarts }: Forward): Segment['chunkTerms'] {
  const isNarrow = starts.length <= 65_537
  const chunkTerms = isNarrow ? new Uint16Array(places.length) : new Uint32Array(places.length)
  const next = chunkStarts.slice()
  for (let local = 0; local + 1 < starts.length; local += 1) {
    for (let at = starts[local] ?? 0; at < (starts[local + 1] ?? 0); at += 1) {
      const place = places[at] ?? 0
      const to = next[place] ?? 0
      chunkTerms[to] = local
      next[place] = to + 1
    }
  }
  return chunkTerms
}
