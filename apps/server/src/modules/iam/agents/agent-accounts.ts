/**
 * Service accounts of registered agents: made, suspended and ended with the agent, whose id they give. Promises that such
 * an account reaches the data plane alone, whatever its roles and keys say. The caller checks the rights and writes the
 * audit entries. Tested through the routes of agents.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { userActivated } from '../accounts/events.ts'
import { addAccount } from '../accounts/new-account.ts'
import { moveUser } from '../accounts/status.ts'
import { insertKey } from '../api-keys/api-keys.ts'
import { apiKeyCreated } from '../api-keys/events.ts'
import { revokeKeys } from '../api-keys/revocation.ts'
import { assertLife } from '../api-keys/rules.ts'
import { keyView } from '../api-keys/views.ts'
import { endBinding, outsideBindings } from '../outside-tokens/bindings.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { assertCanGrant } from '../rights/escalation.ts'
import type { AgentScope } from '../schemas/agent-scopes.ts'
import type { ApiKey } from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { users } from '../tables/users.ts'

/** @returns id of the new service account. @throws IAM-009 */
export async function addAgentAccount(
  services: IamServices,
  tx: Tx,
  { actor, name }: { readonly actor: Actor; readonly name: string },
): Promise<string> {
  await assertRoomFor(tx, 'service_accounts', services.kernel.clock.iso())
  const id = await addAccount(services, tx, {
    type: 'service',
    isAgent: true,
    email: null,
    status: 'active',
    roleIds: [],
    passwordHash: null,
    mustChangePassword: false,
    profile: { display_name: name },
    by: { userId: actor.userId, tenantId: actor.homeTenantId },
  })
  await tx.emit(userActivated, `user/${id}`, { user_id: id, actor_id: actor.userId, reason: 'created' })
  return id
}

export interface AgentAccountMove {
  readonly id: string
  readonly to: 'active' | 'suspended' | 'deactivated'
  readonly by: string | null
  readonly reason: string
}

/** Moves the account; one that is there already stays. Leaving `active` revokes its keys. @throws API-013, IAM-004 */
export async function moveAgentAccount(services: IamServices, tx: Tx, move: AgentAccountMove): Promise<void> {
  const user = await users.needForUpdate(tx, move.id)
  if (!user.is_agent) throw apiErrors.notFound({ what: 'agent' })
  if (user.status === move.to) return
  await moveUser(services, tx, { user, to: move.to, mover: 'administrator', by: move.by, reason: move.reason })
}

export interface AgentKeyWish {
  readonly actor: Actor
  readonly agentId: string
  readonly name: string
  readonly scopes: readonly AgentScope[]
  readonly expiresAt: string
}

/**
 * Makes a key of the agent; the secret is in this answer alone.
 * @throws AUTH-009 for a session that is not fresh and for keys, IAM-003, IAM-009, IAM-012
 */
export async function issueAgentKey(
  services: IamServices,
  tx: Tx,
  { actor, agentId, name, scopes, expiresAt }: AgentKeyWish,
): Promise<ApiKey & { readonly secret: string }> {
  const { kernel } = services
  assertFresh(actor, kernel.clock)
  assertCanGrant(actor, permissionSet(scopes))
  assertLife(expiresAt, { ...(await settingsOf(tx, tx.tenantId)), now: kernel.clock.now() })
  await assertRoomFor(tx, 'api_keys', kernel.clock.iso())
  const key = {
    ...{ name, kind: 'api' as const, scopes: [...scopes], owner_id: agentId, expires_at: expiresAt },
    ...{ allowed_cidrs: [], rate_limit_per_minute: null },
    ...{ sso_connection_id: null, replaces_id: null, parent_id: null },
  }
  const made = await insertKey(services, tx, { key, actor })
  const data = { api_key_id: made.id, owner_id: agentId, actor_id: actor.userId }
  await tx.emit(apiKeyCreated, `api-key/${made.id}`, data)
  return { ...keyView(await apiKeys.need(tx, made.id), kernel.clock.iso()), secret: made.secret }
}

/** Revokes one key of an agent. Answers whether there was one that was not revoked yet. */
export async function revokeAgentKey(
  services: IamServices,
  tx: Tx,
  { agentId, keyId, by }: { readonly agentId: string; readonly keyId: string; readonly by: string },
): Promise<boolean> {
  const condition = sql`id = ${keyId} and owner_id = ${agentId}`
  return (await revokeKeys(services, tx, { condition, by, reason: 'administrator' })) > 0
}

export interface AgentCredentialsEnd {
  readonly agentId: string
  /** Null where no person decided it. */
  readonly by: string | null
  readonly reason: string
}

/** Revokes every key of an agent and ends every binding of an outside token, at once and on all instances. */
export async function endAgentCredentials(
  services: IamServices,
  tx: Tx,
  { agentId, by, reason }: AgentCredentialsEnd,
): Promise<void> {
  await revokeKeys(services, tx, { condition: sql`owner_id = ${agentId}`, by, reason })
  for (const binding of await outsideBindings(tx, agentId)) await endBinding(services.kernel, tx, binding)
}

/** Keys of an agent as they are now, the newest first, at most 200. */
export async function agentKeys(services: IamServices, tx: Tx, agentId: string): Promise<readonly ApiKey[]> {
  const rows = await tx.query(
    sql<Parameters<typeof keyView>[0]>`
      select ${apiKeys.columns} from iam_api_key where owner_id = ${agentId} order by created_at desc, id desc limit 200`,
  )
  return rows.map((row) => keyView(row, services.kernel.clock.iso()))
}
