/** Calls of tools as activity of their agents, so that sessions, uses and baselines know them. Tested in proxy.test.ts. */
import { sql } from '../../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../../kernel/events/catalogue/logged-event.ts'
import type { EventHandlerDeclaration } from '../../../../kernel/module/module.ts'
import { ingest } from '../../activity/ingest.ts'
import { type ActivityRecord, noDetails } from '../../activity/record/record.ts'
import { outcomes } from '../../activity/record/words.ts'
import type { AgentRow } from '../../agents/schema.ts'
import { agents } from '../../agents/tables.ts'

export const mcpRecords: EventHandlerDeclaration<unknown> = {
  name: 'aegis.mcp_records',
  channels: ['aegis.mcp_call.completed'],
  handle: async ({ tx, events, kernel }) => {
    const byAgent = new Map<string, ActivityRecord[]>()
    for (const event of events) {
      const record = recordOf(event)
      if (record === null) continue
      const agentId = String(event.data.agent_id)
      byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), record])
    }
    if (byAgent.size === 0) return
    const known = await tx.query(
      sql<AgentRow>`select ${agents.columns} from aegis_agent where id = any(${[...byAgent.keys()]}::uuid[]) order by id`,
    )
    for (const agent of known) await ingest(kernel, tx, { agent, records: byAgent.get(agent.id) ?? [] })
  },
}

const types: Readonly<Record<string, ActivityRecord['type']>> = {
  'tools/call': 'tool.call',
  'resources/read': 'retrieval',
  'prompts/get': 'retrieval',
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' && value >= 0 ? value : null)

/** Null for messages that are no step of the agent's work, such as lists. */
export function recordOf({ time, data }: Pick<LoggedEvent, 'time' | 'data'>): ActivityRecord | null {
  const type = types[String(data.method)]
  if (type === undefined || typeof data.call_id !== 'string') return null
  const labels = Array.isArray(data.labels_after) ? data.labels_after.filter((label) => typeof label === 'string') : []
  return {
    ...noDetails,
    ...{ event_id: `mcp:${data.call_id}`, type, source: 'mcp', time: new Date(time).toISOString() },
    ...{ conversation_id: textOf(data.conversation)?.slice(0, 128) ?? null, trace_id: textOf(data.trace_id) },
    ...{ tool: textOf(data.tool), server: textOf(data.server) },
    ...{ duration_ms: numberOf(data.duration_ms), bytes_out: numberOf(data.bytes_out) },
    outcome: outcomes.find((outcome) => outcome === data.outcome) ?? 'unknown',
    error_type: textOf(data.error_code),
    labels: labels.filter((label) => label.length <= 64).slice(0, 20),
  }
}
