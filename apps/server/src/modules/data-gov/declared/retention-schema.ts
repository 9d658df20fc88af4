import Type, { type Static } from 'typebox'
import { includeOf } from '../../../kernel/schema/include.ts'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Aliases } from './consent-schema.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Duration = Type.String({ pattern: '^P(?=\\d)(\\d{1,4}Y)?(\\d{1,4}M)?(\\d{1,4}W)?(\\d{1,5}D)?$', maxLength: 30 })
const Category = Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z][a-z0-9_]*$' })
const Categories = Type.Array(Category, { maxItems: 50 })
const Count = Type.Integer({ minimum: 0 })

export const policyKinds = ['schedule', 'legal_hold'] as const
export const policyStatuses = ['active', 'superseded', 'retired', 'released'] as const
const PolicyMethod = oneOf('delete', 'review')

const policyFields = {
  kind: oneOf(...policyKinds),
  name: Name,
  edition: Type.Integer({ minimum: 1 }),
  supersedes: nullable(Uuid),
  categories: Categories,
  /** Of a hold on people: how many identifiers; they stand in the hold alone. */
  subjects: Count,
  matter: nullable(Name),
  minimum: nullable(Duration),
  maximum: nullable(Duration),
  method: nullable(PolicyMethod),
  ground: Type.String({ minLength: 1, maxLength: 500 }),
  status: oneOf(...policyStatuses),
  effective_from: Timestamp,
  ended_at: nullable(Timestamp),
  reason: nullable(Type.String({ maxLength: 500 })),
  last_run_at: nullable(Timestamp),
  next_run_at: nullable(Timestamp),
  created_by: nullable(Uuid),
}
export const PolicyRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...policyFields,
  hold_id: nullable(Uuid),
})
export type PolicyRow = Static<typeof PolicyRow>

const TableCount = strictObject({ table: Type.String({ maxLength: 63 }), category: Category, rows: Count })
export type TableCount = Static<typeof TableCount>
const DataCategory = strictObject({
  category: Category,
  tables: Type.Array(
    strictObject({
      table: Type.String(),
      retention: Type.String(),
      minimum: nullable(Type.String()),
      erasure: Type.String(),
    }),
  ),
})
export type DataCategory = Static<typeof DataCategory>

export const Policy = resource({
  ...policyFields,
  affected: Type.Optional(Type.Array(TableCount, { description: 'Rows past the maximum now' })),
})
export type Policy = Static<typeof Policy>

export const NewPolicy = strictObject({
  kind: oneOf(...policyKinds),
  name: Type.Optional(Name),
  categories: Type.Optional(Categories),
  subject: Type.Optional(strictObject({ aliases: Aliases })),
  matter: Type.Optional(Name),
  minimum: Type.Optional(Duration),
  maximum: Type.Optional(Duration),
  method: Type.Optional(PolicyMethod),
  ground: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  supersedes: Type.Optional(Uuid),
  status: Type.Optional(oneOf('retired', 'released')),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  dry_run: Type.Optional(Type.Boolean()),
})
export type NewPolicy = Static<typeof NewPolicy>

export const PolicyFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  kind: Type.Optional(oneOf(...policyKinds)),
  status: Type.Optional(oneOf(...policyStatuses)),
  category: Type.Optional(Category),
  matter: Type.Optional(Name),
  include: Type.Optional(includeOf('registry', 'affected')),
})
export type PolicyFilter = Static<typeof PolicyFilter>

export const requestTypes = ['access', 'portability', 'rectification', 'erasure', 'restriction', 'objection'] as const
export type RequestType = (typeof requestTypes)[number]
export const runKinds = ['policy', 'subject_request'] as const
export const runStatuses = [
  'identity_pending',
  'in_progress',
  'awaiting_approval',
  'fulfilling',
  'completed',
  'partial',
  'refused',
  'withdrawn',
  'failed',
] as const
export type RunStatus = (typeof runStatuses)[number]

const Kept = strictObject({ ground: Type.String({ maxLength: 300 }), rows: Count })
export const PlanLine = strictObject({
  table: Type.String({ maxLength: 63 }),
  category: Category,
  matched: Count,
  to_erase: Count,
  to_keep: Type.Array(Kept),
})
export type PlanLine = Static<typeof PlanLine>
const ResultLine = strictObject({ table: Type.String({ maxLength: 63 }), rows: Count })
export type ResultLine = Static<typeof ResultLine>
const Residue = strictObject({
  place: Type.String({ maxLength: 100 }),
  rows: Count,
  ground: nullable(Type.String({ maxLength: 300 })),
})
export type Residue = Static<typeof Residue>
export const Verification = strictObject({
  method: Type.String({ maxLength: 300 }),
  tables: Count,
  rows: Count,
  sealed_values: Count,
  blobs: Count,
  blob_bytes: Count,
  residue: Type.Array(Residue),
})
export type Verification = Static<typeof Verification>

const runFields = {
  kind: oneOf(...runKinds),
  request_type: nullable(oneOf(...requestTypes)),
  dry_run: Type.Boolean(),
  policy_ids: Type.Array(Uuid),
  subject_id: nullable(Uuid),
  aliases_masked: Type.Array(Type.String({ maxLength: 100 })),
  jurisdiction: nullable(Type.String({ maxLength: 20 })),
  identity: nullable(strictObject({ method: Name, verified_at: Timestamp, verified_by: Uuid })),
  received_at: Timestamp,
  due_at: Timestamp,
  extended: Type.Boolean(),
  status: oneOf(...runStatuses),
  plan: Type.Array(PlanLine),
  results: Type.Array(ResultLine),
  verification: nullable(Verification),
  certificate: nullable(Type.String({ description: 'Compact JWS (EdDSA) over the statement of the erasure' })),
  export_expires_at: nullable(Timestamp),
  reason: nullable(Type.String({ maxLength: 500 })),
  requested_by: nullable(Uuid),
  approved_by: nullable(Uuid),
  completed_at: nullable(Timestamp),
}
export const RunRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...runFields,
  /** Identifiers of the person and corrections, as JSON, until the request has ended. */
  sealed_aliases: nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' })),
  export_id: nullable(Uuid),
})
export type RunRow = Static<typeof RunRow>
export const Run = resource(runFields)
export type Run = Static<typeof Run>

const Correction = strictObject({
  from: Type.String({ minLength: 2, maxLength: 200, pattern: '\\S' }),
  to: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
})
export type Correction = Static<typeof Correction>

export const runActions = ['verify_identity', 'approve', 'extend', 'refuse', 'resume', 'withdraw'] as const
export const NewRun = strictObject({
  kind: Type.Optional(oneOf(...runKinds)),
  policy_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 50 })),
  dry_run: Type.Optional(Type.Boolean()),
  dry_run_id: Type.Optional(Uuid),
  request_type: Type.Optional(oneOf(...requestTypes)),
  subject: Type.Optional(strictObject({ aliases: Aliases })),
  corrections: Type.Optional(
    Type.Array(Correction, {
      minItems: 1,
      maxItems: 20,
      description: 'Of a rectification: texts and their corrections',
    }),
  ),
  jurisdiction: Type.Optional(Type.String({ minLength: 2, maxLength: 20 })),
  run_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'With `action`: the request or run' }),
  ),
  action: Type.Optional(oneOf(...runActions)),
  identity: Type.Optional(strictObject({ method: Name })),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
})
export type NewRun = Static<typeof NewRun>

export const RunFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the reason' })),
  id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...runKinds)),
  request_type: Type.Optional(oneOf(...requestTypes)),
  status: Type.Optional(oneOf(...runStatuses)),
  policy_id: Type.Optional(Uuid),
  subject: Type.Optional(Type.String({ minLength: 3, maxLength: 254, description: 'An identifier of the person' })),
  due_before: Type.Optional(Timestamp),
  overdue: Type.Optional(Type.Boolean()),
})
export type RunFilter = Static<typeof RunFilter>

export const ErasureRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  run_id: Uuid,
  subject_id: nullable(Uuid),
  /** Keyed hashes of the identifiers that were erased. */
  hashes: Type.Array(Type.String()),
  /** Lengths of these identifiers, each once. */
  lengths: Type.Array(Type.Integer()),
  user_ids: Type.Array(Uuid),
  certificate_sha256: nullable(Type.String()),
  replayed_at: nullable(Timestamp),
})
export type ErasureRow = Static<typeof ErasureRow>
