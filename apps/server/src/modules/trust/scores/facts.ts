/** Facts about the trust score for other modules. Tested in facts.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact, type FactContext } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { Points, Score } from '../declared/schemas.ts'
import { type Hundredths, toPoints } from '../engine/fixed-point.ts'
import { findCurrentScore } from './current-score.ts'

export const scoreFact = defineFact({
  name: 'trust.score',
  description: 'The current trust score with its pillars and its trend; null before the first one.',
  permission: 'trust:read',
  schema: strictObject({ score: nullable(Score) }),
  read: async ({ tx, at }) => ({ score: await findCurrentScore(tx, at) }),
})

const mostDays = 90
const Day = strictObject({ calculated_at: Timestamp, score: Points })
const Window = strictObject({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: mostDays })) })

export const historyFact = defineFact({
  name: 'trust.history',
  description:
    'The last trust score of each day (UTC) on which one was calculated, the oldest first; 30 days, or `days`.',
  permission: 'trust:read',
  query: Window,
  schema: strictObject({ days: Type.Array(Day, { maxItems: mostDays + 1 }) }),
  read: async ({ tx, at, query }: FactContext<unknown, Static<typeof Window>>) => {
    const rows = await tx.query(sql<{ calculated_at: string; composite: Hundredths }>`
      select distinct on ((created_at at time zone 'UTC')::date) created_at as calculated_at, composite from trust_snapshot
      where created_at > ${at}::timestamptz - make_interval(days => ${query.days ?? 30}::int) and created_at <= ${at}
      order by (created_at at time zone 'UTC')::date, created_at desc, id desc`)
    return { days: rows.map(({ calculated_at, composite }) => ({ calculated_at, score: toPoints(composite) })) }
  },
})
