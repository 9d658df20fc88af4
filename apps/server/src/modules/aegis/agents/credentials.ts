/** Credentials by which an agent proves who it is. Tested in agents.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { agentScopes } from '../../iam/api.ts'
import { errors } from '../errors/errors.ts'
import type { AgentParts } from './parts.ts'
import type { AgentRow, CreateCredential, NewCredential } from './schema.ts'
import { agents } from './tables.ts'
import { bindingView, credentialsOf, keyView } from './view.ts'

const dayMs = 86_400_000
const usualDays = 90

/** Days that a credential may live: the fewer where the agent can do most. */
const mostDays = ({ risk_tier }: AgentRow): number => (risk_tier === 4 ? 90 : 365)

export interface CredentialWish {
  readonly actor: Actor
  readonly agentId: string
  readonly input: CreateCredential
}

/** @throws API-001, API-013, AUTH-009, AEGIS-002, IAM-003, IAM-009, IAM-012, IAM-021 */
export async function issueCredential(parts: AgentParts, tx: Tx, wish: CredentialWish): Promise<NewCredential> {
  const { agentId, input } = wish
  const agent = await agents.needForUpdate(tx, agentId)
  if (agent.status !== 'approved' && agent.status !== 'active')
    throw errors.illegalMove({ what: 'agent', status: agent.status, to: 'credential' })
  const { api_key: key, match, expires_at } = input
  const made =
    input.kind === 'api_key'
      ? await issueKey(parts, tx, { ...wish, agent, key: given(key, match, 'api_key') })
      : await bindToken(parts, tx, { ...wish, match: given(match, key ?? expires_at, 'match') })
  const { secret: _secret, ...shown } = made
  await tx.audit('aegis.agent_credential.create', { target: `agent:${agentId}`, after: shown })
  return made
}

/** The member of the kind. @throws API-001 where it is missing, or where there is one of the other kind */
function given<T>(member: T | undefined, other: unknown, name: string): T {
  if (member !== undefined && other === undefined) return member
  const detail = `A credential of this kind is described by ${name}, and by nothing of the other kind.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `/${name}` }])
}

type KeyWish = CredentialWish & {
  readonly agent: AgentRow
  readonly key: NonNullable<CreateCredential['api_key']>
}

async function issueKey({ kernel, iam }: AgentParts, tx: Tx, { actor, agentId, agent, input, key }: KeyWish) {
  const { name, scopes = agentScopes } = key
  const expiresAt = input.expires_at ?? new Date(kernel.clock.now() + usualDays * dayMs).toISOString()
  refuseLongLife(agent, Date.parse(expiresAt) - kernel.clock.now())
  const { secret, ...made } = await iam.issueAgentKey(tx, { actor, agentId, name, scopes, expiresAt })
  return { ...keyView(made), secret }
}

type TokenWish = CredentialWish & { readonly match: NonNullable<CreateCredential['match']> }

async function bindToken({ iam }: AgentParts, tx: Tx, { actor, agentId, match }: TokenWish) {
  const binding = await iam.bindOutsideToken(tx, actor, { serviceAccountId: agentId, match })
  return { ...bindingView(binding), secret: null }
}

function refuseLongLife(agent: AgentRow, lifeMs: number): void {
  const days = mostDays(agent)
  if (lifeMs <= days * dayMs) return
  const detail = `A credential of an agent of tier ${agent.risk_tier} lives at most ${days} days.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/expires_at' }])
}

export interface CredentialRemoval {
  readonly actor: Actor
  readonly agentId: string
  readonly id: string
}

/** Revokes a credential; a key again changes nothing. @throws API-013, AUTH-009, IAM-003 */
export async function revokeCredential(
  parts: AgentParts,
  tx: Tx,
  { actor, agentId, id }: CredentialRemoval,
): Promise<{ readonly id: string; readonly deleted: true }> {
  await agents.need(tx, agentId)
  const found = (await credentialsOf(parts, tx, agentId)).find((each) => each.id === id)
  if (found === undefined) throw apiErrors.notFound({ what: 'credential' })
  if (found.kind === 'jwt') await parts.iam.unbindOutsideToken(tx, actor, id)
  else await parts.iam.revokeAgentKey(tx, { agentId, keyId: id, by: actor.userId })
  await tx.audit('aegis.agent_credential.delete', { target: `agent:${agentId}`, before: found })
  return { id, deleted: true }
}
