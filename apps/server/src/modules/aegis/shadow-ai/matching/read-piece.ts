import type { ThreadTask } from '../../../../kernel/threads/thread-task.ts'
import { shippedCatalog } from '../catalog/shipped.ts'
import { type LogFormat, readerOf } from '../formats/formats.ts'
import { FormatFault, type ReaderOptions } from '../formats/record.ts'
import { type HostIndex, hostIndex, type Matchable } from './host-index.ts'
import { matchLines, type PieceResult } from './match-lines.ts'

export interface LogPiece {
  /** Whole lines. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: LogFormat
  readonly options: ReaderOptions
  /** Header lines of the pieces before. */
  readonly headers: readonly string[]
  /** Unix milliseconds. */
  readonly notAfter: number
  /** Entries of the tenant, which win over the shipped ones. */
  readonly entries: readonly Matchable[]
}

export interface PieceFault {
  readonly message: string
  readonly parameter: FormatFault['parameter']
}

/** Reads one piece of a log in a thread of bulk work of calls. */
export const readPiece: ThreadTask<LogPiece, PieceResult | { readonly fault: PieceFault }> = {
  name: 'aegis.shadow_ai.read_piece',
  lane: 'bulk',
  run: ({ bytes, format, options, headers, notAfter, entries }) => {
    try {
      const reader = readerOf(format, options)
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      return matchLines(text, { reader, index: indexOf(entries), headers, notAfter })
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error
      return { fault: { message: error.message, parameter: error.parameter } }
    }
  },
}

let kept: { readonly of: string; readonly index: HostIndex } | null = null

/** The index of the last piece, when the entries are the same: a log has thousands of pieces. */
function indexOf(entries: readonly Matchable[]): HostIndex {
  const of = JSON.stringify(entries)
  if (kept?.of !== of) kept = { of, index: hostIndex(inForce(entries)) }
  return kept.index
}

/** The shipped entries that no entry of the tenant replaces, and then the tenant's. */
export function inForce(entries: readonly Matchable[]): readonly Matchable[] {
  const own = new Set(entries.map(({ slug }) => slug))
  return [...shippedCatalog.filter(({ slug }) => !own.has(slug)), ...entries]
}
