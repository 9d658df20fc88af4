import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { AgentRow } from './schema.ts'

const Count = Type.Integer({ minimum: 0 })
const mostListed = 500
const { id, name, slug, status, environment, risk_tier, owner_user_id } = AgentRow.properties
const { untrusted_input, destinations } = AgentRow.properties
const { data_classes, tools, models, has_drift, next_review_at, last_seen_at, tags } = AgentRow.properties

const ListedAgent = strictObject({
  ...{ id, name, slug, status, environment, risk_tier, owner_user_id, data_classes, tools, models, tags },
  ...{ untrusted_input, destinations, has_drift, next_review_at, last_seen_at },
  review_overdue: Type.Boolean(),
})

interface Counted {
  readonly total: number
  readonly active: number
  readonly quarantined: number
  readonly in_review: number
  readonly review_overdue: number
  readonly drifting: number
}

export const agentsFact = defineFact({
  name: 'aegis.agents',
  description: 'Registered agents that are not retired, by state, with overdue reviews and drift; the newest first.',
  permission: 'aegis:read',
  schema: strictObject({
    ...{ total: Count, active: Count, quarantined: Count, in_review: Count, review_overdue: Count, drifting: Count },
    agents: Type.Array(ListedAgent, { maxItems: mostListed }),
  }),
  read: async ({ tx, at }) => {
    const counted = await tx.first(
      sql<Counted>`
        select count(*)::int as total, (count(*) filter (where status = 'active'))::int as active,
          (count(*) filter (where status = 'quarantined'))::int as quarantined,
          (count(*) filter (where review is not null))::int as in_review,
          (count(*) filter (where next_review_at <= ${at}))::int as review_overdue,
          (count(*) filter (where has_drift))::int as drifting
        from aegis_agent where status <> 'retired'`,
    )
    const agents = await tx.query(
      sql<Static<typeof ListedAgent>>`
        select id, name, slug, status, environment, risk_tier, owner_user_id, data_classes, tools, models, tags,
          untrusted_input, destinations, has_drift, next_review_at, last_seen_at, coalesce(next_review_at <= ${at}, false) as review_overdue
        from aegis_agent where status <> 'retired' order by created_at desc, id desc limit ${mostListed}`,
    )
    const none = { total: 0, active: 0, quarantined: 0, in_review: 0, review_overdue: 0, drifting: 0 }
    return { ...(counted ?? none), agents: [...agents] }
  },
})
