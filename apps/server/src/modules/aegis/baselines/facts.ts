import Type from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'

const Count = Type.Number({ minimum: 0 })
const usualDays = 7

const counts = {
  agents: Count,
  sessions: Count,
  calls: Count,
  denied: Count,
  errors: Count,
  tokens_in: Count,
  tokens_out: Count,
  cost: Count,
}
const anomalyCounts = { anomalies: Count, anomalies_high: Count, false_positives: Count, resolved_anomalies: Count }

type Counted<P> = { readonly [K in keyof P]: number }

export const activityFact = defineFact({
  name: 'aegis.activity',
  description: 'Activity of agents in the last days: sessions that began, their calls, and anomalies.',
  permission: 'aegis:read',
  query: strictObject({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
  schema: strictObject({ ...counts, ...anomalyCounts }),
  read: async ({ tx, at, query }) => {
    const from = new Date(Date.parse(at) - (query.days ?? usualDays) * 86_400_000).toISOString()
    const activity = await tx.first(
      sql<Counted<typeof counts>>`
        select count(distinct agent_id)::int as agents, count(*)::int as sessions,
          coalesce(sum(calls), 0)::float8 as calls, coalesce(sum(denied), 0)::float8 as denied,
          coalesce(sum(errors), 0)::float8 as errors, coalesce(sum(tokens_in), 0)::float8 as tokens_in,
          coalesce(sum(tokens_out), 0)::float8 as tokens_out, coalesce(sum(cost), 0)::float8 as cost
        from aegis_session where started_at >= ${from}`,
    )
    const found = await tx.first(
      sql<Counted<typeof anomalyCounts>>`
        select count(*)::int as anomalies,
          (count(*) filter (where severity in ('high', 'critical')))::int as anomalies_high,
          (count(*) filter (where label = 'false_positive'))::int as false_positives,
          (count(*) filter (where label is not null))::int as resolved_anomalies
        from aegis_anomaly where created_at >= ${from}`,
    )
    if (activity === null || found === null) throw new TypeError('Sums without groups give one row')
    return { ...activity, ...found }
  },
})
