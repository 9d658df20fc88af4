import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const scanKinds = ['inline', 'file', 'postgres', 's3', 'platform', 'gateway_sample'] as const
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Value = Type.String({ maxLength: 20_000 })
const Share = Type.Number({ minimum: 0, maximum: 1 })

const Finding = strictObject({
  dataset: Type.String({ maxLength: 4000 }),
  field: nullable(Type.String({ maxLength: 2000 })),
  category: Type.String({ maxLength: 60 }),
  verdict: oneOf('is', 'contains', 'none_seen'),
  hits: Type.Integer({ minimum: 0 }),
  n: Type.Integer({ minimum: 0 }),
  wilson: Type.Array(Share, { minItems: 2, maxItems: 2 }),
  confidence: Share,
  examples_masked: Type.Array(Type.String({ maxLength: 80 })),
})
export type Finding = Static<typeof Finding>
const Read = strictObject({
  dataset: Type.String({ maxLength: 4000 }),
  field: nullable(Type.String({ maxLength: 2000 })),
  n: Type.Integer({ minimum: 0 }),
  population: Type.Integer({ minimum: 0 }),
  undetected_prevalence_max: Share,
  unread: Type.Integer({ minimum: 0, description: 'Texts that could not be read to their end' }),
})
export type Read = Static<typeof Read>

const fields = {
  source: strictObject({ kind: oneOf(...scanKinds), ref: Type.String({ maxLength: 1000 }) }),
  sampling: strictObject({
    n: Type.Integer({ minimum: 1 }),
    seed: Type.Integer({ minimum: 0 }),
    target_prevalence: Share,
    confidence: Share,
  }),
  status: oneOf('queued', 'running', 'completed', 'failed'),
  rows_read: Type.Integer({ minimum: 0 }),
  characters: Type.Integer({ minimum: 0 }),
  findings: Type.Array(Finding),
  reads: Type.Array(Read),
  errors: Type.Array(Type.String({ maxLength: 1000, description: 'Code and text, for instance `DGOV-001: …`' })),
  completed_at: nullable(Timestamp),
}
export const Scan = resource(fields)
export type Scan = Static<typeof Scan>

const Connection = strictObject({
  host: Name,
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  database: Name,
  user: Name,
  secret: Type.String({
    minLength: 1,
    maxLength: 300,
    description: '`env://NAME`, `file://name` or `vault://path#field`',
  }),
  tables: Type.Array(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*)?$', maxLength: 130 }),
    {
      minItems: 1,
      maxItems: 50,
    },
  ),
})
const Bucket = strictObject({
  address: Type.String({
    pattern: '^https?://',
    maxLength: 1000,
    description: '`https://<endpoint>/<bucket>/<prefix>`',
  }),
  region: Name,
  secret: Type.String({ minLength: 1, maxLength: 300 }),
  object: Type.String({ minLength: 1, maxLength: 1000 }),
})

export const ScanRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  created_by: nullable(Uuid),
  auto_confirm: Share,
  connection: nullable(
    Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'Of a source that a job reads' }),
  ),
})
export type ScanRow = Static<typeof ScanRow>

export const NewScan = strictObject({
  source: strictObject({
    kind: oneOf(...scanKinds),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Of the dataset; default from the source' }),
    ),
    namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    columns: Type.Optional(
      Type.Array(strictObject({ name: Name, values: Type.Array(Value, { maxItems: 100_000 }) }), { maxItems: 1000 }),
    ),
    texts: Type.Optional(Type.Array(Type.String({ maxLength: 5_000_000 }), { maxItems: 1000 })),
    file: Type.Optional(
      strictObject({
        name: Type.String({ minLength: 1, maxLength: 255 }),
        content: Type.String({ minLength: 1, maxLength: 27_962_028, description: 'Base64, at most 20 MiB of content' }),
      }),
    ),
    postgres: Type.Optional(Connection),
    s3: Type.Optional(Bucket),
    table: Type.Optional(
      Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 63, description: 'Of the platform itself' }),
    ),
  }),
  sampling: Type.Optional(
    strictObject({
      target_prevalence: Type.Optional(Type.Number({ minimum: 0.0001, maximum: 0.5 })),
      confidence: Type.Optional(Type.Number({ minimum: 0.5, maximum: 0.999 })),
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
    }),
  ),
  auto_confirm: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Confidence from which a label is confirmed; default 0.95' }),
  ),
})
export type NewScan = Static<typeof NewScan>
