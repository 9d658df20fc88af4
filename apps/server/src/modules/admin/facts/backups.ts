import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'

const age = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description}; null for none` }))

const Backups = strictObject({
  newest_seconds: age('Seconds since the newest complete backup was begun'),
  newest_verified_seconds: age('Seconds since the newest backup that was proven by a restore was begun'),
  failed_last_30_days: Type.Integer({ minimum: 0 }),
})

const none = { newest_seconds: null, newest_verified_seconds: null, failed_last_30_days: 0 }

export const backupsFact = defineFact({
  name: 'admin.backups',
  description:
    'Age of the backups that belong to the tenant: its own, and for the tenant that operates the installation those of the whole.',
  permission: 'admin:read',
  schema: Backups,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof Backups>>`
      select min(age) filter (where status = 'completed') as newest_seconds,
        min(age) filter (where status = 'completed' and verified_at is not null) as newest_verified_seconds,
        count(*) filter (where status = 'failed' and age < 30 * 86400)::int as failed_last_30_days
      from (
        select status, verified_at, greatest(0, extract(epoch from ${at}::timestamptz - created_at))::int as age
        from admin_backup) made`)) ?? none,
})
