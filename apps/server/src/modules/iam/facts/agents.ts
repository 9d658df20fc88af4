import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { lastUse } from '../dormancy/last-use.ts'
import { userStatuses } from '../schemas/user-states.ts'
import { mostListed } from './accounts.ts'

const Agent = strictObject({
  id: Uuid,
  name: nullable(Type.String({ maxLength: 254 })),
  status: oneOf(...userStatuses),
  created_at: Timestamp,
  last_used_at: Timestamp,
  keys: Type.Integer({ minimum: 0, description: 'API keys that work' }),
})

export const agentsFact = defineFact({
  name: 'iam.agents',
  description: 'Service accounts, which act with keys of their own, the newest first.',
  permission: 'iam:read',
  schema: strictObject({ total: Type.Integer({ minimum: 0 }), agents: Type.Array(Agent, { maxItems: mostListed }) }),
  read: async ({ tx, at }) => {
    const rows = await tx.query(serviceAccounts(at))
    return { total: rows[0]?.total ?? 0, agents: rows.map(({ total: _total, ...agent }) => agent) }
  },
})

const serviceAccounts = (at: string) => sql<Static<typeof Agent> & { readonly total: number }>`
  select u.id, u.display_name as name, u.status, u.created_at, ${lastUse} as last_used_at,
    (select count(*)::int from iam_api_key k
      where k.tenant_id = u.tenant_id and k.owner_id = u.id and k.revoked_at is null and k.expires_at > ${at}) as keys,
    count(*) over ()::int as total
  from iam_user u
  where u.type = 'service' and u.status <> 'erased'
  order by u.created_at desc, u.id desc
  limit ${mostListed}`
