import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { breakGlass, lastUse } from '../dormancy/last-use.ts'
import { administeringRoles } from '../rights/administering-roles.ts'
import { hasFactor, isVouchedFor } from './accounts.ts'

const Person = strictObject({
  id: Uuid,
  second_factor: Type.Boolean({ description: 'One here, or two seen by the identity provider' }),
  passkey: Type.Boolean({ description: 'A factor that cannot be phished' }),
  administers: Type.Boolean({ description: 'Has a role that administers a module' }),
  emergency: Type.Boolean({ description: 'Kept for emergencies, which is there to be unused' }),
  last_used_at: Timestamp,
})

export const peopleFact = defineFact({
  name: 'iam.people',
  description: 'Active accounts of people: how they sign in, whether they administer, and their last use.',
  permission: 'iam:read',
  schema: populationOf(Person),
  read: async ({ tx }) => {
    const roles = [...(await administeringRoles(tx))]
    return readPopulation(tx, {
      count: sql`
        select ((select count(*) from iam_user where type = 'human')
          - (select count(*) from iam_user where type = 'human' and status <> 'active'))::int as total`,
      items: sql<Static<typeof Person> & { recount: number }>`
        select u.id, ${hasFactor} or ${isVouchedFor} as second_factor,
          exists (select from iam_factor f where f.tenant_id = u.tenant_id and f.user_id = u.id
            and f.status = 'active' and f.kind = 'passkey') as passkey,
          exists (select from iam_user_role g where g.tenant_id = u.tenant_id and g.user_id = u.id
            and g.role_id = any(${roles}::uuid[])) as administers,
          ${breakGlass} as emergency, ${lastUse} as last_used_at, count(*) over ()::int as recount
        from iam_user u where u.type = 'human' and u.status = 'active'
        order by u.id limit ${mostItems}`,
    })
  },
})
