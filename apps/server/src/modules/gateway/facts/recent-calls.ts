import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const Ms = nullable(Type.Number({ minimum: 0 }))

const Totals = strictObject({
  calls: Count,
  failed: { ...Count, description: 'Calls that got no answer, or a part of one' },
  error_rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  latency_p50_ms: Ms,
  latency_p95_ms: Ms,
  latency_p99_ms: Ms,
})

const OfTarget = strictObject({
  target: Type.String({ maxLength: 520, description: '`<provider>/<model>`' }),
  calls: Count,
})

const mostTargets = 100
const longestSeconds = 31 * 86_400

export const recentCallsFact = defineFact({
  name: 'gateway.recent_calls',
  description:
    'Model calls that ended in the last seconds, apart from those that a policy blocked: how many, how many failed, and how long they took; null where there were none.',
  permission: 'gateway:read',
  query: strictObject({
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: longestSeconds, description: 'Window; default 60' })),
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  }),
  schema: strictObject({
    from: Timestamp,
    ...Totals.properties,
    targets: Type.Array(OfTarget, { maxItems: mostTargets }),
  }),
  read: async ({ tx, at, query: { seconds = 60, provider = null } }) => {
    const from = new Date(Date.parse(at) - seconds * 1000).toISOString()
    const [totals, targets] = await Promise.all([
      tx.first(totalsSince(from, provider)),
      tx.query(targetsSince(from, provider)),
    ])
    const none = {
      calls: 0,
      failed: 0,
      error_rate: null,
      latency_p50_ms: null,
      latency_p95_ms: null,
      latency_p99_ms: null,
    }
    return { from, ...(totals ?? none), targets: [...targets] }
  },
})

/** Index: (tenant_id, created_at, id). */
const totalsSince = (from: string, provider: string | null) => sql<Static<typeof Totals>>`
  select count(*)::int as calls,
    count(*) filter (where status in ('failed', 'incomplete'))::int as failed,
    (count(*) filter (where status in ('failed', 'incomplete')))::float8 / nullif(count(*), 0) as error_rate,
    percentile_cont(0.5) within group (order by (timings ->> 'total_ms')::float8) as latency_p50_ms,
    percentile_cont(0.95) within group (order by (timings ->> 'total_ms')::float8) as latency_p95_ms,
    percentile_cont(0.99) within group (order by (timings ->> 'total_ms')::float8) as latency_p99_ms
  from gateway_request
  where created_at > ${from} and status <> 'blocked' and (${provider}::text is null or provider = ${provider}::text)`

/** Index: (tenant_id, created_at, id). */
const targetsSince = (from: string, provider: string | null) => sql<Static<typeof OfTarget>>`
  select provider || '/' || model as target, count(*)::int as calls
  from gateway_request
  where created_at > ${from} and provider is not null and model is not null
    and (${provider}::text is null or provider = ${provider}::text)
  group by 1 order by calls desc, target limit ${mostTargets}`
