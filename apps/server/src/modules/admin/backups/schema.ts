import Type, { type Static } from 'typebox'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Kind = oneOf('full', 'tenant')
const Target = oneOf('local', 's3')
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
  target: Target,
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
  target: Type.Optional(Target),
  verify: Type.Optional(Type.Boolean()),
})
export type NewBackup = Static<typeof NewBackup>

const Mode = oneOf('verify', 'replace', 'as_new_tenant')

export const RestoreBackup = strictObject({
  mode: Type.Optional(Mode),
  confirm: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'For `replace`: the word and the backup, `replace 0195f0c4-…`.',
    }),
  ),
  tenant_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'For `as_new_tenant`: whose rows, of a full backup.' }),
  ),
  slug: Type.Optional(Slug),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type RestoreBackup = Static<typeof RestoreBackup>

export const RestoreJob = strictObject({
  id: Uuid,
  backup_id: Uuid,
  mode: Mode,
  status: oneOf('queued'),
  tenant_id: nullable(
    Type.String({ format: 'uuid', maxLength: 36, description: 'The tenant that is made by `as_new_tenant`.' }),
  ),
})
export type RestoreJob = Static<typeof RestoreJob>
