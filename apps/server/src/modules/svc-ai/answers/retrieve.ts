/**
 * Finds passages for a question, by its words and, where a model is bound to make vectors, by its meaning too. Promises that
 * sources are chosen by the caller's rights before anything is ranked, that the rows of the hits are read under the same
 * condition again, and that no quarantined chunk is among them. Tested in sources.test.ts and hybrid.test.ts.
 */
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Asker } from '../../gateway/api.ts'
import type { DataClass } from '../chunking/scan-words.ts'
import type { LexicalReason, RetrievalMode } from '../declared/retrieval-words.ts'
import type { SourceRow } from '../declared/source-schema.ts'
import { errors } from '../errors/errors.ts'
import { openJson } from '../postings/sealing.ts'
import { fuse } from '../retrieval/fusion.ts'
import { type Found, type Hit, type SearchOptions, search } from '../retrieval/search.ts'
import type { Segment } from '../retrieval/segment.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { readableBy } from '../sources/acl.ts'
import { type Dense, denseRanking } from './dense.ts'
import { type Filters, isWanted, refuseContradiction } from './filters.ts'
import type { DatedPassage, Passage, Ranks } from './passage.ts'

export interface Question {
  readonly scope: TenantScope
  readonly asker: Asker
  readonly text: string
  /** Default `auto`: hybrid where it can be. */
  readonly mode?: RetrievalMode | undefined
  /** Default: every source that the caller may read. */
  readonly sourceIds?: readonly string[] | undefined
  readonly filters?: Filters | undefined
  readonly options: SearchOptions
}

export interface QuarantinedChunk {
  readonly chunk_id: string
  readonly score: number
  readonly patterns: string[]
}

export interface Retrieved {
  /** Best first. */
  readonly passages: readonly Passage[]
  readonly quarantined: readonly QuarantinedChunk[]
  readonly candidates: number
  readonly expanded: boolean
  /** Sources that were searched. */
  readonly sources: number
  /** Why only words were searched; null where vectors were too. */
  readonly lexicalReason: LexicalReason | null
}

type Searched = Pick<SourceRow, 'id' | 'index_version' | 'embedding_model' | 'vector_generation'>

/** Chunks of each ranking that are fused. */
const fusedDepth = 100

/** @throws SVC-001 for a source that is not there for the caller, SVC-002, SVC-022, and as a call of the gateway */
export async function retrieve(services: SvcAiServices, question: Question): Promise<Retrieved> {
  const { scope, options, text, filters = {}, asker, mode = 'auto' } = question
  refuseContradiction(filters)
  const sources = await searchedSources(services, question)
  // A filter may refuse most of the hits.
  const top = Object.keys(filters).length === 0 ? options.top : mostFiltered
  const dense = await denseRanking(services, { asker, text, mode, sources, top: Math.max(top, fusedDepth) })
  const segments = (await services.indexes.of(scope.tenantId, sources)).flat()
  const depth = dense.ranking === null ? top : Math.max(top, fusedDepth)
  const found = search(segments, text, { ...options, top: depth })
  const ranked = rankedChunks(found.hits, segments, dense).slice(0, top)
  const passages = (await passagesOf(services, question, ranked))
    .filter((passage) => isWanted(passage, filters))
    .slice(0, options.top)
  return {
    passages: passages.map(({ createdAt: _at, mediaType: _type, ...passage }) => passage),
    quarantined: await quarantinedOf(services, question, { found, segments }),
    ...{ candidates: found.candidates, expanded: found.expanded, sources: sources.length },
    lexicalReason: dense.reason,
  }
}

interface RankedChunk {
  readonly id: string
  readonly score: number
  readonly ranks: Ranks
}

/** By BM25 alone, or fused with the ranking by vectors. */
function rankedChunks(hits: readonly Hit[], segments: readonly Segment[], { ranking }: Dense): readonly RankedChunk[] {
  const idOf = ({ segment, chunk }: Hit): string => segments[segment]?.ids[chunk] ?? ''
  if (ranking === null)
    return hits.map((hit, at) => ({ id: idOf(hit), score: hit.score, ranks: { lexical: at + 1, dense: null } }))
  return fuse([hits.map(idOf), ranking]).map(({ id, score, ranks: [lexical = null, dense = null] }) => ({
    ...{ id, score, ranks: { lexical, dense } },
  }))
}

const mostFiltered = 200

async function searchedSources({ kernel }: SvcAiServices, question: Question): Promise<readonly Searched[]> {
  const { scope, asker, sourceIds } = question
  const ids = sourceIds === undefined || sourceIds.length === 0 ? null : [...new Set(sourceIds)]
  const found = await kernel.db.read(
    scope.tenantId,
    sql<Searched>`
      select source.id, source.index_version, source.embedding_model, source.vector_generation
      from svc_ai_source source
      where ${readableBy(asker.actor)} and (${ids}::uuid[] is null or source.id = any(${ids}::uuid[]))
      order by source.id`,
  )
  const known = new Set(found.map(({ id }) => id))
  const unknown = (sourceIds ?? []).flatMap((id, at) => (known.has(id.toLowerCase()) ? [] : [`/source_ids/${at}`]))
  if (unknown.length > 0)
    throw errors
      .unknownReference({ what: 'A knowledge source does not exist, or is not yours to read.' })
      .at(unknown.slice(0, 20).map((pointer) => ({ detail: 'names no source', pointer })))
  return found.filter(({ index_version: version }) => version > 0)
}

interface Hits {
  readonly found: Found
  readonly segments: readonly Segment[]
}

interface StoredPassage {
  readonly id: string
  readonly source_id: string
  readonly document_id: string
  readonly title: string
  readonly media_type: string
  readonly created_at: string
  readonly page: number | null
  readonly start_at: number
  readonly end_at: number
  readonly classification: DataClass
  readonly sealed: Uint8Array
}

async function passagesOf(
  { kernel }: SvcAiServices,
  { scope, asker }: Question,
  ranked: readonly RankedChunk[],
): Promise<readonly DatedPassage[]> {
  if (ranked.length === 0) return []
  const rows = await kernel.db.read(
    scope.tenantId,
    sql<StoredPassage>`
      select chunk.id, chunk.source_id, chunk.document_id, document.title, document.media_type, document.created_at,
        chunk.page, chunk.start_at, chunk.end_at, source.classification, chunk.sealed
      from svc_ai_chunk chunk
      join svc_ai_document document on document.id = chunk.document_id
      join svc_ai_source source on source.id = chunk.source_id
      where chunk.id = any(${ranked.map(({ id }) => id)}::uuid[]) and not chunk.quarantined
        and ${readableBy(asker.actor)}`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const passages: DatedPassage[] = []
  for (const { id, score, ranks } of ranked) {
    const row = byId.get(id)
    if (row === undefined) continue
    const place = { tenantId: scope.tenantId, table: 'svc_ai_chunk', id }
    const content = (await openJson(kernel.tenantKeys, place, row.sealed)) as { text: string; heading_path: string[] }
    passages.push({
      ...{ chunkId: id, sourceId: row.source_id, documentId: row.document_id, title: row.title, score, ranks },
      ...{ headingPath: content.heading_path, page: row.page, start: row.start_at, end: row.end_at },
      ...{ text: content.text, classification: row.classification, createdAt: row.created_at },
      mediaType: row.media_type,
    })
  }
  return passages
}

const mostQuarantined = 50

async function quarantinedOf(
  { kernel }: SvcAiServices,
  { scope, asker }: Question,
  { found, segments }: Hits,
): Promise<readonly QuarantinedChunk[]> {
  const ids = found.quarantined
    .slice(0, mostQuarantined)
    .map(({ segment, chunk }) => segments[segment]?.ids[chunk] ?? '')
  if (ids.length === 0) return []
  return kernel.db.read(
    scope.tenantId,
    sql<QuarantinedChunk>`
      select chunk.id as chunk_id, chunk.score, chunk.patterns from svc_ai_chunk chunk
      join svc_ai_source source on source.id = chunk.source_id
      where chunk.id = any(${ids}::uuid[]) and ${readableBy(asker.actor)}
      order by chunk.score desc, chunk.id`,
  )
}
