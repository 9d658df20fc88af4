import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { RequestFilter } from '../schemas/request.ts'
import { exportFormats, exportStatuses } from './formats/schema.ts'

const Sha256 = Type.String({ maxLength: 64 })

/** One export of the log. */
export const ExportRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  user_id: Uuid,
  format: oneOf(...exportFormats),
  gzip: Type.Boolean(),
  include_payload: Type.Boolean(),
  filter: RequestFilter,
  status: oneOf(...exportStatuses),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  row_count: nullable(Type.Integer({ minimum: 0 })),
  bytes: nullable(Type.Integer({ minimum: 0 })),
  sha256: nullable(Sha256),
  blob_id: nullable(Uuid),
  failure: nullable(Type.String({ maxLength: 300 })),
  snapshot_at: Timestamp,
  expires_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ExportRow = Static<typeof ExportRow>

export const requestExports = table({
  name: 'gateway_request_export',
  row: ExportRow,
  dueBy: ['status', 'blob_id', 'expires_at', 'updated_at'],
  blobs: ['blob_id'],
  noun: 'export',
  data: {
    category: 'model_call_content',
    subject: ['user_id'],
    retention: 'P37D',
    erasure: 'crypto_shred',
    isCopy: true,
  },
})
