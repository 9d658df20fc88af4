import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { logFormats } from '../formats/formats.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const IngestionRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
  format: oneOf(...logFormats),
  source: nullable(Type.String({ maxLength: 64 })),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
  bytes: Count,
  lines_total: Count,
  lines_parsed: Count,
  lines_failed: Count,
  failed_samples: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 5 }),
  matched: Count,
  services_new: Count,
  period_from: nullable(Timestamp),
  period_to: nullable(Timestamp),
  attributed_ratio: nullable(Type.Number({ minimum: 0, maximum: 1 })),
})
export type IngestionRow = Static<typeof IngestionRow>

const { version: _version, period_from: _from, period_to: _to, ...shown } = IngestionRow.properties

export const Ingestion = strictObject({
  ...shown,
  period: nullable(strictObject({ from: Timestamp, to: Timestamp })),
  status: oneOf('completed'),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
})
export type Ingestion = Static<typeof Ingestion>

export const IngestionQuery = strictObject({
  format: Type.Optional(
    Type.Unsafe<(typeof logFormats)[number]>({ ...oneOf(...logFormats), description: 'Default: squid' }),
  ),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Where the log comes from' })),
  tz: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA time zone of times that have none: needed for csv and jsonl without offsets, UTC for w3c',
    }),
  ),
  columns: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'csv and jsonl: `time:Timestamp,url:URL,user:User` with the roles time, url, host, path, user, client, bytes_up, bytes_down. vpc_flow: the order of the fields',
    }),
  ),
})
export type IngestionQuery = Static<typeof IngestionQuery>
