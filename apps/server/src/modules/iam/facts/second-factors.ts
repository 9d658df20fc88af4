import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { hasFactor, isVouchedFor } from './accounts.ts'

const among = (description: string) => Type.Integer({ minimum: 0, description })

const SecondFactors = strictObject({
  people: among('Active accounts of people'),
  with_factor: among('With a second factor here, or two seen by their identity provider'),
  with_passkey: among('With a factor that cannot be phished'),
  without: among('With neither'),
})

const none = { people: 0, with_factor: 0, with_passkey: 0, without: 0 }

export const secondFactorsFact = defineFact({
  name: 'iam.second_factors',
  description: 'How many people sign in with a second factor, and how many without.',
  permission: 'iam:read',
  schema: SecondFactors,
  read: async ({ tx }) =>
    (await tx.first(sql<Static<typeof SecondFactors>>`
      select count(*)::int as people,
        count(*) filter (where factor or vouched)::int as with_factor,
        count(*) filter (where passkey)::int as with_passkey,
        count(*) filter (where not factor and not vouched)::int as without
      from (
        select ${hasFactor} as factor, ${isVouchedFor} as vouched,
          exists (
            select from iam_factor f
            where f.tenant_id = u.tenant_id and f.user_id = u.id and f.status = 'active' and f.kind = 'passkey') as passkey
        from iam_user u
        where u.type = 'human' and u.status = 'active') person`)) ?? none,
})
