/**
 * Effects of a hard kill switch on the agents it covers: they are quarantined, and their credentials end for good. The
 * kill list refuses their calls from the first moment on; this work follows, and survives a crash because an event
 * triggers it. Tested in killed.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import type { AgentParts } from './parts.ts'
import { quarantineAgent } from './transition.ts'

interface Services {
  readonly agents: AgentParts
}

export const quarantineKilled: EventHandlerDeclaration<Services> = {
  name: 'aegis.killed_agents',
  channels: ['aegis.kill_switch.activated'],
  interest: () => sql`exists (select from aegis_agent agent where agent.tenant_id = event.tenant_id)`,
  handle: async ({ tx, events, services }) => {
    for (const event of events) {
      const kill = killOf(event)
      if (kill !== null) await endAgents(services.agents, tx, kill)
    }
  },
}

interface Kill {
  readonly scope: 'agent' | 'agents_by_tag' | 'user'
  readonly value: string
  readonly reason: string
  readonly by: string | null
}

/** Null for a switch that lets running work end, and for one that is about something else than agents. */
function killOf({ data: { level, scope, value, reason, activated_by: by } }: Pick<LoggedEvent, 'data'>): Kill | null {
  if (level !== 'hard' || typeof value !== 'string' || typeof reason !== 'string') return null
  if (scope !== 'agent' && scope !== 'agents_by_tag' && scope !== 'user') return null
  return { scope, value, reason: `kill switch: ${reason}`.slice(0, 500), by: typeof by === 'string' ? by : null }
}

async function endAgents(parts: AgentParts, tx: Tx, { scope, value, reason, by }: Kill): Promise<void> {
  const found = await tx.query(sql<{ id: string }>`
    select id from aegis_agent
    where status <> 'retired' and case ${scope}::text
      when 'agent' then id::text = ${value}
      when 'user' then owner_user_id::text = ${value}
      else ${value} = any(tags) end
    order by id`)
  for (const { id } of found) {
    await quarantineAgent(parts, tx, { id, reason })
    await parts.iam.endAgentCredentials(tx, { agentId: id, by, reason: 'kill switch' })
  }
}
