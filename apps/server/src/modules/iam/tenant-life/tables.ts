import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Manifest } from './schema.ts'

export const tenantExports = table({
  name: 'iam_tenant_export',
  noun: 'tenant export',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    include: Type.Array(Type.String()),
    status: oneOf('queued', 'running', 'completed', 'failed'),
    progress: Type.Number(),
    failure: nullable(Type.String()),
    manifest: nullable(Manifest),
    manifest_sha256: nullable(Type.String()),
    signature_kid: nullable(Type.String()),
    signature: nullable(Type.String()),
    expires_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: {
    category: 'operation',
    subject: ['user_id'],
    retention: 'P7D',
    erasure: 'keep_pseudonymous',
    isCopy: true,
  },
})
export type ExportRow = NonNullable<Awaited<ReturnType<typeof tenantExports.get>>>

/** A page of a table as lines of JSON, compressed and encrypted under the tenant's key. */
export const tenantExportParts = table({
  name: 'iam_tenant_export_part',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    export_id: Uuid,
    table_name: Type.String(),
    seq: Type.Integer(),
    sealed: Type.Unsafe<Uint8Array>(Type.Unknown()),
  }),
  data: { category: 'operation', subject: [], retention: 'P7D', erasure: 'none', isCopy: true },
})

export const tenantLifeTables = [tenantExports, tenantExportParts] as const
