/** Populations of the register that checks hold against its rules. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { ratings } from './scoring/words.ts'

const OpenRisk = strictObject({
  id: Uuid,
  score: Type.Number({ minimum: 0, maximum: 100 }),
  rating: oneOf(...ratings),
  reviewed_at: Timestamp,
  has_owner: Type.Boolean(),
  has_treatment: Type.Boolean({ description: 'Treated or accepted' }),
  quantified_at: nullable({ ...Timestamp, description: 'Of the newest completed analysis' }),
})

export const openRisksFact = defineFact({
  name: 'risk.open_risks',
  description:
    'Risks that are not closed, the highest scores first: review, owner, treatment and quantitative analysis.',
  permission: 'risk:read',
  schema: populationOf(OpenRisk),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select ((select count(*) from risk_register)
          - (select count(*) from risk_register where status = 'closed'))::int as total`,
      items: sql<Static<typeof OpenRisk> & { recount: number }>`
        select id, score, rating, reviewed_at, owner_id is not null as has_owner,
          treatment is not null or acceptance is not null as has_treatment, count(*) over ()::int as recount,
          (select max(updated_at) from risk_analysis done where done.tenant_id = risk.tenant_id
            and done.risk_id = risk.id and done.status = 'completed') as quantified_at
        from risk_register risk where status <> 'closed' order by score desc, id limit ${mostItems}`,
    }),
})
