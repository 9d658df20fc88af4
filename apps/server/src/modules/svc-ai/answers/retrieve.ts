/**
 * Finds passages for a question. Promises that sources are chosen by the caller's rights before anything is ranked, that
 * the rows of the hits are read under the same condition again, and that no quarantined chunk is among them. No model is
 * asked. Tested in rag.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { DataClass } from '../chunking/scan-words.ts'
import type { SourceRow } from '../declared/source-schema.ts'
import { errors } from '../errors/errors.ts'
import { openJson } from '../postings/sealing.ts'
import { type Found, type SearchOptions, search } from '../retrieval/search.ts'
import type { Segment } from '../retrieval/segment.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { readableBy } from '../sources/acl.ts'
import { type Filters, isWanted, refuseContradiction } from './filters.ts'
import type { DatedPassage, Passage } from './passage.ts'

export interface Question {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly text: string
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
}

type Searched = Pick<SourceRow, 'id' | 'index_version'>

/** @throws SVC-001 for a source that is not there for the caller, SVC-002 */
export async function retrieve(services: SvcAiServices, question: Question): Promise<Retrieved> {
  const { scope, options, text, filters = {} } = question
  refuseContradiction(filters)
  const sources = await searchedSources(services, question)
  const segments = (await services.indexes.of(scope.tenantId, sources)).flat()
  // A filter may refuse most of what is found.
  const top = Object.keys(filters).length === 0 ? options.top : mostFiltered
  const found = search(segments, text, { ...options, top })
  const passages = (await passagesOf(services, question, { found, segments }))
    .filter((passage) => isWanted(passage, filters))
    .slice(0, options.top)
  return {
    passages: passages.map(({ createdAt: _at, mediaType: _type, ...passage }) => passage),
    quarantined: await quarantinedOf(services, question, { found, segments }),
    ...{ candidates: found.candidates, expanded: found.expanded, sources: sources.length },
  }
}

const mostFiltered = 200

async function searchedSources({ kernel }: SvcAiServices, question: Question): Promise<readonly Searched[]> {
  const { scope, actor, sourceIds } = question
  const ids = sourceIds === undefined || sourceIds.length === 0 ? null : [...new Set(sourceIds)]
  const found = await kernel.db.read(
    scope.tenantId,
    sql<Searched>`
      select source.id, source.index_version from svc_ai_source source
      where ${readableBy(actor)} and (${ids}::uuid[] is null or source.id = any(${ids}::uuid[]))
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
  { scope, actor }: Question,
  { found, segments }: Hits,
): Promise<readonly DatedPassage[]> {
  const scores = new Map(found.hits.map(({ segment, chunk, score }) => [segments[segment]?.ids[chunk] ?? '', score]))
  if (scores.size === 0) return []
  const rows = await kernel.db.read(
    scope.tenantId,
    sql<StoredPassage>`
      select chunk.id, chunk.source_id, chunk.document_id, document.title, document.media_type, document.created_at,
        chunk.page, chunk.start_at, chunk.end_at, source.classification, chunk.sealed
      from svc_ai_chunk chunk
      join svc_ai_document document on document.id = chunk.document_id
      join svc_ai_source source on source.id = chunk.source_id
      where chunk.id = any(${[...scores.keys()]}::uuid[]) and not chunk.quarantined and ${readableBy(actor)}`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const passages: DatedPassage[] = []
  for (const [id, score] of scores) {
    const row = byId.get(id)
    if (row === undefined) continue
    const place = { tenantId: scope.tenantId, table: 'svc_ai_chunk', id }
    const content = (await openJson(kernel.tenantKeys, place, row.sealed)) as { text: string; heading_path: string[] }
    passages.push({
      ...{ chunkId: id, sourceId: row.source_id, documentId: row.document_id, title: row.title, score },
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
  { scope, actor }: Question,
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
      where chunk.id = any(${ids}::uuid[]) and ${readableBy(actor)}
      order by chunk.score desc, chunk.id`,
  )
}
