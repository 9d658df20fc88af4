/**
 * A document on its way into the index: its text, chunks, scans and postings, made in a thread. The same document gives
 * the same chunks. Tested in prepare-task.test.ts.
 */
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { TextPiece } from '../../../kernel/unpack/port.ts'
import { type PostingsBlock, postingsOf } from '../retrieval/segment.ts'
import { type Language, languageOf } from '../retrieval/tokenize.ts'
import { assemble } from './assemble.ts'
import { type Chunk, chunksOf } from './chunk.ts'
import { type ChunkScan, detectorVersion, scanChunk } from './scan.ts'
import { type DataClass, higherClass } from './scan-words.ts'

export interface DocumentToPrepare {
  readonly title: string
  readonly pieces: readonly TextPiece[]
  readonly markdown: boolean
  /** `auto` is known by the stop words of the text. */
  readonly language: Language | 'auto'
}

export interface PreparedChunk extends Chunk, ChunkScan {
  /** Its place among the chunks. */
  readonly id: string
  readonly text: string
}

export interface PreparedDocument {
  readonly characters: number
  /** Invisible characters that were taken out. */
  readonly hidden: number
  readonly language: Language
  readonly dataClass: DataClass
  readonly detectorVersion: string
  readonly chunks: readonly PreparedChunk[]
  readonly blocks: readonly PostingsBlock[]
}

/** Characters of the text in front of a chunk that are scanned with it. */
const lookBehind = 200

export const prepareDocument: ThreadTask<DocumentToPrepare, PreparedDocument> = {
  name: 'svc-ai.prepare',
  lane: 'long',
  run: ({ title, pieces, markdown, language: wanted }, { stopped, progress }) => {
    const assembled = assemble(pieces)
    const { text, hidden } = assembled
    const places = chunksOf(assembled, markdown).filter(({ start, end }) => text.slice(start, end).trim() !== '')
    const language = wanted === 'auto' ? languageOf(text) : wanted
    const chunks = places.map((place, index): PreparedChunk => {
      if (stopped()) throw new Error('Nobody waits for the document any more')
      progress(index / places.length)
      const own = text.slice(place.start, place.end)
      const before = text.slice(Math.max(0, place.start - lookBehind), place.start)
      return { ...place, ...scanChunk(own, before), id: String(index), text: own }
    })
    const indexed = chunks.map((chunk) => ({ ...chunk, text: [title, ...chunk.headingPath, chunk.text].join('\n') }))
    return {
      ...{ characters: text.length, hidden, language, detectorVersion: detectorVersion(), chunks },
      dataClass: chunks.map(({ dataClass }) => dataClass).reduce<DataClass>(higherClass, 'public'),
      blocks: postingsOf(indexed, language),
    }
  },
}
