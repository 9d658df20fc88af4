import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { keptEnd } from '../api-keys/rules.ts'

const among = (description: string) => Type.Integer({ minimum: 0, description })

const ApiKeys = strictObject({
  total: among('API keys that work'),
  up_to_30_days: among('Made in the last 30 days'),
  up_to_90_days: among('Made 30 to 90 days ago'),
  up_to_365_days: among('Made 90 to 365 days ago'),
  older: among('Made more than 365 days ago'),
  without_expiry: among('Without an end'),
  unused_90_days: among('Unused for 90 days'),
})

const none = {
  ...{ total: 0, up_to_30_days: 0, up_to_90_days: 0, up_to_365_days: 0, older: 0 },
  ...{ without_expiry: 0, unused_90_days: 0 },
}

export const apiKeysFact = defineFact({
  name: 'iam.api_keys',
  description: 'API keys that work, by age.',
  permission: 'iam:read',
  schema: ApiKeys,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof ApiKeys>>`
      select count(*)::int as total,
        count(*) filter (where age <= interval '30 days')::int as up_to_30_days,
        count(*) filter (where age > interval '30 days' and age <= interval '90 days')::int as up_to_90_days,
        count(*) filter (where age > interval '90 days' and age <= interval '365 days')::int as up_to_365_days,
        count(*) filter (where age > interval '365 days')::int as older,
        count(*) filter (where endless)::int as without_expiry,
        count(*) filter (where idle > interval '90 days')::int as unused_90_days
      from (
        select ${at}::timestamptz - created_at as age, expires_at = ${keptEnd(null)} as endless,
          ${at}::timestamptz - coalesce(last_used_at, created_at) as idle
        from iam_api_key
        where revoked_at is null and expires_at > ${at}) working`)) ?? none,
})
