import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/http/schema.ts'

const backup = { backup_id: Uuid, kind: oneOf('full', 'tenant') }

export const backupCompleted = defineEvent({
  channel: 'admin.backup.completed',
  type: 'BackupCompleted',
  summary: 'A backup is there.',
  schema: strictObject({ ...backup, size_bytes: Type.Integer({ minimum: 0 }), sha256: Type.String({ maxLength: 64 }) }),
})

export const backupFailed = defineEvent({
  channel: 'admin.backup.failed',
  type: 'BackupFailed',
  summary: 'A backup could not be made, or it failed its verification.',
  schema: strictObject({ ...backup, failure: Type.String({ maxLength: 500 }) }),
})

export const restoreCompleted = defineEvent({
  channel: 'admin.restore.completed',
  type: 'RestoreCompleted',
  summary: 'A backup was restored into a database of its own, and everything was there.',
  schema: strictObject({ ...backup, mode: oneOf('verify'), duration_ms: Type.Integer({ minimum: 0 }) }),
})

export const backupEvents = [backupCompleted, backupFailed, restoreCompleted]
