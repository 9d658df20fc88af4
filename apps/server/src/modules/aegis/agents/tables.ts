import { table } from '../../../kernel/db/table.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { AgentRow, UseRow } from './schema.ts'

export const agents = table({
  name: 'aegis_agent',
  noun: 'agent',
  row: AgentRow,
  sorts: ['created_at', 'name', 'risk_score'],
  // The last three are read by the kill list, for switches of a tag or a user.
  dueBy: ['scored_until', 'next_review_at', 'review_told_at', 'id', 'tags', 'owner_user_id'],
  inTenantCopies: true,
  data: {
    category: 'agent_register',
    subject: ['owner_user_id', 'sponsor_user_id'],
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})

/** Tools, models, destinations and data classes seen in an agent's traffic. */
export const agentUses = table({
  name: 'aegis_agent_use',
  noun: 'use of an agent',
  row: UseRow,
  key: ['agent_id', 'kind', 'name'],
  data: { category: 'agent_activity', subject: [], retention: 'tenant', erasure: 'none' },
})

/** Topic of changes that calls of agents are judged by. */
export const agentTopic = 'aegis.agents'

export const agentResource = resource({
  table: agents,
  kind: 'agent',
  announces: agentTopic,
  unique: { aegis_agent_slug: ({ slug }: AgentRow) => errors.exists({ what: `agent with the slug ${slug}` }) },
})
