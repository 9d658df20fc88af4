/** Sessions of agents, listed and read. Tested in ../activity/activity.test.ts. */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { flowGraph } from './graph.ts'
import type { AgentSession, SessionDetail, SessionFilter, SessionItem, SessionRow } from './schema.ts'
import { sessions } from './tables.ts'

function sessionView({ key: _key, next_seq: _next, ...row }: SessionRow): AgentSession {
  const { calls, denied, errors, tokens_in, tokens_out, cost, ...facts } = row
  return { ...facts, counts: { calls, denied, errors, tokens_in, tokens_out, cost } }
}

export async function listSessions(tx: Tx, page: PageRequest, filter: SessionFilter): Promise<Page<AgentSession>> {
  const found = await sessions.page(tx, page, join([sql`true`, ...conditions(filter)], ' and '))
  return { ...found, items: found.items.map(sessionView) }
}

function conditions(filter: SessionFilter): readonly SqlPart[] {
  const { agent_id, source, status, label, decision, server, from, to, q } = filter
  return [
    ...(agent_id === undefined ? [] : [sql`agent_id = ${agent_id}`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(label === undefined ? [] : [sql`${label} = any(labels)`]),
    ...(decision === undefined ? [] : [sql`denied > 0`]),
    ...(server === undefined ? [] : [withServer(server)]),
    ...(from === undefined ? [] : [sql`started_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`started_at < ${to}`]),
    ...(q === undefined ? [] : [searched(q)]),
  ]
}

const withServer = (server: string): SqlPart =>
  sql`exists (select from aegis_activity event where event.session_id = aegis_session.id and event.server = ${server})`

const searched = (q: string): SqlPart =>
  sql`(lower(conversation_id) like ${likePrefix(q)} or lower(trace_id) like ${likePrefix(q)})`

/** Items of one answer. */
const pageOfItems = 200

/** @throws API-013 */
export async function readSession(tx: Tx, id: string, afterSeq: number): Promise<SessionDetail> {
  const row = await sessions.need(tx, id)
  const items = await tx.query(
    sql<SessionItem>`
      select seq, event_id, time, type, source, span_id, parent_id, server, tool, provider, model, destination, outcome,
        error_type, tokens_in::float8 as tokens_in, tokens_out::float8 as tokens_out, cost,
        bytes_out::float8 as bytes_out, duration_ms as latency_ms, labels, gateway_log_id
      from aegis_activity where session_id = ${id} and seq > ${afterSeq} order by seq limit ${pageOfItems + 1}`,
  )
  return {
    ...sessionView(row),
    items: items.slice(0, pageOfItems),
    more: items.length > pageOfItems,
    graph: await flowGraph(tx, id, row.agent_id),
  }
}
