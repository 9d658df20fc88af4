import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schema.ts'

const Kind = oneOf('full', 'tenant')
const Status = oneOf('queued', 'running', 'completed', 'failed', 'expired')
const count = nullable(Type.Integer({ minimum: 0 }))

export const BackupFilter = strictObject({
  id: Type.Optional(Uuid),
  status: Type.Optional(Status),
  kind: Type.Optional(Kind),
})
export type BackupFilter = Static<typeof BackupFilter>

export const Backup = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  kind: Kind,
  target: oneOf('local'),
  status: Status,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  size_bytes: count,
  sha256: nullable(Type.String({ description: 'Of the file.' })),
  schema_version: nullable(Type.String()),
  tables: count,
  rows: count,
  audit_heads: nullable(
    Type.Array(strictObject({ tenant_id: Uuid, size: Type.Integer({ minimum: 1 }), hash: Type.String() })),
  ),
  encrypted: Type.Literal(true),
  failure: nullable(Type.String({ description: 'Why it was not made, or which check it failed.' })),
  verified_at: nullable(Timestamp),
  created_by: nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Backup = Static<typeof Backup>

export const NewBackup = strictObject({
  kind: Kind,
  target: Type.Optional(oneOf('local')),
  verify: Type.Optional(Type.Boolean()),
})
export type NewBackup = Static<typeof NewBackup>

export const RestoreBackup = strictObject({ mode: Type.Optional(oneOf('verify')) })
export type RestoreBackup = Static<typeof RestoreBackup>

export const RestoreJob = strictObject({
  id: Uuid,
  backup_id: Uuid,
  mode: oneOf('verify'),
  status: oneOf('queued'),
})
export type RestoreJob = Static<typeof RestoreJob>
