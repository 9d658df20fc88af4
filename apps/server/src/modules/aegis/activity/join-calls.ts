/**
 * Makes one activity of the two records of a model call, in either order of arrival. Promises that the call counts once
 * in its session and that the gateway's facts about it stand. Tested in join-calls.test.ts.
 */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { recordset } from '../../../kernel/db/rows.ts'
import { type Sql, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { added, type CallCounts, countsOf, noCounts } from '../sessions/counts.ts'
import { sessions } from '../sessions/tables.ts'
import { mergedCall } from './join/merge.ts'
import { type Pair, pairCalls } from './join/pair.ts'
import type { ActivityRecord } from './record/record.ts'
import { activity } from './tables.ts'
import { usesIn } from './uses.ts'

export interface JoinedCalls {
  /** Records to place in sessions. */
  readonly records: readonly ActivityRecord[]
  /** Records whose uses count. */
  readonly uses: readonly ActivityRecord[]
}

type StoredCall = ActivityRecord & { readonly session_id: string }
type JoinPair = Pair<ActivityRecord, StoredCall>

export async function joinCalls(tx: Tx, agentId: string, fresh: readonly ActivityRecord[]): Promise<JoinedCalls> {
  const calls = fresh.filter(({ type }) => type === 'llm.call')
  const isGateway = calls[0]?.source === 'gateway'
  const stored =
    calls.length === 0 ? [] : await tx.query(isGateway ? reportsOf(agentId, calls) : recordsOf(agentId, calls))
  const pairs = pairCalls(calls, stored)
  if (pairs.length === 0) return { records: fresh, uses: fresh }
  return isGateway ? fillReports(tx, agentId, { fresh, pairs }) : replaceRecords(tx, agentId, { fresh, pairs })
}

interface Joining {
  readonly fresh: readonly ActivityRecord[]
  readonly pairs: readonly JoinPair[]
}

/** The gateway's record came first: the report takes its place, in the session that the report names. */
async function replaceRecords(tx: Tx, agentId: string, { fresh, pairs }: Joining): Promise<JoinedCalls> {
  const ids = pairs.map(({ stored }) => stored.event_id)
  await tx.execute(sql`delete from aegis_activity where agent_id = ${agentId} and event_id = any(${ids}::text[])`)
  await adjustSessions(
    tx,
    pairs.map(({ stored }) => ({ id: stored.session_id, counts: added(noCounts, countsOf(stored), -1) })),
  )
  const left = [...new Set(pairs.map(({ stored }) => stored.session_id))]
  await tx.execute(sql`
    delete from aegis_session where id = any(${left}::uuid[]) and status = 'open' and labels = '{}'
      and ${notHeld(sessions)}
      and not exists (select from aegis_activity event where event.session_id = aegis_session.id)`)
  const merged = new Map(pairs.map((pair) => [pair.fresh, mergedCall(pair.fresh, pair.stored)]))
  return {
    records: fresh.map((record) => merged.get(record) ?? record),
    uses: fresh.filter((record) => !merged.has(record)),
  }
}

/** The report came first: it stays where it is and takes the gateway's facts. */
async function fillReports(tx: Tx, agentId: string, { fresh, pairs }: Joining): Promise<JoinedCalls> {
  const rows = pairs.map((pair) => ({ ...mergedCall(pair.stored, pair.fresh), agent_id: agentId }))
  await tx.execute(
    sql`
    update aegis_activity held set gateway_log_id = row.gateway_log_id, call_id = row.call_id, model = row.model,
      provider = row.provider, tokens_in = row.tokens_in, tokens_out = row.tokens_out, cost = row.cost,
      outcome = row.outcome, error_type = row.error_type
    from ${recordset(activity, rows)} as row
    where held.agent_id = ${agentId} and held.event_id = row.event_id`,
  )
  await adjustSessions(
    tx,
    pairs.map(({ stored }, at) => ({
      id: stored.session_id,
      counts: added(countsOf(rows[at] ?? stored), countsOf(stored), -1),
    })),
  )
  const known = new Map(pairs.map((pair) => [pair.fresh, pair.stored]))
  return {
    records: fresh.filter((record) => !known.has(record)),
    uses: fresh.filter((record) => isNewUse(record, known.get(record))),
  }
}

const modelOf = (record: ActivityRecord): string | undefined =>
  usesIn(record).find(({ kind }) => kind === 'model')?.name

/** The gateway may know the model by another name than the agent told. */
const isNewUse = (record: ActivityRecord, told: StoredCall | undefined): boolean =>
  told === undefined || modelOf(record) !== modelOf(told)

interface Adjustment {
  readonly id: string
  readonly counts: CallCounts
}

async function adjustSessions(tx: Tx, adjustments: readonly Adjustment[]): Promise<void> {
  const sums = new Map<string, CallCounts>()
  for (const { id, counts } of adjustments) sums.set(id, added(sums.get(id) ?? noCounts, counts))
  const rows = [...sums].map(([id, counts]) => ({ id, ...counts }))
  await tx.execute(sql`
    update aegis_session held set calls = held.calls + row.calls, denied = held.denied + row.denied,
      errors = held.errors + row.errors, tokens_in = held.tokens_in + row.tokens_in,
      tokens_out = held.tokens_out + row.tokens_out, cost = greatest(0, held.cost + row.cost)
    from ${recordset(sessions, rows)} as row
    where held.id = row.id`)
}

const columns = sql`event_id, session_id, time, type, source, conversation_id, trace_id, span_id, parent_id, model,
  provider, tool, server, destination, tokens_in::float8 as tokens_in, tokens_out::float8 as tokens_out, cost,
  duration_ms, bytes_out::float8 as bytes_out, outcome, error_type, labels, attributes, call_id, gateway_log_id`

/** Calls of one answer id or one trace at most: a cached answer has the id of the first one. */
const mostOfKey = 200

const found = (agentId: string, keys: readonly string[], condition: SqlPart): SqlPart => sql`
  select known.* from unnest(${keys}::text[]) as given (key), lateral (
    select ${columns} from aegis_activity
    where agent_id = ${agentId} and type = 'llm.call' and ${condition} limit ${mostOfKey}) as known`

const unique = (values: readonly (string | null)[]): readonly string[] => [
  ...new Set(values.filter((value) => value !== null)),
]

/** Gateway records that no report has been joined to. */
function recordsOf(agentId: string, calls: readonly ActivityRecord[]): Sql<StoredCall> {
  const ids = unique(calls.map(({ call_id }) => call_id))
  const entries = ids.map((id) => `gateway:${id}`)
  const traces = unique(calls.map((call) => (call.call_id === null ? call.trace_id : null)))
  return sql<StoredCall>`
    ${found(agentId, entries, sql`event_id = given.key and source = 'gateway'`)}
    union ${found(agentId, ids, sql`call_id = given.key and source = 'gateway'`)}
    union ${found(agentId, traces, sql`trace_id = given.key and source = 'gateway'`)}`
}

/** Reports that no gateway record has been joined to. */
function reportsOf(agentId: string, calls: readonly ActivityRecord[]): Sql<StoredCall> {
  const ids = unique(calls.flatMap(({ call_id, gateway_log_id }) => [call_id, gateway_log_id]))
  const traces = unique(calls.map(({ trace_id }) => trace_id))
  const isReport = sql`source in ('otel', 'native') and gateway_log_id is null`
  return sql<StoredCall>`
    ${found(agentId, ids, sql`call_id = given.key and ${isReport}`)}
    union ${found(agentId, traces, sql`trace_id = given.key and call_id is null and ${isReport}`)}`
}
