/** What other modules may read of the register by name. Tested in apps/server/test/generated/facts.test.ts. */
import Type from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { oneOf, strictObject, Uuid } from '../../kernel/schema/types.ts'
import { states } from './scoring/states.ts'
import { categories, ratings } from './scoring/words.ts'

const Count = Type.Integer({ minimum: 0 })
const mostRisks = 100

const Counts = {
  open: Type.Integer({ minimum: 0, description: 'Risks that are not closed' }),
  above_tolerance: Count,
  very_high: Count,
  high: Count,
  moderate: Count,
  low: Count,
  very_low: Count,
}

const Shown = strictObject({
  id: Uuid,
  title: Type.String({ maxLength: 200 }),
  category: oneOf(...categories),
  status: oneOf(...states),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  rating: oneOf(...ratings),
  above_tolerance: Type.Boolean(),
})

export const registerFact = defineFact({
  name: 'risk.register',
  description: 'Risks that are not closed by rating, and the 100 with the highest scores.',
  permission: 'risk:read',
  schema: strictObject({ ...Counts, risks: Type.Array(Shown, { maxItems: mostRisks }) }),
  read: async ({ tx }) => {
    const counts = await tx.first(sql<{ [K in keyof typeof Counts]: number }>`
      select count(*)::int as open, (count(*) filter (where above_tolerance))::int as above_tolerance,
        (count(*) filter (where rating = 'very_high'))::int as very_high,
        (count(*) filter (where rating = 'high'))::int as high,
        (count(*) filter (where rating = 'moderate'))::int as moderate,
        (count(*) filter (where rating = 'low'))::int as low,
        (count(*) filter (where rating = 'very_low'))::int as very_low
      from risk_register where status <> 'closed'`)
    const risks = await tx.query(sql<{
      id: string
      title: string
      category: (typeof categories)[number]
      status: (typeof states)[number]
      score: number
      rating: (typeof ratings)[number]
      above_tolerance: boolean
    }>`
      select id, title, category, status, score, rating, above_tolerance from risk_register where status <> 'closed'
      order by score desc, id limit ${mostRisks}`)
    const none = { open: 0, above_tolerance: 0, very_high: 0, high: 0, moderate: 0, low: 0, very_low: 0 }
    return { ...(counts ?? none), risks: [...risks] }
  },
})
