import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { type ApiKey, agentScopes, type OutsideBinding } from '../../iam/api.ts'
import { allows, type SeenUse } from './declaration.ts'
import type { AgentParts } from './parts.ts'
import type { Agent, AgentRow, Credential, Use } from './schema.ts'
import { agentUses } from './tables.ts'

export function agentView({
  version: _version,
  calls_per_day: _calls,
  scored_until: _until,
  review_told_at: _told,
  ...shown
}: AgentRow): Agent {
  return shown
}

export const versionedAgent = (row: AgentRow, more: Partial<Agent> = {}): Versioned<Agent> =>
  new Versioned({ ...agentView(row), ...more }, row.version)

/** Shown at most of one agent. */
const mostUses = 500

/** Uses seen in the agent's traffic, each with whether the declaration allows it. */
export async function usesOf(tx: Tx, agent: AgentRow): Promise<Use[]> {
  const rows = await tx.query(sql<Omit<Use, 'declared'>>`
    select kind, name, calls::float8 as calls, first_seen_at, last_seen_at from ${agentUses.from}
    where agent_id = ${agent.id} order by first_seen_at desc, kind, name limit ${mostUses}`)
  return rows.map((row) => ({ ...row, declared: allows(agent, row) }))
}

/** Whether anything was seen that the declaration does not allow. */
export async function hasDrift(tx: Tx, agent: AgentRow): Promise<boolean> {
  const seen = await tx.query(
    sql<SeenUse>`select kind, name from ${agentUses.from} where agent_id = ${agent.id} order by kind, name limit 5000`,
  )
  return seen.some((use) => !allows(agent, use))
}

export function keyView({ id, name, prefix, scopes, ...key }: ApiKey): Credential {
  const { owner_id: agent_id, created_at, expires_at, last_used_at, status } = key
  const shown = { id, agent_id, kind: 'api_key' as const, name, prefix, match: null, scopes }
  return { ...shown, created_at, expires_at, last_used_at, status }
}

/** A binding of an outside token has no end of its own: each of its tokens has. */
export function bindingView({ id, user_id, created_at, issuer, claim, value, audience }: OutsideBinding): Credential {
  return {
    ...{ id, agent_id: user_id, kind: 'jwt', name: null, prefix: null, match: { issuer, claim, value, audience } },
    ...{ scopes: [...agentScopes], created_at, expires_at: null, last_used_at: null, status: 'active' },
  }
}

/** Keys and bindings of an agent. */
export async function credentialsOf({ iam }: Pick<AgentParts, 'iam'>, tx: Tx, agentId: string): Promise<Credential[]> {
  const [keys, bindings] = [await iam.agentKeys(tx, agentId), await iam.outsideBindings(tx, agentId)]
  return [...keys.map(keyView), ...bindings.map(bindingView)]
}
