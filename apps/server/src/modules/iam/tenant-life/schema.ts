import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { QuotasPatch } from '../schemas/quotas.ts'
import { SettingsPatch } from '../schemas/tenants.ts'

export const PatchTenant = strictObject({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  settings: Type.Optional(SettingsPatch),
  quotas: Type.Optional(QuotasPatch),
  status: Type.Optional(oneOf('active', 'suspended')),
  status_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  end_all_sessions: Type.Optional(Type.Boolean({ description: 'Signs everybody of the tenant out' })),
})
export type PatchTenant = Static<typeof PatchTenant>

export const DeleteTenant = strictObject({
  confirm_slug: Type.Optional(Slug),
  grace_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 90, description: 'Default 30' })),
})
export type DeleteTenant = Static<typeof DeleteTenant>

export const ScheduledDeletion = strictObject({
  id: Uuid,
  deleted: Type.Literal(false),
  status: Type.Literal('pending_deletion'),
  deletion_scheduled_for: Timestamp,
})

const TableName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', maxLength: 63 })

export const CreateTenantExport = strictObject({
  include: Type.Optional(
    Type.Array(TableName, { minItems: 1, maxItems: 200, uniqueItems: true, description: 'Tables; default all' }),
  ),
})
export type CreateTenantExport = Static<typeof CreateTenantExport>

export const Manifest = strictObject({
  format: Type.Literal('parapet-tenant-export/1'),
  tenant_id: Uuid,
  export_id: Uuid,
  created_at: Timestamp,
  completed_at: Timestamp,
  tables: Type.Array(
    strictObject({
      name: Type.String(),
      rows: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      left_out: Type.Array(Type.String(), { description: 'Columns that hold secrets' }),
    }),
  ),
})
export type Manifest = Static<typeof Manifest>

export const TenantExport = resource({
  user_id: Uuid,
  include: Type.Array(Type.String()),
  status: oneOf('queued', 'running', 'completed', 'failed'),
  progress: Type.Number(),
  failure: nullable(Type.String()),
  manifest: nullable(Manifest),
  manifest_sha256: nullable(Type.String({ description: 'Of the manifest as canonical JSON (RFC 8785)' })),
  signature_kid: nullable(Type.String({ description: 'Checkpoint key' })),
  signature: nullable(
    Type.String({ description: 'Ed25519 over `parapet/tenant-export`, a line feed and the digest, base64url' }),
  ),
  expires_at: nullable(Timestamp),
})
export type TenantExport = Static<typeof TenantExport>

export const ContentQuery = strictObject({ table: Type.Optional(TableName) })
