/**
 * Model calls of agents through the gateway as activity, without any instrumentation of the agent. Tested in
 * activity.test.ts.
 */
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agents } from '../agents/tables.ts'
import { ingest } from './ingest.ts'
import { type ActivityRecord, noDetails } from './record/record.ts'
import type { Outcome } from './record/words.ts'

export const gatewayRecords: EventHandlerDeclaration<unknown> = {
  name: 'aegis.gateway_records',
  channels: ['gateway.request.completed', 'gateway.request.blocked'],
  interest: () => sql`exists (select from aegis_agent agent where agent.tenant_id = event.tenant_id)`,
  handle: async ({ tx, events, kernel }) => {
    const byAgent = recordsByAgent(events)
    if (byAgent.size === 0) return
    const known = await tx.query(
      sql<AgentRow>`select ${agents.columns} from aegis_agent where id = any(${[...byAgent.keys()]}::uuid[]) order by id`,
    )
    for (const agent of known) {
      await ingest(kernel, tx, { agent, records: byAgent.get(agent.id) ?? [] })
    }
  },
}

function recordsByAgent(events: readonly LoggedEvent[]): ReadonlyMap<string, readonly ActivityRecord[]> {
  const byAgent = new Map<string, ActivityRecord[]>()
  for (const event of events) {
    const read = readRecord(event)
    if (read === null) continue
    const records = byAgent.get(read.agentId)
    if (records === undefined) byAgent.set(read.agentId, [read.record])
    else records.push(read.record)
  }
  return byAgent
}

const outcomes: Readonly<Record<string, Outcome>> = {
  ...{ completed: 'succeeded', failed: 'protocol_error', incomplete: 'succeeded', client_closed: 'cancelled' },
}

interface AgentRecord {
  readonly agentId: string
  readonly record: ActivityRecord
}

/** Null for a call without an agent, and for a monitored call: its completion follows. */
export function readRecord({
  channel,
  time,
  data,
}: Pick<LoggedEvent, 'channel' | 'time' | 'data'>): AgentRecord | null {
  const { agent_id: agentId, log_id: logId } = data
  if (typeof agentId !== 'string' || typeof logId !== 'string' || data.monitor === true) return null
  const isBlocked = channel === 'gateway.request.blocked'
  const usage = objectOf(data.usage)
  const record: ActivityRecord = {
    ...noDetails,
    ...{ event_id: `gateway:${logId}`, type: 'llm.call', source: 'gateway', time: new Date(time).toISOString() },
    ...{ trace_id: textOf(data.trace_id), provider: textOf(data.provider), model: textOf(data.model) },
    ...{ tokens_in: numberOf(usage.input_tokens), tokens_out: numberOf(usage.output_tokens) },
    cost: data.cost === null ? null : numberOf(Number(data.cost)),
    duration_ms: numberOf(objectOf(data.timings).total_ms),
    outcome: isBlocked ? 'denied' : (outcomes[String(data.status)] ?? 'unknown'),
    ...{ call_id: textOf(data.response_id) ?? logId, gateway_log_id: logId },
    error_type: textOf(isBlocked ? objectOf(data.blocked_by).error_code : data.error_code),
  }
  return { agentId, record }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' && value >= 0 ? value : null)
const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
