import { table } from '../../../kernel/db/table.ts'
import { BlockRow, ChunkRow, DocumentRow, SourceRow, VectorRow } from './source-schema.ts'

const data = { category: 'knowledge', subject: [], retention: 'tenant', erasure: 'none' } as const

export const sources = table({
  name: 'svc_ai_source',
  noun: 'knowledge source',
  row: SourceRow,
  sorts: ['created_at', 'name'],
  dueBy: ['kind', 'last_sync_at', 'status'],
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

export const documents = table({
  name: 'svc_ai_document',
  noun: 'document',
  row: DocumentRow,
  blobs: ['blob_id'],
  data,
})

export const chunks = table({ name: 'svc_ai_chunk', noun: 'chunk', row: ChunkRow, data })

/** The inverted index: searched in memory, rebuilt from these rows. */
export const blocks = table({
  name: 'svc_ai_block',
  noun: 'index block',
  row: BlockRow,
  data: { ...data, caches: ['svc-ai index in memory'] },
})

/** Vectors of chunks: searched in memory, rebuilt from these rows. */
export const vectors = table({
  name: 'svc_ai_vector',
  noun: 'vectors',
  row: VectorRow,
  data: { ...data, caches: ['svc-ai vectors in memory'] },
})
