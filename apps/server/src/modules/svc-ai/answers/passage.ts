import type { DataClass } from '../chunking/scan-words.ts'

/** Places from 1 by words and by vectors; null where it was not found that way. */
export interface Ranks {
  readonly lexical: number | null
  readonly dense: number | null
}

/** A chunk that was found. */
export interface Passage {
  readonly chunkId: string
  readonly sourceId: string
  readonly documentId: string
  readonly title: string
  readonly headingPath: readonly string[]
  readonly page: number | null
  /** Offsets of the text in its document. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly score: number
  readonly ranks: Ranks
  readonly classification: DataClass
}

export interface DatedPassage extends Passage {
  readonly createdAt: string
  readonly mediaType: string
}
