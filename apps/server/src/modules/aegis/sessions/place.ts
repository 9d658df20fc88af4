/**
 * Which session each event belongs to. Events are of one conversation, else of one trace, else of the agent's window; a
 * session ends by its end event or after 30 minutes without events. Pure. Tested in place.test.ts.
 */
import type { ActivityRecord } from '../activity/record/record.ts'
import { added, countsOf } from './counts.ts'
import type { SessionRow } from './schema.ts'

export const idleMs = 30 * 60_000

export type PlacedRecord = ActivityRecord & { readonly session_id: string; readonly seq: number }

export interface Placed {
  readonly events: readonly PlacedRecord[]
  /** Every session with new events, as it is after them. */
  readonly sessions: readonly SessionRow[]
  /** Those of them that are new. */
  readonly opened: ReadonlySet<string>
}

export interface Placing {
  readonly agentId: string
  readonly tenantId: string
  /** Open sessions of the agent that may take the events. */
  readonly open: readonly SessionRow[]
  /** By time. */
  readonly records: readonly ActivityRecord[]
  /** ISO time of the placing. */
  readonly at: string
  readonly newId: () => string
}

export function sessionKey({ conversation_id, trace_id }: ActivityRecord): string {
  if (conversation_id !== null) return `c:${conversation_id}`
  return trace_id === null ? 'w' : `t:${trace_id}`
}

/** Places events; every event gets the next number of its session. */
export function place(placing: Placing): Placed {
  const open = new Map<string, SessionRow>()
  for (const session of placing.open) {
    open.set(session.key, session)
    if (session.trace_id !== null && !open.has(`t:${session.trace_id}`)) open.set(`t:${session.trace_id}`, session)
  }
  const touched = new Map<string, SessionRow>()
  const opened = new Set<string>()
  const keep = (session: SessionRow): void => {
    touched.set(session.id, session)
    for (const key of [session.key, ...(session.trace_id === null ? [] : [`t:${session.trace_id}`])]) {
      const holder = open.get(key)
      if (session.status === 'open' && (holder === undefined || holder.id === session.id)) open.set(key, session)
      if (session.status === 'closed' && holder?.id === session.id) open.delete(key)
    }
  }
  const events = placing.records.map((record) => {
    const found = sessionFor(open, record)
    if (found !== null && isOver(found, record)) keep({ ...found, ...ended(found.last_event_at, placing.at) })
    const session = found === null || isOver(found, record) ? newSession(placing, record) : found
    if (session !== found) opened.add(session.id)
    keep(withEvent(session, record, placing.at))
    return { ...record, session_id: session.id, seq: session.next_seq }
  })
  return { events, sessions: [...touched.values()], opened }
}

function sessionFor(open: ReadonlyMap<string, SessionRow>, record: ActivityRecord): SessionRow | null {
  const byTrace = record.trace_id === null ? undefined : open.get(`t:${record.trace_id}`)
  // A gateway record has the trace of the call at most: without a session of that trace it belongs to the window.
  const key = record.source === 'gateway' && record.conversation_id === null ? 'w' : sessionKey(record)
  return open.get(key) ?? (record.conversation_id === null ? byTrace : undefined) ?? null
}

const isOver = ({ last_event_at }: SessionRow, { time }: ActivityRecord): boolean =>
  Date.parse(time) - Date.parse(last_event_at) > idleMs

const ended = (at: string, updated_at: string) => ({ status: 'closed' as const, ended_at: at, updated_at })

function newSession({ agentId, tenantId, newId, at }: Placing, record: ActivityRecord): SessionRow {
  const isWindow = record.source === 'gateway' && record.conversation_id === null
  const key = isWindow ? 'w' : sessionKey(record)
  return {
    ...{ id: newId(), tenant_id: tenantId, created_at: at, updated_at: at, agent_id: agentId, key },
    source: record.source,
    conversation_id: record.conversation_id,
    trace_id: isWindow ? null : record.trace_id,
    user_id: null,
    labels: [],
    label_scope: key === 'w' ? 'agent_window' : 'conversation',
    status: 'open',
    ...{ calls: 0, denied: 0, errors: 0, tokens_in: 0, tokens_out: 0, cost: 0, next_seq: 1 },
    ...{ started_at: record.time, last_event_at: record.time, ended_at: null },
  }
}

function withEvent(session: SessionRow, record: ActivityRecord, at: string): SessionRow {
  const { time, type } = record
  const isEnd = type === 'session.end'
  const last = time > session.last_event_at ? time : session.last_event_at
  return {
    ...session,
    updated_at: at,
    ...added(session, countsOf(record)),
    labels:
      record.labels.length === 0 ? session.labels : [...new Set([...session.labels, ...record.labels])].slice(0, 50),
    next_seq: session.next_seq + 1,
    started_at: time < session.started_at ? time : session.started_at,
    last_event_at: last,
    ...(isEnd ? { status: 'closed' as const, ended_at: last } : {}),
  }
}
