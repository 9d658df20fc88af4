import type { Actor, TenantId } from '../../kernel/access/actor.ts'
import type { Permission } from '../../kernel/access/permissions.ts'
import type { RestoredState } from '../../kernel/backup/replace.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { defineApi } from '../../kernel/module/module.ts'
import type { AgentAccountMove, AgentCredentialsEnd, AgentKeyWish } from './agents/agent-accounts.ts'
import type { OldKeys, PersonOfLogin, Principal, RoleName } from './lookups/lookups.ts'
import type { Recipient, RecipientCriteria } from './lookups/recipients.ts'
import type { NewOutsideBinding, OutsideBinding } from './outside-tokens/bindings.ts'
import type { Posture } from './posture/schema.ts'
import type { Settled } from './restore/settle.ts'
import type { ApiKey } from './schemas/credentials.ts'
import type { QuotaValues } from './schemas/quotas.ts'
import type { PolicyRules } from './settings/tenant-settings.ts'

export { errors as iamErrors } from './errors/errors.ts'
export { boundClaims } from './outside-tokens/match.ts'
export { type AgentScope, agentScopes } from './schemas/agent-scopes.ts'
export type {
  ApiKey,
  NewOutsideBinding,
  OutsideBinding,
  PersonOfLogin,
  PolicyRules,
  Principal,
  Recipient,
  RecipientCriteria,
  RoleName,
}

/** Questions other modules may ask about people. */
export interface IamApi {
  /** Number of people with the permission in the transaction's tenant who can be the second person to the actor. */
  countSecondPeople(tx: Tx, actor: Pick<Actor, 'userId' | 'origin'>, permission: Permission): Promise<number>
  /** Number of people of the transaction's tenant that are not deactivated. */
  countPeople(tx: Tx): Promise<number>
  /** Identity posture of the transaction's tenant now, in counts. */
  posture(tx: Tx): Promise<Posture>
  /** The user or key of this id in the transaction's tenant. */
  findPrincipal(tx: Tx, id: string): Promise<Principal | null>
  /** Those of the ids that exist: of users among `users`, of keys among `keys`. */
  knownPrincipals(
    tx: Tx,
    asked: { readonly users: readonly string[]; readonly keys: readonly string[] },
  ): Promise<ReadonlySet<string>>
  /**
   * Lets tokens of an outside issuer act as a service account, on routes that take such tokens (`outsideTokens` of a
   * route). A token that several tenants bound needs the tenant in `X-Tenant-ID`.
   * @throws API-001, API-013, AUTH-009, IAM-003, IAM-021
   */
  bindOutsideToken(tx: Tx, actor: Actor, binding: NewOutsideBinding): Promise<OutsideBinding>
  /** From the commit on such tokens are refused. @throws API-013, AUTH-009, IAM-003 */
  unbindOutsideToken(tx: Tx, actor: Actor, bindingId: string): Promise<void>
  /** Bindings of a service account, the oldest first. */
  outsideBindings(tx: Tx, serviceAccountId: string): Promise<readonly OutsideBinding[]>
  /** The people of the tenant by address or by its part before the @, in lower case; ambiguous logins are left out. */
  peopleByLogin(tx: Tx, logins: readonly string[]): Promise<ReadonlyMap<string, PersonOfLogin>>
  /** Active people who are named, or hold one of the roles or the permission; each once, with the rights of this moment. */
  recipients(tx: Tx, criteria: RecipientCriteria): Promise<readonly Recipient[]>
  /** Those of the owners who have a valid key that was made before a time. */
  ownersOfOldKeys(tx: Tx, asked: OldKeys): Promise<ReadonlySet<string>>
  /** Those of the ids that are service accounts. */
  knownServiceAccounts(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The tenant's roles among these ids and names; case does not matter in a name. */
  findRoles(tx: Tx, idsOrNames: readonly string[]): Promise<readonly RoleName[]>
  /** The tenant's groups among these ids and names; case does not matter in a name. */
  findGroups(tx: Tx, idsOrNames: readonly string[]): Promise<readonly RoleName[]>
  /** Ends every session of the transaction's tenant; answers how many there were. */
  endEverySession(tx: Tx, ending: { readonly by: string; readonly reason: string }): Promise<number>
  /**
   * Makes the state of a backup fit to be opened: erases and revokes again what was erased and revoked since, and ends
   * every session in it.
   */
  settleRestored(state: RestoredState): Promise<Settled>
  /** The same for one tenant that is to be copied. @throws BackupRefused */
  prepareCopy(state: RestoredState, source: TenantId): Promise<void>
  /** Makes the transaction's tenant, with keys and without first rows. @throws BackupRefused */
  adoptTenant(
    tx: Tx,
    tenant: { readonly name: string; readonly slug: string; readonly parentId: TenantId },
  ): Promise<void>
  /** Removes all credentials of the transaction's tenant; its people have to be invited again. Returns their number. */
  closeAccounts(tx: Tx): Promise<number>
  /** Rules that the tenant and its ancestors set for changes to policies. */
  policyRules(tx: Tx): Promise<PolicyRules>
  /** The time zone of the transaction's tenant, where nothing else says one. */
  timeZone(tx: Tx): Promise<string>
  /** Regions a tenant lets its data go to, outside of any transaction; null for anywhere, empty for nowhere. */
  dataResidency(tenantId: TenantId): Promise<readonly string[] | null>
  /**
   * Erases a person as `DELETE /iam/users/{id}` with the mode `erase` does; the caller has checked the rights. Gives the rows
   * removed by table, or null where no such person exists or is left. @throws API-032, IAM-004, IAM-005
   */
  erasePerson(tx: Tx, userId: string): Promise<Readonly<Record<string, number>> | null>
  /**
   * Corrects the display name of an account from one text to another, for a request that others have decided. False where
   * the name is another one or belongs to a directory.
   */
  correctName(
    tx: Tx,
    correction: { readonly userId: string; readonly from: string; readonly to: string },
  ): Promise<boolean>
  /** Upper bounds of a tenant, outside of any transaction. */
  quotas(tenantId: TenantId): Promise<QuotaValues>
  /** Calls the listener after a committed change of the tenant itself (quotas, status, settings). */
  onTenantChanged(listener: (tenantId: TenantId) => void): () => void
  /** The oldest tenant at the root, which is the one the installation began with; null before there is one. */
  firstTenant(): Promise<TenantId | null>
  /** Names of all roles of a tenant by id, outside of any transaction. */
  roleNames(tenantId: TenantId): Promise<ReadonlyMap<string, string>>
  /** Members of these groups of a tenant, by group, read outside of any transaction. */
  groupMembers(tenantId: TenantId, groupIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** Calls the listener after a committed change of the members of a group of the tenant. */
  onGroupsChanged(listener: (tenantId: TenantId) => void): () => void
  /** Calls the listener after a committed creation, change or deletion of a role of the tenant. */
  onRolesChanged(listener: (tenantId: TenantId) => void): () => void
  /**
   * Makes the service account of an agent, which reaches the data plane alone, and gives its id. The caller has checked
   * the rights and leaves the audit entry, here and below. @throws IAM-009
   */
  addAgentAccount(tx: Tx, wish: { readonly actor: Actor; readonly name: string }): Promise<string>
  /** Moves an agent's account; leaving `active` revokes its keys. @throws API-013, IAM-004 */
  moveAgentAccount(tx: Tx, move: AgentAccountMove): Promise<void>
  /** Makes a key of an agent, with its secret. @throws AUTH-009, IAM-003, IAM-009, IAM-012 */
  issueAgentKey(tx: Tx, wish: AgentKeyWish): Promise<ApiKey & { readonly secret: string }>
  /** Revokes a key of an agent at once. Answers whether there was one to revoke. */
  revokeAgentKey(
    tx: Tx,
    key: { readonly agentId: string; readonly keyId: string; readonly by: string },
  ): Promise<boolean>
  /** Revokes every key of an agent and ends every binding of an outside token to it. */
  endAgentCredentials(tx: Tx, end: AgentCredentialsEnd): Promise<void>
  /** Keys of an agent as they are now, the newest first. */
  agentKeys(tx: Tx, agentId: string): Promise<readonly ApiKey[]>
}

export const iamApi = defineApi<IamApi>('iam')
