import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { evidenceKinds } from '../scoring/words.ts'

export const evidenceStatuses = ['accepted', 'reviewed', 'expired', 'superseded'] as const
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const Title = Type.String({ minLength: 1, maxLength: 200 })
const Text = Type.String({ minLength: 1, maxLength: 4000 })
const Url = Type.String({ pattern: '^https?://', maxLength: 2000 })

const fields = {
  kind: oneOf(...evidenceKinds),
  title: Title,
  description: nullable(Type.String({ maxLength: 4000 })),
  status: oneOf(...evidenceStatuses),
  check_id: nullable(Type.String({ maxLength: 100 })),
  source_ref: nullable(Type.String({ maxLength: 500 })),
  url: nullable(Url),
  collected_at: Timestamp,
  valid_from: Timestamp,
  valid_until: Timestamp,
  period_start: nullable(Timestamp),
  period_end: nullable(Timestamp),
  versions: Type.Integer({ minimum: 1 }),
  sha256: Hash,
  created_by: nullable(Uuid),
  reviewed_by: nullable(Uuid),
  reviewed_at: nullable(Timestamp),
}

export const EvidenceRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  warned_days: nullable(Type.Integer()),
})
export type EvidenceRow = Static<typeof EvidenceRow>

/** Content that is hashed into the chain; its members never change their meaning. */
export const ChainRecord = strictObject({
  form: Type.String({ maxLength: 40 }),
  tenant_id: Uuid,
  seq: Type.Integer({ minimum: 1 }),
  evidence_id: Uuid,
  number: Type.Integer({ minimum: 1 }),
  kind: oneOf(...evidenceKinds),
  title: Title,
  check_id: nullable(Type.String({ maxLength: 100 })),
  source_ref: nullable(Type.String({ maxLength: 500 })),
  sha256: Hash,
  bytes: Type.Integer({ minimum: 0 }),
  media_type: Type.String({ maxLength: 100 }),
  file_name: nullable(Type.String({ maxLength: 255 })),
  scan: oneOf('not_scanned'),
  collected_at: Timestamp,
  valid_until: Timestamp,
  actor_id: nullable(Uuid),
})
export type ChainRecord = Static<typeof ChainRecord>

export const RecordRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  seq: Type.Integer({ minimum: 1 }),
  evidence_id: Uuid,
  number: Type.Integer({ minimum: 1 }),
  record: ChainRecord,
  /** Content that is text of our own making; files are blobs. */
  document: nullable(Type.String()),
  blob_id: nullable(Uuid),
  kid: Type.String({ maxLength: 64 }),
  /** Ed25519 over the 32 bytes of the hash, base64url. */
  signature: Type.String({ maxLength: 100 }),
  prev_hash: Hash,
  hash: Hash,
})
export type RecordRow = Static<typeof RecordRow>

export const ClaimRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  evidence_id: Uuid,
  control_id: Uuid,
  part: Type.Boolean(),
  note: nullable(Type.String({ maxLength: 1000 })),
})
export type ClaimRow = Static<typeof ClaimRow>

export const BreakRow = strictObject({ id: Uuid, tenant_id: Uuid, found_at: Timestamp, seq: Type.Integer() })

const Live = { freshness: Type.Number({ minimum: 0, maximum: 1 }), strength: Type.Number({ minimum: 0, maximum: 1 }) }
export const ListedEvidence = resource({ ...fields, ...Live })
export type ListedEvidence = Static<typeof ListedEvidence>

const EvidenceVersion = strictObject({
  number: Type.Integer({ minimum: 1 }),
  record: ChainRecord,
  prev_hash: Hash,
  hash: Hash,
  signature: Type.String({ maxLength: 100 }),
  kid: Type.String({ maxLength: 64 }),
})
const Proof = strictObject({
  tree_size: Type.Integer({ minimum: 1 }),
  leaf_index: Type.Integer({ minimum: 0 }),
  root_hash: Hash,
  path: Type.Array(Hash, { description: 'RFC 6962 audit path of the record’s hash' }),
  signed: Type.String({ maxLength: 300, description: 'The text that the signature covers' }),
  signature: Type.String({ maxLength: 100 }),
  kid: Type.String({ maxLength: 64 }),
  public_key: Type.String({ maxLength: 60, description: 'Ed25519, raw, base64url' }),
})
export const Evidence = resource({
  ...fields,
  ...Live,
  claims: Type.Array(strictObject({ control_id: Uuid, part: Type.Boolean(), note: nullable(Text) })),
  history: Type.Array(EvidenceVersion),
  run: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      ...{ type: 'object', additionalProperties: true, description: 'Of a check run: its document' },
    }),
  ),
  proof: Type.Optional(Proof),
  verified: Type.Optional(Type.Boolean({ description: 'With `verify`: the stored content has its digest' })),
})
export type Evidence = Static<typeof Evidence>

export const EvidenceFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  kind: Type.Optional(oneOf(...evidenceKinds)),
  status: Type.Optional(oneOf(...evidenceStatuses)),
  control_id: Type.Optional(Uuid),
  check_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  expires_before: Type.Optional(Timestamp),
  collected_after: Type.Optional(Timestamp),
  sha256: Type.Optional(Hash),
  latest: Type.Optional(Type.Boolean({ description: 'Of check runs only the newest of each check' })),
  verify: Type.Optional(Type.Boolean({ description: 'Verifies the chain; the verdict is in `meta`' })),
  from_seq: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1e15, description: 'Of a verification: where it begins' }),
  ),
})
export type EvidenceFilter = Static<typeof EvidenceFilter>

export const NewEvidence = strictObject({
  kind: oneOf(...evidenceKinds),
  title: Type.Optional(Title),
  description: Type.Optional(Text),
  check_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  evidence_id: Type.Optional(Type.String({ format: 'uuid', maxLength: 36, description: 'Adds a version to it' })),
  claims: Type.Optional(
    Type.Array(strictObject({ control_id: Uuid, part: Type.Optional(Type.Boolean()), note: Type.Optional(Text) }), {
      maxItems: 200,
    }),
  ),
  period_start: Type.Optional(Timestamp),
  period_end: Type.Optional(Timestamp),
  valid_until: Type.Optional(Timestamp),
  source_ref: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  attestation_text: Type.Optional(Text),
  url: Type.Optional(Url),
  file: Type.Optional(
    strictObject({
      name: Type.String({ minLength: 1, maxLength: 255 }),
      content: Type.String({ minLength: 1, maxLength: 27_962_028, description: 'Base64, at most 20 MiB of content' }),
    }),
  ),
  sha256: Type.Optional(Hash),
})
export type NewEvidence = Static<typeof NewEvidence>
