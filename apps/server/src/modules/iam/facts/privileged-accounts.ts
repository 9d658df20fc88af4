import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { breakGlass, lastUse } from '../dormancy/last-use.ts'
import { administeringRoles } from '../rights/administering-roles.ts'
import { hasFactor, isVouchedFor, mostListed } from './accounts.ts'

const Account = strictObject({
  user_id: Uuid,
  roles: Type.Array(Type.String({ maxLength: 100 }), { description: 'Those that administer' }),
  second_factor: Type.Boolean({ description: 'One here, or two seen by the identity provider' }),
  emergency: Type.Boolean({ description: 'Kept for emergencies, which is there to be unused' }),
  last_used_at: Timestamp,
})

export const privilegedAccountsFact = defineFact({
  name: 'iam.privileged_accounts',
  description: 'Active people whose roles administer any module, those unused for longest first.',
  permission: 'iam:read',
  schema: strictObject({
    total: Type.Integer({ minimum: 0 }),
    accounts: Type.Array(Account, { maxItems: mostListed }),
  }),
  read: async ({ tx }) => {
    const roles = [...(await administeringRoles(tx))]
    const rows = await tx.query(privileged(roles))
    return { total: rows[0]?.total ?? 0, accounts: rows.map(({ total: _total, ...account }) => account) }
  },
})

const privileged = (roles: readonly string[]) => sql<Static<typeof Account> & { readonly total: number }>`
  select u.id as user_id, held.roles, ${hasFactor} or ${isVouchedFor} as second_factor, ${breakGlass} as emergency,
    ${lastUse} as last_used_at, count(*) over ()::int as total
  from iam_user u
  join lateral (
    select array_agg(r.name order by r.name) as roles
    from iam_user_role g
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where g.tenant_id = u.tenant_id and g.user_id = u.id and g.role_id = any(${roles}::uuid[])) held on held.roles is not null
  where u.type = 'human' and u.status = 'active'
  order by last_used_at, u.id
  limit ${mostListed}`
