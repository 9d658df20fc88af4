import type { DataClass } from '../chunking/scan-words.ts'

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
  readonly classification: DataClass
}

export interface DatedPassage extends Passage {
  readonly createdAt: string
  readonly mediaType: string
}
