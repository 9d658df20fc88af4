import Type from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const Name = Type.String({ maxLength: 256 })

const OfProvider = strictObject({
  provider: nullable(Name),
  offline: Type.Boolean({ description: 'The built-in provider, which calls no model' }),
  allowed: Count,
  flagged: Count,
  redacted: Count,
  blocked: Count,
})

const OfRule = strictObject({
  rule_id: Type.String({ maxLength: 128 }),
  step: Type.String({ maxLength: 32 }),
  category: Type.String({ maxLength: 64 }),
  action: Type.String({ maxLength: 16 }),
  requests: Type.Integer({ minimum: 1 }),
})

const mostRules = 500
const dayMs = 86_400_000

export const decisionsFact = defineFact({
  name: 'gateway.decisions',
  description:
    'Model calls of the last days by decision: of each provider as the hourly counts have them, and of each rule that flagged, redacted or blocked, the most frequent first.',
  permission: 'gateway:read',
  query: strictObject({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, description: 'Window; default 30' })),
  }),
  schema: strictObject({
    from: Timestamp,
    providers: Type.Array(OfProvider),
    rules: Type.Array(OfRule, { maxItems: mostRules }),
  }),
  read: async ({ tx, at, query: { days = 30 } }) => {
    const from = new Date(Date.parse(at) - days * dayMs).toISOString()
    const [providers, rules] = await Promise.all([
      tx.query(decisionsByProvider(from, at)),
      tx.query(actionsByRule(from, at)),
    ])
    return { from, providers: [...providers], rules: [...rules] }
  },
})

/** Index: the primary key. */
const decisionsByProvider = (from: string, to: string) => sql<Type.Static<typeof OfProvider>>`
  select provider, offline,
    coalesce(sum(requests) filter (where decision = 'allowed'), 0)::bigint as allowed,
    coalesce(sum(requests) filter (where decision = 'flagged'), 0)::bigint as flagged,
    coalesce(sum(requests) filter (where decision = 'redacted'), 0)::bigint as redacted,
    coalesce(sum(requests) filter (where decision = 'blocked'), 0)::bigint as blocked
  from gateway_usage_cell
  where hour > ${from} and hour <= ${to}
  group by provider, offline
  order by provider nulls last, offline`

/** Index: (tenant_id, decision, created_at, id). */
const actionsByRule = (from: string, to: string) => sql<Type.Static<typeof OfRule>>`
  select found ->> 'rule_id' as rule_id, found ->> 'step' as step, found ->> 'category' as category,
    found ->> 'action' as action, count(distinct call.id)::int as requests
  from gateway_request call
  cross join lateral jsonb_array_elements(call.security -> 'policy_violations') as found
  where call.decision in ('flagged', 'redacted', 'blocked') and call.created_at > ${from} and call.created_at <= ${to}
  group by 1, 2, 3, 4
  order by requests desc, rule_id, step, action
  limit ${mostRules}`
