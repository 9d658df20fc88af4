import Type from 'typebox'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'

export const backupSchedule = defineSetting({
  key: 'backups.schedule',
  schema: nullable(strictObject({ every_hours: Type.Integer({ minimum: 1, maximum: 720 }), verify: Type.Boolean() })),
  default: null,
  scope: 'platform',
  description:
    'A backup of the installation every so many hours, and with `verify` its proof by a restore; null for none. On the ' +
    'embedded database everybody waits while one is made.',
  dangerous: true,
})

export const backupRetention = defineSetting({
  key: 'backups.retention',
  schema: strictObject({
    keep_last: nullable(Type.Integer({ minimum: 1, maximum: 1_000 })),
    keep_days: nullable(Type.Integer({ minimum: 1, maximum: 3_650 })),
  }),
  default: { keep_last: null, keep_days: null },
  scope: 'platform',
  description:
    'Backups that are kept, of the installation and of each tenant: the last so many, and those of the last so many ' +
    'days. A backup that neither keeps expires and its file is removed, never the newest that was proven; null for both keeps all.',
  dangerous: true,
})

export const backupBucket = defineSetting({
  key: 'backups.s3',
  schema: nullable(
    strictObject({
      endpoint: Type.String({ pattern: '^https?://[^/?#@]{1,200}/?$', maxLength: 220 }),
      region: Type.String({ pattern: '^[a-z0-9-]{1,50}$', maxLength: 50 }),
      bucket: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$', maxLength: 63 }),
      prefix: Type.String({ pattern: '^(?:[A-Za-z0-9_-]{1,60}/){0,5}$', maxLength: 310 }),
    }),
  ),
  default: null,
  scope: 'platform',
  description:
    'A bucket that speaks S3, for backups with the target s3 and those of the schedule; null for none. It is called ' +
    'by its path. The network guard judges the address as it does that of a provider.',
  dangerous: true,
})

export const backupBucketKey = defineSetting({
  key: 'backups.s3_key',
  schema: nullable(
    Type.String({
      pattern: '^[A-Za-z0-9]{3,128}:[A-Za-z0-9/+=]{8,128}(?::[A-Za-z0-9/+=_-]{16,4000})?$',
      maxLength: 4300,
    }),
  ),
  default: null,
  scope: 'platform',
  description: 'The key of that bucket: `id:secret`, or `id:secret:session token`.',
  secret: true,
  dangerous: true,
})
