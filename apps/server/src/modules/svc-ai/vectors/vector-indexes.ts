/**
 * Vectors of sources in memory, read from their rows when they are first searched. Promises the exact nearest chunks of the
 * sources that it is asked about and of no other. Tested in hybrid.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { VectorIndex, VectorMatch } from '../../../kernel/vectors/port.ts'
import type { VectorRow } from '../declared/source-schema.ts'
import { createHeld, type Place, type Sized } from '../postings/held.ts'
import { openJson } from '../postings/sealing.ts'
import { type PackedVectors, unpackVectors } from './packed.ts'

export interface EmbeddedSource {
  readonly id: string
  readonly vector_generation: string
}

export interface NearestAsked {
  readonly tenantId: TenantId
  readonly sources: readonly EmbeddedSource[]
  readonly vector: Float32Array
  readonly top: number
}

export interface VectorIndexes {
  /** Nearest first. */
  nearest(asked: NearestAsked): Promise<readonly VectorMatch[]>
  /** Bytes in memory. */
  bytes(): number
}

interface Parts extends Pick<Kernel, 'db' | 'tenantKeys' | 'vectors'> {
  /** Asked at every use. */
  readonly mostBytes: () => number
}

interface Vectors extends Sized {
  /** Null for a source without a chunk. */
  readonly index: VectorIndex | null
}

/** Rows of 64 vectors at once. */
const page = 8
/** An id and its place in the index. */
const bytesOfId = 120

export function createVectorIndexes(parts: Parts): VectorIndexes {
  const held = createHeld({ mostBytes: parts.mostBytes, read: (place) => readVectors(parts, place) })
  return {
    nearest: async ({ tenantId, sources, vector, top }) => {
      const found: VectorMatch[] = []
      for (const { id, vector_generation: version } of sources) {
        const { index } = await held.get({ tenantId, sourceId: id, version })
        if (index === null || index.dimension !== vector.length) continue
        found.push(...(await index.search({ vector, top })))
      }
      return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, top)
    },
    bytes: held.bytes,
  }
}

async function readVectors(parts: Parts, { tenantId, sourceId, version }: Place): Promise<Vectors> {
  let index: VectorIndex | null = null
  let after: string | null = null
  for (;;) {
    const rows: readonly Pick<VectorRow, 'id' | 'sealed'>[] = await parts.db.read(
      tenantId,
      sql<Pick<VectorRow, 'id' | 'sealed'>>`
        select id, sealed from svc_ai_vector
        where source_id = ${sourceId} and generation = ${version} and (${after}::uuid is null or id > ${after}::uuid)
        order by id limit ${page}`,
    )
    for (const { id, sealed } of rows) {
      const place = { tenantId, table: 'svc_ai_vector', id }
      const packed = (await openJson(parts.tenantKeys, place, sealed)) as PackedVectors
      index ??= parts.vectors.create(packed.dimension)
      for (const [chunkId, vector] of unpackVectors(packed)) index.put(chunkId, vector)
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < page) return { index, bytes: (index?.bytes ?? 0) + (index?.size ?? 0) * bytesOfId }
  }
}
