/**
 * Indexes of sources in memory, read from their rows when they are first searched and kept within a bound of bytes, least
 * used first. Promises that a version of a source gives the same index on every instance, and that a version that was
 * replaced is never searched: whoever searches names the version that the database has now. Tested in indexes.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { BlockRow } from '../declared/source-schema.ts'
import { type PostingsBlock, type Segment, segmentOf } from '../retrieval/segment.ts'
import type { Language } from '../retrieval/tokenize.ts'
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

interface Held {
  readonly version: number
  readonly segments: readonly Segment[]
  readonly bytes: number
}

interface Parts extends Pick<Kernel, 'db' | 'tenantKeys'> {
  /** Asked at every use. */
  readonly mostBytes: () => number
}

/** Blocks of a segment: 2,048 chunks, which are joined in about 20 ms, so that the event loop goes on between two. */
const blocksOfSegment = 8

export function createIndexes(parts: Parts): SourceIndexes {
  // A map keeps the order of insertion: the first is the least used.
  const held = new Map<string, Held>()
  const loading = new Map<string, Promise<Held>>()
  let bytes = 0

  const drop = (key: string): void => {
    bytes -= held.get(key)?.bytes ?? 0
    held.delete(key)
  }
  const keep = (key: string, entry: Held): void => {
    drop(key)
    held.set(key, entry)
    bytes += entry.bytes
    for (const [oldest] of held) {
      if (bytes <= parts.mostBytes() || oldest === key) break
      drop(oldest)
    }
  }
  const load = (tenantId: TenantId, { id, index_version: version }: IndexedSource): Promise<Held> => {
    const name = `${tenantId}/${id}/${version}`
    const known = loading.get(name)
    if (known !== undefined) return known
    const read = readSegments(parts, tenantId, id)
      .then((segments) => ({ version, segments, bytes: segments.reduce((sum, segment) => sum + segment.bytes, 0) }))
      .finally(() => loading.delete(name))
    loading.set(name, read)
    return read
  }
  const one = async (tenantId: TenantId, source: IndexedSource): Promise<readonly Segment[]> => {
    const key = `${tenantId}/${source.id}`
    const known = held.get(key)
    const entry = known?.version === source.index_version ? known : await load(tenantId, source)
    keep(key, entry)
    return entry.segments
  }
  return {
    of: async (tenantId, sources) => {
      const found: (readonly Segment[])[] = []
      for (const source of sources) found.push(await one(tenantId, source))
      return found
    },
    bytes: () => bytes,
  }
}

type Sealed = Pick<BlockRow, 'id' | 'language' | 'sealed' | 'document_id' | 'position'>

async function readSegments(parts: Parts, tenantId: TenantId, sourceId: string): Promise<readonly Segment[]> {
  const segments: Segment[] = []
  let waiting: PostingsBlock[] = []
  let language: Language | null = null
  const flush = (): void => {
    if (language !== null && waiting.length > 0) segments.push(segmentOf(waiting, language))
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
  return segments
}

const blocksAfter = (sourceId: string, after: Sealed | null) => sql<Sealed>`
  select id, language, sealed, document_id, position from svc_ai_block
  where source_id = ${sourceId}
    and (${after === null}::boolean or (document_id, position) > (${after?.document_id ?? null}::uuid, ${after?.position ?? 0}::int))
  order by document_id, position limit ${blocksOfSegment}`
