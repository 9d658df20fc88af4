import { Type } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const count = nullable(Type.Integer({ minimum: 0 }))

/**
 * Requested backups; their contents are files. A full backup belongs to the tenant of the operator who made it, and a
 * scheduled one to the first tenant. The schedule reads all of them, hence `system`.
 */
export const backups = table({
  name: 'admin_backup',
  outlivesRestore: true,
  system: true,
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    kind: oneOf('full', 'tenant'),
    target: oneOf('local', 's3'),
    status: oneOf('queued', 'running', 'completed', 'failed', 'expired'),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    size_bytes: count,
    sha256: nullable(Type.String()),
    schema_version: nullable(Type.String()),
    tables: count,
    rows: count,
    audit_heads: nullable(
      Type.Array(Type.Object({ tenant_id: Uuid, size: Type.Integer(), hash: Type.String() }), { jsonb: true }),
    ),
    failure: nullable(Type.String()),
    verified_at: nullable(Timestamp),
    created_by: nullable(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  sorts: ['created_at'],
  noun: 'backup',
  data: { category: 'operation', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
export type BackupRow = NonNullable<Awaited<ReturnType<typeof backups.get>>>
