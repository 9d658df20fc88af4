import type { Actor } from '../../../kernel/access/actor.ts'
import { listPermissions, permissionSet } from '../../../kernel/access/permissions.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { type Held, hold, remove, write } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { assertActivePerson } from '../rights/active-person.ts'
import { keepingAdministrators } from '../rights/administrators.ts'
import { assertCanGrant, assertCanGrantRoles } from '../rights/escalation.ts'
import { roleChanged } from '../rights/events.ts'
import { followRole } from '../rights/group-roles.ts'
import type { GrantedRole } from '../rights/subjects.ts'
import type { ChangedRole, PatchRole } from '../schemas/roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { roles } from '../tables/roles.ts'
import { knownPermissions, nameKey, type RoleRow, roleResource, seeRole } from './roles.ts'

export interface RoleChange {
  readonly actor: Actor
  readonly id: string
  readonly body: PatchRole
  readonly precondition: Precondition
}

/** @throws API-001, API-011, API-012, API-013, IAM-003, IAM-005, IAM-006, IAM-008 */
export async function changeRole(
  services: IamServices,
  tx: Tx,
  ask: RoleChange,
): Promise<Versioned<ChangedRole> | ChangedRole> {
  const { actor, body } = ask
  const held = await changeableRole(tx, ask)
  const { row } = held
  const wanted = body.permissions === undefined ? row.permissions : knownPermissions(body.permissions)
  const [had, gets] = [permissionSet(row.permissions), permissionSet(wanted)].map(listPermissions)
  const gains = gets?.filter((permission) => had?.includes(permission) === false) ?? []
  const loses = had?.filter((permission) => gets?.includes(permission) === false) ?? []
  if (gains.length > 0 || body.assignable_by_scim === true) assertFreshSession(actor, services.kernel.clock)
  assertCanGrant(actor, permissionSet(gains))
  if (body.owner_id != null) await assertActivePerson(tx, body.owner_id, '/owner_id')
  // Directories may grant an assignable role to people not known yet, so the actor must be able to grant it.
  if (body.assignable_by_scim === true) assertCanGrantRoles(actor, [row])
  await assertMayTouchHolders(tx, ask)
  const before = await seeRole(tx, ask.id)
  if (body.dry_run === true) {
    const impact = { ...(await holdersOf(services, tx, ask.id)), gains, loses }
    await tx.audit('iam.role.preview', { target: `role:${ask.id}`, after: { permissions: wanted } })
    return { ...before.data, impact }
  }
  await keepingAdministrators(tx, services.kernel.clock.now(), () => writeRole(services, tx, { held, body, wanted }))
  await followRole(services, tx, ask.id, { grantor: actor, userId: actor.userId })
  const after = await seeRole(tx, ask.id)
  await tx.audit('iam.role.change', { target: `role:${ask.id}`, before: before.data, after: after.data })
  await announce(services, tx, { id: ask.id, change: 'changed', actor })
  return after
}

/** In a built-in role, only SCIM assignability and the owner can be changed. @throws API-012, API-013, IAM-006 */
async function changeableRole(tx: Tx, ask: RoleChange): Promise<Held<RoleRow>> {
  const { id, body, precondition } = ask
  const { assignable_by_scim: assignable, owner_id: owner, dry_run: dry, ...rest } = body
  const isSmall = (assignable !== undefined || owner !== undefined) && Object.keys(rest).length === 0
  if (!isSmall || dry === true) return ownRole(tx, ask)
  return hold(tx, roleResource, { id, precondition, allow: (row) => refuseBuiltin(row, row.builtin === 'super_admin') })
}

/** @throws API-012, API-013, IAM-006 */
function ownRole(tx: Tx, { id, precondition }: Pick<RoleChange, 'id' | 'precondition'>): Promise<Held<RoleRow>> {
  return hold(tx, roleResource, { id, precondition, allow: (row) => refuseBuiltin(row, row.builtin !== null) })
}

function refuseBuiltin({ name }: RoleRow, isRefused: boolean): void {
  if (isRefused) throw errors.builtinRole({ name })
}

/**
 * Changing a role is an act on all its holders: their combined rights must be within the actor's
 * rights. One's own holding does not count, so that administrators can shape a role of theirs.
 * @throws IAM-003
 */
async function assertMayTouchHolders(tx: Tx, { actor, id }: Pick<RoleChange, 'actor' | 'id'>): Promise<void> {
  const self = actor.kind === 'user' ? actor.userId : null
  const held = await tx.query(sql<GrantedRole>`
    select distinct r.id, r.name, r.builtin, r.permissions
    from iam_user_role holding
    join iam_user_role g on g.tenant_id = holding.tenant_id and g.user_id = holding.user_id
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where holding.role_id = ${id} and holding.user_id is distinct from ${self}::uuid`)
  assertCanGrantRoles(actor, held)
}

async function holdersOf({ kernel }: IamServices, tx: Tx, id: string): Promise<{ users: number; keys: number }> {
  const row = await tx.first(sql<{ users: number; keys: number }>`
    select count(*)::int as users, coalesce(sum(owned.keys), 0)::int as keys
    from iam_user_role g
    left join lateral (
      select count(*) as keys from iam_api_key k
      where k.owner_id = g.user_id and k.revoked_at is null and k.expires_at > ${kernel.clock.iso()}
    ) owned on true
    where g.role_id = ${id}`)
  return row ?? { users: 0, keys: 0 }
}

async function writeRole(
  { kernel }: IamServices,
  tx: Tx,
  change: { readonly held: Held<RoleRow>; readonly body: PatchRole; readonly wanted: readonly string[] },
): Promise<void> {
  const { held, body, wanted } = change
  const { dry_run: _dry, permissions: _permissions, ...changes } = body
  const name_key = body.name === undefined ? undefined : nameKey(body.name)
  await write(kernel, tx, held, { ...changes, name_key, permissions: [...wanted] })
}

async function announce(
  { kernel }: IamServices,
  tx: Tx,
  what: { readonly id: string; readonly change: 'changed' | 'deleted'; readonly actor: Actor },
): Promise<void> {
  await kernel.auth.rightsChanged(tx, `role:${what.id}`)
  await tx.emit(roleChanged, `role/${what.id}`, { role_id: what.id, change: what.change, actor_id: what.actor.userId })
}

export interface RoleRemoval {
  readonly actor: Actor
  readonly id: string
  readonly replaceWith: string | undefined
  readonly precondition: Precondition
}

/** @throws API-012, API-013, IAM-003, IAM-005, IAM-006, IAM-007 */
export async function deleteRole(services: IamServices, tx: Tx, ask: RoleRemoval) {
  if (ask.replaceWith !== undefined) assertFreshSession(ask.actor, services.kernel.clock)
  const held = await ownRole(tx, ask)
  await assertMayTouchHolders(tx, ask)
  const before = await seeRole(tx, ask.id)
  const removed = await keepingAdministrators(tx, services.kernel.clock.now(), async () => {
    await leaveGroups(services, tx, ask)
    if ((await seeRole(tx, ask.id)).data.user_count > 0) await replaceRole(services, tx, ask)
    return remove(tx, held, { action: 'iam.role.delete', before: before.data })
  })
  await announce(services, tx, { id: ask.id, change: 'deleted', actor: ask.actor })
  return removed
}

/** Roles given by groups are not moved to another role: the groups give nothing from now on. */
async function leaveGroups(services: IamServices, tx: Tx, { id, actor }: RoleRemoval): Promise<void> {
  await roles.patch(tx, id, { assignable_by_scim: false })
  await followRole(services, tx, id, { grantor: actor, userId: actor.userId })
}

/** Moves the holders over; a holder who already has the other role just loses this one. */
async function replaceRole({ kernel }: IamServices, tx: Tx, { actor, id, replaceWith }: RoleRemoval): Promise<void> {
  if (replaceWith === undefined || replaceWith === id) {
    throw errors.inUse({ what: 'Users hold this role. Name another one for them in replace_with.' })
  }
  const other = await roles.need(tx, replaceWith)
  assertCanGrantRoles(actor, [other])
  const at = kernel.clock.iso()
  await tx.execute(sql`
    insert into iam_user_role (user_id, role_id, position, granted_by, granted_at)
    select user_id, ${replaceWith}::uuid, position, ${actor.userId}::uuid, ${at}::timestamptz
    from iam_user_role
    where role_id = ${id}
    on conflict (tenant_id, user_id, role_id) do update
    set position = least(iam_user_role.position, excluded.position)`)
  await tx.execute(sql`delete from iam_user_role where role_id = ${id}`)
}
