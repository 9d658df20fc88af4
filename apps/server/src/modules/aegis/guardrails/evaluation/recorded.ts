/**
 * Recorded calls of agents as items: tool calls for guardrails of tools and flows, model calls for those of input and
 * output. Arguments and texts are not part of the record; servers and tools are as they are registered now. Tested in
 * evaluation.test.ts and recorded.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Database } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { EvaluationContext, GuardedAgent, Step } from '../engine/context.ts'
import type { Item } from './item.ts'
import type { Labels } from './labels.ts'
import type { Register } from './register.ts'
import type { Window } from './schema.ts'

export interface Position {
  readonly time: string
  readonly agentId: string
  readonly eventId: string
}

interface Recorded {
  readonly agent_id: string
  readonly event_id: string
  readonly session_id: string
  readonly time: string
  readonly server: string | null
  readonly tool: string | null
  readonly model: string | null
  readonly labels: readonly string[]
  readonly outcome: string
}

export interface RecordedRequest {
  readonly tenantId: TenantId
  readonly window: Window
  readonly stage: EvaluationContext['stage']
  readonly after: Position | null
  readonly limit: number
}

/** In the order of their time. */
export function readRecorded(
  db: Pick<Database, 'read'>,
  { tenantId, window, stage, after, limit }: RecordedRequest,
): Promise<readonly Recorded[]> {
  const { from, to, agent_id: agent = null, server = null, tool = null } = window
  const { time = null, agentId = null, eventId = null } = after ?? {}
  return db.read(
    tenantId,
    sql<Recorded>`
      select agent_id, event_id, session_id, time, server, tool, model, labels, outcome from aegis_activity
      where time >= ${from} and time < ${to} and type = ${stage === 'tool' ? 'tool.call' : 'llm.call'}
        and (${agent}::uuid is null or agent_id = ${agent}::uuid)
        and (${server}::text is null or server = ${server}::text)
        and (${tool}::text is null or tool = ${tool}::text)
        and (${time}::timestamptz is null
          or (time, agent_id, event_id) > (${time}::timestamptz, ${agentId}::uuid, ${eventId}::text))
      order by time, agent_id, event_id limit ${limit}`,
  )
}

export const positionOf = ({ time, agent_id: agentId, event_id: eventId }: Recorded): Position => ({
  time: new Date(time).toISOString(),
  agentId,
  eventId,
})

interface SessionState {
  readonly history: readonly Step[]
  readonly labels: readonly string[]
  readonly calls: number
  readonly denied: number
  readonly startedMs: number
}

export interface Reading {
  readonly tenantId: string
  readonly stage: EvaluationContext['stage']
  readonly agents: ReadonlyMap<string, GuardedAgent>
  readonly labels: Labels
  readonly register: Register
  /** Of the sessions so far; kept from page to page. */
  readonly sessions: Map<string, SessionState>
}

const mostSteps = 100
const mostLabels = 200

export function itemOfRecord(record: Recorded, { tenantId, stage, agents, labels, register, sessions }: Reading): Item {
  const atMs = Date.parse(record.time)
  const before = sessions.get(record.session_id) ?? { history: [], labels: [], calls: 0, denied: 0, startedMs: atMs }
  const [server, tool] = [record.server ?? 'local', record.tool]
  sessions.set(record.session_id, {
    history: tool === null ? before.history : [...before.history, { server, tool, atMs }].slice(-mostSteps),
    labels:
      record.labels.length === 0
        ? before.labels
        : [...new Set([...before.labels, ...record.labels])].slice(0, mostLabels),
    ...{ calls: before.calls + 1, startedMs: before.startedMs },
    denied: before.denied + (record.outcome === 'denied' ? 1 : 0),
  })
  return {
    ...{ id: record.event_id, isBare: true },
    isAttack: labels.of({ sessionId: record.session_id, agentId: record.agent_id, atMs }),
    context: {
      ...{ tenantId, stage, history: before.history, atMs, user: null },
      agent: agents.get(record.agent_id) ?? null,
      server: record.server === null ? null : register.server(record.server),
      tool: tool === null ? null : register.tool(server, tool),
      ...(stage === 'tool' ? {} : { texts: [] }),
      session: {
        id: record.session_id,
        labels: before.labels,
        calls: before.calls,
        denied: before.denied,
        startedMs: before.startedMs,
      },
      request: { id: null, ip: null, model: record.model, tags: [] },
    },
  }
}
