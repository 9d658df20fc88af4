import Type from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })

interface Counted {
  readonly pending: number
  readonly oldest_pending_seconds: number | null
  readonly requested_30d: number
  readonly approved_30d: number
  readonly denied_30d: number
  readonly expired_30d: number
  readonly consumed_30d: number
  readonly median_wait_seconds_30d: number | null
}

export const approvalsFact = defineFact({
  name: 'aegis.approvals',
  description:
    'Held tool calls of agents: those that wait for people, and those of the last 30 days by outcome, with the median time to a decision.',
  permission: 'aegis:read',
  schema: strictObject({
    pending: Count,
    oldest_pending_seconds: nullable(Type.Number({ minimum: 0 })),
    requested_30d: Count,
    approved_30d: Type.Integer({ minimum: 0, description: 'Decided so, whether the call was made or not' }),
    denied_30d: Count,
    expired_30d: Type.Integer({ minimum: 0, description: 'Nobody decided in time, or a kill switch did' }),
    consumed_30d: Type.Integer({ minimum: 0, description: 'The approved call was made' }),
    median_wait_seconds_30d: nullable(Type.Number({ minimum: 0 })),
  }),
  read: async ({ tx, at }) => {
    const since = new Date(Date.parse(at) - 30 * 86_400_000).toISOString()
    const row = await tx.first(sql<Counted>`
      with approval as (
        select *, status in ('approved', 'consumed') or (status = 'expired' and usable_until is not null) as was_approved
        from aegis_approval where created_at >= ${since} or status = 'pending')
      select (count(*) filter (where status = 'pending' and expires_at > ${at}))::int as pending,
        greatest(0, extract(epoch from ${at}::timestamptz
          - min(created_at) filter (where status = 'pending' and expires_at > ${at})))::float8 as oldest_pending_seconds,
        (count(*) filter (where created_at >= ${since}))::int as requested_30d,
        (count(*) filter (where was_approved))::int as approved_30d,
        (count(*) filter (where status = 'denied'))::int as denied_30d,
        (count(*) filter (where status = 'expired' and not was_approved))::int as expired_30d,
        (count(*) filter (where status = 'consumed'))::int as consumed_30d,
        (percentile_cont(0.5) within group (order by greatest(0, extract(epoch from decided_at - created_at)))
          filter (where was_approved or status = 'denied'))::float8 as median_wait_seconds_30d
      from approval`)
    const none = { requested_30d: 0, approved_30d: 0, denied_30d: 0, expired_30d: 0, consumed_30d: 0 }
    return { pending: 0, ...none, median_wait_seconds_30d: null, ...row, oldest_pending_seconds: oldestOf(row) }
  },
})

/** `greatest` counts null as absent, so that 0 would stand for nothing pending. */
const oldestOf = (row: Counted | null): number | null =>
  row === null || row.pending === 0 ? null : row.oldest_pending_seconds
