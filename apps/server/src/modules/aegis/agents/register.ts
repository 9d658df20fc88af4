/** The register of agents: how agents come in and are found. Agents are never deleted. Tested in agents.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { create, newRow } from '../../../kernel/resource/resource.ts'
import { rate } from './declaration.ts'
import type { AgentParts } from './parts.ts'
import { refuseUnknownPeople } from './people.ts'
import type { Agent, AgentFilter, AgentRow, CreateAgent } from './schema.ts'
import { agentResource, agents } from './tables.ts'
import { versionedAgent } from './view.ts'

export interface Creation {
  readonly actor: Actor
  readonly input: CreateAgent
}

/** Registers a draft with its service account, whose id becomes the agent's. @throws API-001, AEGIS-003, IAM-009 */
export async function createAgent(parts: AgentParts, tx: Tx, { actor, input }: Creation): Promise<Versioned<Agent>> {
  await refuseUnknownPeople(parts, tx, input)
  const id = await parts.iam.addAgentAccount(tx, { actor, name: input.name })
  const row = { ...newAgent(parts, tx, input), id }
  await create(tx, agentResource, row, { action: 'aegis.agent.create' })
  return versionedAgent(row)
}

function newAgent({ kernel }: AgentParts, tx: Tx, input: CreateAgent): AgentRow {
  const declared = {
    models: input.models ?? [],
    tools: input.tools ?? [],
    destinations: input.destinations ?? [],
    data_classes: input.data_classes,
    autonomy_level: input.autonomy_level,
    untrusted_input: input.untrusted_input,
    expected_calls_per_day: input.expected_calls_per_day ?? 0,
  }
  return {
    ...newRow(kernel, tx),
    name: input.name,
    slug: input.slug,
    owner_user_id: input.owner_user_id,
    sponsor_user_id: input.sponsor_user_id ?? null,
    purpose: input.purpose,
    framework: input.framework ?? null,
    agent_version: input.agent_version ?? null,
    environment: input.environment,
    tags: input.tags ?? [],
    ...declared,
    ...rate(declared, { callsPerDay: null, raisedTier: null }),
    raised_tier: null,
    status: 'draft',
    status_reason: null,
    ...{ review: null, approved_at: null, next_review_at: null },
    ...{ calls_per_day: null, last_seen_at: null, has_drift: false, scored_until: null, review_told_at: null },
  }
}

export interface List {
  readonly page: PageRequest
  readonly filter: AgentFilter
  /** ISO time that reviews are due by. */
  readonly now: string
}

export async function listAgents(tx: Tx, { page, filter, now }: List): Promise<Page<Versioned<Agent>>> {
  const found = await agents.page(tx, page, join([sql`true`, ...conditions(filter, now)], ' and '))
  return { ...found, items: found.items.map((row) => versionedAgent(row)) }
}

function conditions(filter: AgentFilter, now: string): readonly SqlPart[] {
  const { status, tier, owner_user_id: owner, tag, environment, drift, review_due: due, q } = filter
  return [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(tier === undefined ? [] : [sql`risk_tier = ${tier}`]),
    ...(owner === undefined ? [] : [sql`owner_user_id = ${owner}`]),
    ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
    ...(environment === undefined ? [] : [sql`environment = ${environment}`]),
    ...(drift === undefined ? [] : [sql`has_drift = ${drift}`]),
    ...(due === undefined ? [] : [sql`(coalesce(next_review_at <= ${now}, false)) = ${due}`]),
    ...(q === undefined ? [] : [namedBy(q)]),
  ]
}

/** The slug, or a word of the name, begins with it. */
function namedBy(q: string): SqlPart {
  const prefix = likePrefix(q)
  return sql`(slug like ${prefix} or lower(name) like ${prefix} or lower(name) like ${`% ${prefix}`})`
}
