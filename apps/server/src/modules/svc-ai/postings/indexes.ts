/**
 * Indexes of sources in memory, read from their rows when they are first searched. Promises that a version of a source
 * gives the same index on every instance. Tested in sources.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { BlockRow } from '../declared/source-schema.ts'
import { type PostingsBlock, type Segment, segmentOf } from '../retrieval/segment.ts'
import type { Language } from '../retrieval/tokenize.ts'
import { Vocabulary } from '../retrieval/vocabulary.ts'
import { createHeld, type Place } from './held.ts'
import { openJson } from './sealing.ts'

export interface IndexedSource {
  readonly id: string
  readonly index_version: number
}

export interface SourceIndexes {
  /** The segments of each source, in their order. */
  of(tenantId: TenantId, sources: readonly IndexedSource[]): Promise<readonly (readonly Segment[])[]>
  /** Bytes in memory. */
  bytes(): number
}

interface Parts extends Pick<Kernel, 'db' | 'tenantKeys'> {
  /** Asked at every use. */
  readonly mostBytes: () => number
}

interface Index {
  readonly segments: readonly Segment[]
  readonly bytes: number
}

/** Blocks of a segment: 2,048 chunks, which are joined in about 20 ms, so that the event loop goes on between two. */
const blocksOfSegment = 8

export function createIndexes(parts: Parts): SourceIndexes {
  const held = createHeld({ mostBytes: parts.mostBytes, read: (place) => readIndex(parts, place) })
  return {
    of: async (tenantId, sources) => {
      const found: (readonly Segment[])[] = []
      for (const { id, index_version: version } of sources)
        found.push((await held.get({ tenantId, sourceId: id, version: String(version) })).segments)
      return found
    },
    bytes: held.bytes,
  }
}

type Sealed = Pick<BlockRow, 'id' | 'language' | 'sealed' | 'document_id' | 'position'>

async function readIndex(parts: Parts, { tenantId, sourceId }: Place): Promise<Index> {
  const vocabulary = new Vocabulary()
  const segments: Segment[] = []
  let waiting: PostingsBlock[] = []
  let language: Language | null = null
  const flush = (): void => {
    if (language !== null && waiting.length > 0) segments.push(segmentOf(waiting, language, vocabulary))
    waiting = []
  }
  let after: Sealed | null = null
  for (;;) {
    const page: readonly Sealed[] = await parts.db.read(tenantId, blocksAfter(sourceId, after))
    for (const row of page) {
      if (row.language !== language || waiting.length === blocksOfSegment) flush()
      language = row.language
      const place = { tenantId, table: 'svc_ai_block', id: row.id }
      waiting.push((await openJson(parts.tenantKeys, place, row.sealed)) as PostingsBlock)
    }
    after = page.at(-1) ?? null
    if (page.length < blocksOfSegment) break
  }
  flush()
  return { segments, bytes: segments.reduce((sum, { bytes }) => sum + bytes, vocabulary.bytes) }
}

const blocksAfter = (sourceId: string, after: Sealed | null) => sql<Sealed>`
  select id, language, sealed, document_id, position from svc_ai_block
  where source_id = ${sourceId}
    and (${after === null}::boolean or (document_id, position) > (${after?.document_id ?? null}::uuid, ${after?.position ?? 0}::int))
  order by document_id, position limit ${blocksOfSegment}`
