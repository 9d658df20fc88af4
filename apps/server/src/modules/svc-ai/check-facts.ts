/** Answers that checks hold against the support by their sources. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../kernel/schema/types.ts'

const Answer = strictObject({
  id: Uuid,
  status: oneOf('answered', 'partial'),
  groundedness: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Null for an answer without claims' })),
})

export const supportedAnswersFact = defineFact({
  name: 'svc_ai.supported_answers',
  description: 'Answers of the last 30 days that were given, with the share of their sentences that sources support.',
  permission: 'svc-ai:read',
  schema: populationOf(Answer),
  read: ({ tx, at }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(answers), 0)::int as total from (
          select answer_status, count(*) as answers from svc_ai_message
          where role = 'assistant' and created_at > ${at}::timestamptz - interval '30 days' group by answer_status) told
        where answer_status in ('answered', 'partial')`,
      items: sql<Static<typeof Answer> & { recount: number }>`
        select id, answer_status as status, groundedness, count(*) over ()::int as recount from svc_ai_message
        where answer_status in ('answered', 'partial') and created_at > ${at}::timestamptz - interval '30 days'
        order by created_at desc, id desc limit ${mostItems}`,
    }),
})
