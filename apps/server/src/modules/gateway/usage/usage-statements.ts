import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { visibleTo } from '../request-log/requests-filter.ts'
import type { Dimension, Interval } from './usage-schemas.ts'

export interface Asked {
  readonly from: string
  readonly to: string
  /** Null for the whole range as one point. */
  readonly interval: Interval | null
  readonly groupBy: readonly Dimension[]
  readonly offline: boolean
  readonly actor: Actor
  readonly mostRows: number
}

/** A point of the series, or a part of one: its calls of one currency, or one of its tallies. */
export interface PlaceRow {
  readonly at: string | null
  readonly provider: string | null
  readonly model: string | null
  readonly route: string | null
  readonly user: string | null
  readonly key: string | null
  readonly agent: string | null
  readonly tag: string | null
  readonly policy: string | null
  readonly decision: string | null
  readonly code: string | null
}

export interface CountRow extends PlaceRow {
  readonly currency: string | null
  readonly requests: number
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly cost_nano: string
  readonly saved_nano: string
  readonly unpriced_requests: number
  readonly blocked: number
  readonly redacted: number
  readonly flagged: number
  readonly fail_open: number
  readonly cache_hits: number
}

export interface TallyRow extends PlaceRow {
  readonly name: string
  readonly amount: number
}

/** Index: the primary key, or (tenant_id, user_id, hour) for a caller's own. */
function cells({ from, to, interval, groupBy, offline, actor }: Asked): SqlPart {
  const by = [...groupBy]
  return sql`
    select case when ${interval}::text is null then null else date_trunc(${interval}::text, hour) end as at,
      case when 'provider' = any(${by}::text[]) then provider end as provider,
      case when 'model' = any(${by}::text[]) then model end as model,
      case when 'route' = any(${by}::text[]) then route end as route,
      case when 'user' = any(${by}::text[]) then user_id::text end as "user",
      case when 'key' = any(${by}::text[]) then key_id end as key,
      case when 'agent' = any(${by}::text[]) then agent_id end as agent,
      tag, policy,
      case when 'decision' = any(${by}::text[]) then decision end as decision,
      case when 'code' = any(${by}::text[]) then code end as code,
      currency, requests, input_tokens, cached_tokens, output_tokens, cost_nano, saved_nano, unpriced_requests,
      case when cell.decision = 'blocked' then requests else 0 end as blocked,
      case when cell.decision = 'redacted' then requests else 0 end as redacted,
      case when cell.decision = 'flagged' then requests else 0 end as flagged,
      fail_open, cache_hits, tallies
    from gateway_usage_cell cell
    cross join lateral unnest(
      case when 'tag' = any(${by}::text[]) and tags <> '{}' then tags else array[null]::text[] end) as tag
    cross join lateral unnest(
      case when 'policy' = any(${by}::text[]) and policies <> '{}' then policies else array[null]::text[] end) as policy
    where hour >= ${from} and hour < ${to} and offline = ${offline} and ${visibleTo(actor)}`
}

export function readCounts(tx: Tx, asked: Asked): Promise<readonly CountRow[]> {
  return tx.query(
    sql<CountRow>`
      select at, provider, model, route, "user", key, agent, tag, policy, decision, code, currency,
        sum(requests)::bigint as requests, sum(input_tokens)::bigint as input_tokens,
        sum(cached_tokens)::bigint as cached_tokens, sum(output_tokens)::bigint as output_tokens,
        sum(cost_nano) as cost_nano, sum(saved_nano) as saved_nano,
        sum(unpriced_requests)::bigint as unpriced_requests, sum(blocked)::bigint as blocked,
        sum(redacted)::bigint as redacted, sum(flagged)::bigint as flagged, sum(fail_open)::bigint as fail_open,
        sum(cache_hits)::bigint as cache_hits
      from (${cells(asked)}) as found
      group by at, provider, model, route, "user", key, agent, tag, policy, decision, code, currency
      order by at, provider, model, route, "user", key, agent, tag, policy, decision, code, currency
      limit ${asked.mostRows + 1}`,
  )
}

export function readTallies(tx: Tx, asked: Asked): Promise<readonly TallyRow[]> {
  return tx.query(
    sql<TallyRow>`
      select at, provider, model, route, "user", found.key, agent, tag, policy, decision, code, tally.key as name,
        sum(tally.value::bigint)::bigint as amount
      from (${cells(asked)}) as found
      cross join lateral jsonb_each_text(tallies) as tally
      group by at, provider, model, route, "user", found.key, agent, tag, policy, decision, code, tally.key`,
  )
}
