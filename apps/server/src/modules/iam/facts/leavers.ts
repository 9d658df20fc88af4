import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Leaver = strictObject({
  id: Uuid,
  left_at: { ...Timestamp, description: 'When the directory took the person out, or the account last changed' },
  disabled: Type.Boolean({ description: 'The account is not active' }),
  live_sessions: Type.Integer({ minimum: 0 }),
  live_keys: Type.Integer({ minimum: 0 }),
})

const left = sql`u.type = 'human' and (u.status = 'deactivated' or gone.removed_at is not null)`

export const leaversFact = defineFact({
  name: 'iam.leavers',
  description:
    'People whose accounts were deactivated or removed by the directory, and the access that they still have.',
  permission: 'iam:read',
  schema: populationOf(Leaver),
  read: ({ tx, at }) =>
    readPopulation(tx, {
      count: sql`
        select ((select count(*) from iam_user where type = 'human' and status = 'deactivated')
          + (select count(*) from iam_scim_user gone join iam_user u on u.id = gone.id
              where gone.removed_at is not null and u.type = 'human' and u.status <> 'deactivated'))::int as total`,
      items: sql<Static<typeof Leaver> & { recount: number }>`
        select u.id, coalesce(gone.removed_at, u.updated_at) as left_at, u.status <> 'active' as disabled,
          (select count(*) from iam_session s where s.tenant_id = u.tenant_id and s.user_id = u.id
            and s.status = 'active' and s.expires_at > ${at})::int as live_sessions,
          (select count(*) from iam_api_key k where k.tenant_id = u.tenant_id and k.owner_id = u.id
            and k.revoked_at is null and k.expires_at > ${at})::int as live_keys,
          count(*) over ()::int as recount
        from iam_user u left join iam_scim_user gone on gone.tenant_id = u.tenant_id and gone.id = u.id
        where ${left} order by u.id limit ${mostItems}`,
    }),
})
