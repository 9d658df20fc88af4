import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

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

export const backupMissed = defineEvent({
  channel: 'admin.backup.missed',
  type: 'BackupMissed',
  summary: 'A backup of the schedule is not there: it failed, or nothing was running when it was due.',
  schema: strictObject({
    every_hours: Type.Integer({ minimum: 1 }),
    last_at: nullable(Timestamp),
  }),
})

export const restoreCompleted = defineEvent({
  channel: 'admin.restore.completed',
  type: 'RestoreCompleted',
  summary:
    'A backup was restored, to prove it, in the place of everything or as a new tenant, and everything was there.',
  schema: strictObject({
    ...backup,
    mode: oneOf('verify', 'replace', 'as_new_tenant'),
    duration_ms: Type.Integer({ minimum: 0 }),
  }),
})

export const backupEvents = [backupCompleted, backupFailed, backupMissed, restoreCompleted]
