import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'

const age = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description}; null for none` }))

const Backups = strictObject({
  newest_seconds: age('Seconds since the newest complete backup was begun'),
  newest_verified_seconds: age('Seconds since the newest backup that was proven by a restore was begun'),
  verified_interval_seconds: age('Seconds between the newest proven backup and the proven one before it'),
  failed_last_30_days: Type.Integer({ minimum: 0 }),
})

const none = {
  newest_seconds: null,
  newest_verified_seconds: null,
  verified_interval_seconds: null,
  failed_last_30_days: 0,
}

export const backupsFact = defineFact({
  name: 'admin.backups',
  description:
    'Age of the backups that belong to the tenant: its own, and for the tenant that operates the installation those of the whole.',
  permission: 'admin:read',
  schema: Backups,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof Backups>>`
      select min(age) filter (where status = 'completed') as newest_seconds,
        min(age) filter (where is_proven) as newest_verified_seconds,
        min(age) filter (where is_proven and place = 2) - min(age) filter (where is_proven) as verified_interval_seconds,
        count(*) filter (where status = 'failed' and age < 30 * 86400)::int as failed_last_30_days
      from (
        select status, is_proven, age, row_number() over (partition by is_proven order by age) as place from (
          select status, status = 'completed' and verified_at is not null as is_proven,
            greatest(0, extract(epoch from ${at}::timestamptz - created_at))::int as age
          from admin_backup) known) made`)) ?? none,
})
