import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { classes } from '../chunking/scan-words.ts'
import { languages } from '../retrieval/tokenize.ts'

export const sourceKinds = ['file', 'url', 'text', 'platform'] as const
export const sourceStatuses = ['queued', 'fetching', 'indexing', 'ready', 'failed'] as const
export const visibilities = ['tenant', 'roles', 'users'] as const

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
const Count = Type.Integer({ minimum: 0 })
const FactName = Type.String({ pattern: '^[a-z][a-z_]*\\.[a-z][a-z0-9_]{0,59}$', maxLength: 120 })
const RoleName = Type.String({ minLength: 1, maxLength: 100 })
const Cron = Type.String({ minLength: 1, maxLength: 100, description: 'Five fields, in the time zone of the tenant' })

const Acl = strictObject({
  visibility: oneOf(...visibilities),
  role_names: Type.Array(RoleName, { maxItems: 50 }),
  user_ids: Type.Array(Uuid, { maxItems: 200 }),
})

const Config = strictObject({
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  facts: Type.Optional(Type.Array(FactName, { maxItems: 50 })),
})

const fields = {
  name: Name,
  kind: oneOf(...sourceKinds),
  config: Config,
  classification: oneOf(...classes),
  language: oneOf('auto', ...languages),
  refresh_cron: nullable(Cron),
  status: oneOf(...sourceStatuses),
  documents: Count,
  chunks: Count,
  quarantined_chunks: Count,
  characters: Count,
  embedding_model: nullable(
    Type.String({
      maxLength: 400,
      description: 'Provider and model of its vectors; null: it is searched by its words',
    }),
  ),
  embedded_chunks: Count,
  embedding_error: nullable(Type.String({ maxLength: 500, description: 'Why there are no vectors of a bound model' })),
  last_sync_at: nullable(Timestamp),
  error: nullable(Type.String({ maxLength: 500, description: 'Of the last attempt, where it failed' })),
  created_by: nullable(Uuid),
}

export const SourceRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  visibility: oneOf(...visibilities),
  role_names: Type.Array(RoleName),
  user_ids: Type.Array(Uuid),
  /** Of the facts that a platform source shows: whoever reads it needs all of them. */
  permissions: Type.Array(Type.String({ maxLength: 40 })),
  declared_class: oneOf(...classes),
  /** 0 before it was indexed once; names what instances keep in memory of it. */
  index_version: Type.Integer({ minimum: 0 }),
  /** SHA-256 over what was indexed last. */
  content_sha256: nullable(Type.String({ maxLength: 64 })),
  /** Names the vectors that are searched. */
  vector_generation: nullable(Uuid),
})
export type SourceRow = Static<typeof SourceRow>

export const Source = resource({ ...fields, acl: Acl })
export type Source = Static<typeof Source>

export const SourceFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...sourceKinds)),
  status: Type.Optional(oneOf(...sourceStatuses)),
})
export type SourceFilter = Static<typeof SourceFilter>

/** Characters of base64 for 20 MiB. */
const mostBase64 = 27_962_028

export const NewSource = strictObject({
  name: Name,
  kind: oneOf(...sourceKinds),
  resync: Type.Optional(
    Type.Boolean({ description: 'Indexes the source of this name again, with new content where some is sent' }),
  ),
  files: Type.Optional(
    Type.Array(
      strictObject({
        name: Type.String({ minLength: 1, maxLength: 255 }),
        content: Type.String({ minLength: 1, maxLength: mostBase64, description: 'Base64' }),
      }),
      { minItems: 1, maxItems: 20, description: 'Of kind `file`; 20 MiB together' },
    ),
  ),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000_000, description: 'Of kind `text`; Markdown' })),
  url: Type.Optional(
    Type.String({ pattern: '^https?://', maxLength: 2000, description: 'Of kind `url`: one page or file' }),
  ),
  facts: Type.Optional(
    Type.Array(FactName, {
      minItems: 1,
      maxItems: 50,
      description: 'Of kind `platform`: facts of other modules, as docs/reference/facts.md lists them',
    }),
  ),
  acl: Type.Optional(
    strictObject({
      visibility: oneOf(...visibilities),
      role_names: Type.Optional(Type.Array(RoleName, { minItems: 1, maxItems: 50 })),
      user_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 200 })),
    }),
  ),
  classification: Type.Optional(
    Type.Unsafe<(typeof classes)[number]>({
      ...oneOf(...classes),
      description: 'At least; raised to the class of what is found in the content. Default `internal`',
    }),
  ),
  language: Type.Optional(oneOf('auto', ...languages)),
  refresh_cron: Type.Optional(Cron),
})
export type NewSource = Static<typeof NewSource>

export const DocumentRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, source_id: Uuid },
  position: Type.Integer({ minimum: 0 }),
  title: Type.String({ maxLength: 255 }),
  media_type: Type.String({ maxLength: 100 }),
  /** Of uploaded content; what is fetched or read is not kept. */
  blob_id: nullable(Uuid),
  /** Takes the place of the others at the next indexing. */
  pending: Type.Boolean(),
  characters: Count,
})
export type DocumentRow = Static<typeof DocumentRow>

export const ChunkRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, source_id: Uuid, document_id: Uuid },
  position: Type.Integer({ minimum: 0 }),
  start_at: Count,
  end_at: Count,
  page: nullable(Count),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  quarantined: Type.Boolean(),
  patterns: Type.Array(Type.String({ maxLength: 40 })),
  detector_version: Type.String({ maxLength: 64 }),
  /** Text and headings, as JSON under the tenant's key. */
  sealed: Type.Unsafe<Uint8Array>(Type.Any()),
})
export type ChunkRow = Static<typeof ChunkRow>

export const BlockRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, source_id: Uuid, document_id: Uuid },
  position: Type.Integer({ minimum: 0 }),
  language: oneOf(...languages),
  /** Postings, as JSON under the tenant's key. */
  sealed: Type.Unsafe<Uint8Array>(Type.Any()),
})
export type BlockRow = Static<typeof BlockRow>

export const VectorRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, source_id: Uuid },
  /** Vectors that were made together; the source names the one that is searched. */
  generation: Uuid,
  /** Vectors of some chunks, as JSON under the tenant's key. */
  sealed: Type.Unsafe<Uint8Array>(Type.Any()),
})
export type VectorRow = Static<typeof VectorRow>
