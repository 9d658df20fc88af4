/**
 * The logged calls that a caller may see and asked for, as a condition. Promises that without `gateway:admin` or the
 * role of an auditor only the caller's own calls meet it. Conditions on arrays state explicitly that the array is not
 * empty, because their partial indexes do. Tested in requests-search.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { errors } from '../declared/errors.ts'
import type { RequestFilter } from '../schemas/request.ts'
import { queryOf } from './words.ts'

export function seesAll(actor: Actor): boolean {
  return holds(actor.permissions, 'gateway:admin') || actor.roles.includes('auditor')
}

/** Whose calls the caller may see: all with `gateway:admin` or the role of an auditor, else its own. */
export function visibleTo(actor: Actor): SqlPart {
  return seesAll(actor) ? sql`true` : sql`user_id = ${actor.userId}`
}

/** Conditions of a list of calls. A filter that was not given falls away when the statement is planned. */
export function wantedOf(filter: RequestFilter): SqlPart {
  return sql`${within(filter)} and ${callers(filter)} and ${outcomes(filter)} and ${findings(filter)} and ${measures(filter)} and ${searched(filter)}`
}

/**
 * The same for running calls, by the facts known before their end. Index: (tenant_id, deadline_at), because calls
 * before the sweeper's position have their outcome.
 */
export function wantedOfRunning({ status: _, ...filter }: RequestFilter): SqlPart {
  const {
    from,
    to,
    user_id,
    key_id,
    agent_id,
    session_id,
    provider = null,
    model = null,
    decision = null,
    tag = null,
    offline = null,
    ...others
  } = filter
  if (Object.values(others).some((value) => value !== undefined)) return sql`false`
  return sql`${within(filter)} and ${callers(filter)}
    and (${provider}::text is null or provider = ${provider}::text)
    and (${model}::text is null or model = ${model}::text)
    and (${decision}::text is null or decision = ${decision}::text)
    and (${tag}::text is null or ${tag}::text = any (tags))
    and (${offline}::boolean is null or offline = ${offline}::boolean)
    and deadline_at >= coalesce((select swept_to from gateway_sweep), '-infinity')
    and not exists (select from gateway_request done where done.id = gateway_request_intent.id)`
}

function within(filter: RequestFilter): SqlPart {
  const { from = null, to = null } = filter
  return sql`
    (${from}::timestamptz is null or created_at >= ${from}::timestamptz)
    and (${to}::timestamptz is null or created_at < ${to}::timestamptz)`
}

function callers(filter: RequestFilter): SqlPart {
  const { user_id: user = null, key_id: key = null, agent_id: agent = null, session_id: session = null } = filter
  return sql`
    (${user}::uuid is null or user_id = ${user}::uuid)
    and (${key}::text is null or key_id = ${key}::text)
    and (${agent}::text is null or agent_id = ${agent}::text)
    and (${session}::text is null or session_id = ${session}::text)`
}

function outcomes(filter: RequestFilter): SqlPart {
  const { provider = null, model = null, status = null, decision = null, code = null, offline = null } = filter
  return sql`
    (${provider}::text is null or provider = ${provider}::text)
    and (${model}::text is null or model = ${model}::text)
    and (${status}::text is null or status = ${status}::text)
    and (${decision}::text is null or decision = ${decision}::text)
    and (${code}::text is null or error_code = ${code}::text or ${attempted(code)})
    and (${offline}::boolean is null or offline = ${offline}::boolean)`
}

/** Codes that only an attempt has, because its caller must not read them. */
function attempted(code: string | null): SqlPart {
  return code === errors.addressRefused.code
    ? sql`attempts @> jsonb_build_array(jsonb_build_object('error_code', ${code}::text))`
    : sql`false`
}

function findings(filter: RequestFilter): SqlPart {
  const { pattern = null, entity = null, tag = null } = filter
  return sql`
    (${pattern}::text is null or (patterns <> '{}' and ${pattern}::text = any (patterns)))
    and (${entity}::text is null or (entities <> '{}' and entities ? ${entity}::text))
    and (${tag}::text is null or (tags <> '{}' and ${tag}::text = any (tags)))`
}

function measures(filter: RequestFilter): SqlPart {
  const { min_cost: cost = null, min_latency_ms: latency = null } = filter
  return sql`
    (${cost}::numeric is null or (cost ->> 'amount')::numeric >= ${cost}::numeric)
    and (${latency}::numeric is null or (timings ->> 'total_ms')::numeric >= ${latency}::numeric)`
}

/**
 * Words of the kept content. Under row-level security no index of words can be used (the search operator could leak
 * other tenants' rows), so the time range, whose index can be used, bounds the rows read.
 */
function searched(filter: RequestFilter): SqlPart {
  const q = filter.q === undefined ? null : queryOf(filter.q)
  return sql`
    (${q}::text is null or id in (
      select kept.id from gateway_request_payload kept
      where ${within(filter)} and kept.words @@ ${q}::tsquery))`
}
