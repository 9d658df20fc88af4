/**
 * Writes indexed documents: chunks and postings sealed under the tenant's key before the transaction, and all rows of the
 * source replaced in it. Tested in sources.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { holdAll } from '../../../kernel/resource/resource.ts'
import type { PreparedDocument } from '../chunking/prepare-task.ts'
import { type DataClass, higherClass } from '../chunking/scan-words.ts'
import type { BlockRow, ChunkRow, DocumentRow, SourceRow } from '../declared/source-schema.ts'
import { blocks, chunks, sources } from '../declared/source-tables.ts'
import { chunkQuarantined, sourceIndexed } from '../events/events.ts'
import { sealJson } from '../postings/sealing.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { askForVectors } from '../vectors/ask-for-vectors.ts'
import { sourceResource } from './resource.ts'
import { releaseBlobs } from './sources.ts'

export interface ReadyDocument {
  readonly id: string
  readonly characters: number
  readonly dataClass: DataClass
  readonly chunks: readonly ChunkRow[]
  readonly blocks: readonly BlockRow[]
}

interface Sealing {
  readonly row: DocumentRow
  readonly document: PreparedDocument
}

/** Opens no transaction of its own and must not run in one. */
export async function sealDocument(
  { tenantKeys, random, clock }: Kernel,
  tenantId: TenantId,
  { row, document }: Sealing,
): Promise<ReadyDocument> {
  const ids = document.chunks.map(() => random.uuid())
  const place = { tenant_id: tenantId, created_at: clock.iso(), source_id: row.source_id, document_id: row.id }
  const chunkRows: ChunkRow[] = []
  for (const [position, chunk] of document.chunks.entries()) {
    const id = ids[position] ?? ''
    const content = { text: chunk.text, heading_path: chunk.headingPath.slice(0, 6) }
    chunkRows.push({
      ...{ ...place, id, position, start_at: chunk.start, end_at: chunk.end, page: chunk.page, score: chunk.score },
      ...{ quarantined: chunk.quarantined, patterns: [...chunk.patterns], detector_version: document.detectorVersion },
      sealed: await sealJson(tenantKeys, { tenantId, table: 'svc_ai_chunk', id }, content),
    })
  }
  const blockRows: BlockRow[] = []
  for (const [position, block] of document.blocks.entries()) {
    const id = random.uuid()
    const named = { ...block, chunks: block.chunks.map((chunk) => ({ ...chunk, id: ids[Number(chunk.id)] ?? '' })) }
    const sealed = await sealJson(tenantKeys, { tenantId, table: 'svc_ai_block', id }, named)
    blockRows.push({ ...place, id, position, language: document.language, sealed })
  }
  const { characters, dataClass } = document
  return { id: row.id, characters, dataClass, chunks: chunkRows, blocks: blockRows }
}

export interface Storing {
  readonly sourceId: string
  readonly ready: readonly ReadyDocument[]
  readonly sha256: string
}

const rowsAtOnce = 200
const mostTold = 100

/** Takes the place of everything that was indexed of the source. A source that is gone meanwhile is left gone. */
export async function storeDocuments(
  services: SvcAiServices,
  tx: Tx,
  { sourceId, ready, sha256 }: Storing,
): Promise<void> {
  const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${sourceId}`, limit: 1 })
  if (held === undefined) return
  const ids = ready.map(({ id }) => id)
  await tx.execute(sql`delete from svc_ai_chunk where source_id = ${sourceId}`)
  await tx.execute(sql`delete from svc_ai_block where source_id = ${sourceId}`)
  await tx.execute(sql`delete from svc_ai_vector where source_id = ${sourceId}`)
  const replaced = await tx.query(sql<{ blob_id: string | null }>`
    delete from svc_ai_document where source_id = ${sourceId} and id <> all(${ids}::uuid[]) returning blob_id`)
  await releaseBlobs(
    services.kernel,
    tx,
    replaced.flatMap(({ blob_id: blob }) => (blob === null ? [] : [blob])),
  )
  for (const { id, characters } of ready)
    await tx.execute(sql`update svc_ai_document set pending = false, characters = ${characters} where id = ${id}`)
  const chunkRows = ready.flatMap((document) => document.chunks)
  for (let from = 0; from < chunkRows.length; from += rowsAtOnce)
    await insertMany(tx, chunks, chunkRows.slice(from, from + rowsAtOnce))
  for (const { blocks: rows } of ready) await insertMany(tx, blocks, rows)
  const quarantined = chunkRows.filter((chunk) => chunk.quarantined)
  const at = services.kernel.clock.iso()
  const changes = changesOf(held.row, { ready, sha256, quarantined: quarantined.length, at })
  await sources.patch(tx, sourceId, { ...changes, updated_at: at })
  const { index_version, documents, chunks: count } = changes
  await tx.audit('svc_ai.source.index', {
    target: `svc_ai_source:${sourceId}`,
    before: { index_version: held.row.index_version },
    after: { index_version, documents, chunks: count },
  })
  await tell(tx, { ...held.row, ...changes }, quarantined)
  await askForVectors(tx, sourceId)
}

interface Outcome extends Pick<Storing, 'ready' | 'sha256'> {
  readonly quarantined: number
  readonly at: string
}

function changesOf({ declared_class, index_version: version }: SourceRow, outcome: Outcome) {
  const { ready, sha256, quarantined, at } = outcome
  return {
    ...{ status: 'ready' as const, error: null, last_sync_at: at, content_sha256: sha256 },
    classification: ready.map(({ dataClass }) => dataClass).reduce<DataClass>(higherClass, declared_class),
    documents: ready.length,
    chunks: ready.reduce((sum, { chunks: of }) => sum + of.length, 0),
    quarantined_chunks: quarantined,
    characters: ready.reduce((sum, { characters }) => sum + characters, 0),
    index_version: version + 1,
    ...{ embedding_model: null, embedding_error: null, embedded_chunks: 0, vector_generation: null },
  }
}

async function tell(tx: Tx, row: SourceRow, quarantined: readonly ChunkRow[]): Promise<void> {
  const { id, name, documents, chunks: count, quarantined_chunks } = row
  await tx.emit(sourceIndexed, id, { source_id: id, name, documents, chunks: count, quarantined_chunks })
  const told = quarantined.slice(0, mostTold)
  if (told.length === 0) return
  await tx.emitAll(
    chunkQuarantined,
    told.map((chunk) => ({
      subject: chunk.id,
      data: {
        ...{ source_id: id, document_id: chunk.document_id, chunk_id: chunk.id, score: chunk.score },
        ...{ patterns: chunk.patterns, detector_version: chunk.detector_version },
      },
    })),
  )
}
