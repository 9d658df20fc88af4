import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const mostListed = 2_000
const dayMs = 86_400_000

const OfCaller = strictObject({
  step: Type.String({ maxLength: 32, description: 'Step that found them; `reported_missed`: found by a person alone' }),
  agent_id: nullable(Type.String({ maxLength: 64, description: 'Agent, or the account that called' })),
  blocked: Count,
  passed: Type.Integer({ minimum: 0, description: 'Seen, and not blocked by this step' }),
})

export const attacksFact = defineFact({
  name: 'gateway.attacks',
  description:
    'Attacks seen in calls of the last days by the step that found them and by caller, each call once a step: how many were blocked, and how many passed. Calls that feedback calls a false positive are left out, missed attacks that feedback reports count as passed.',
  permission: 'gateway:read',
  query: strictObject({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, description: 'Window; default 30' })),
  }),
  schema: strictObject({
    from: Timestamp,
    attacks: Type.Array(OfCaller, { maxItems: mostListed }),
  }),
  read: async ({ tx, at, query: { days = 30 } }) => {
    const from = new Date(Date.parse(at) - days * dayMs).toISOString()
    return { from, attacks: [...(await tx.query(attacksSeen(from, at)))] }
  },
})

/** Indexes: (tenant_id, decision, created_at, id), and the index of detection feedback. */
const attacksSeen = (from: string, to: string) => sql<Static<typeof OfCaller>>`
  with seen as (
    select call.id, coalesce(call.agent_id, call.user_id::text) as agent_id, found ->> 'step' as step,
      bool_or(found ->> 'action' = 'block') as stopped
    from gateway_request call
    cross join lateral jsonb_array_elements(call.security -> 'policy_violations') as found
    where call.decision in ('flagged', 'redacted', 'blocked') and call.created_at > ${from} and call.created_at <= ${to}
      and found ->> 'step' = 'injection_detection'
      and not exists (
        select from gateway_feedback told
        where told.tenant_id = call.tenant_id and told.request_id = call.id and told.verdict = 'false_positive')
    group by 1, 2, 3
    union all
    select call.id, coalesce(call.agent_id, call.user_id::text), 'reported_missed', false
    from gateway_feedback told
    join gateway_request call on call.tenant_id = told.tenant_id and call.id = told.request_id
    where told.kind = 'detection' and told.verdict = 'missed' and told.created_at > ${from} and told.created_at <= ${to}
    group by 1, 2)
  select step, agent_id, (count(*) filter (where stopped))::int as blocked,
    (count(*) filter (where not stopped))::int as passed
  from seen group by 1, 2 order by count(*) desc, step, agent_id limit ${mostListed}`
