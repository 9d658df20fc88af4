/**
 * No one grants, or acts on, more than they have. Every path that widens a person's rights calls `assertCanGrant`,
 * every act on a person `assertMayTouch` or `assertDominates`, even one that only removes rights: demoting a person
 * with more rights would let one dominate them. Tested in escalation.test.ts and, over all paths, in
 * escalation-paths.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { missingFrom, type PermissionSet } from '../../../kernel/access/permissions.ts'
import { exceedsRights } from '../errors/errors.ts'
import { type GrantedRole, rolesSet, type Subject } from './subjects.ts'

/** The rights a grant is made with: a caller's effective ones, or an inviter's as they are now. */
export type Grantor = Pick<Actor, 'permissions' | 'operator'>

/** @throws IAM-003 naming what is missing */
export function assertCanGrant(grantor: Grantor, wanted: PermissionSet): void {
  const missing = missingFrom(grantor.permissions, wanted)
  if (missing.length > 0) throw exceedsRights(missing)
}

/** As `assertCanGrant` for roles: running the platform can only be passed on by those who do. @throws IAM-003 */
export function assertCanGrantRoles(
  grantor: Grantor,
  roles: readonly Pick<GrantedRole, 'builtin' | 'permissions'>[],
): void {
  const missing = missingFrom(grantor.permissions, rolesSet(roles))
  if (missing.length > 0) throw exceedsRights(missing)
  if (!grantor.operator && roles.some((role) => role.builtin === 'super_admin')) throw exceedsRights(['super_admin'])
}

/** @throws IAM-003 when the target, as it is now, may do something the actor may not */
export function assertDominates(
  actor: Grantor,
  target: { readonly permissions: PermissionSet; readonly operator: boolean },
): void {
  assertCanGrant(actor, target.permissions)
  if (target.operator && !actor.operator) throw exceedsRights(['super_admin'])
}

/** Whether the target's rights are within the actor's. */
export function dominates(
  actor: Grantor,
  target: { readonly permissions: PermissionSet; readonly operator: boolean },
): boolean {
  return missingFrom(actor.permissions, target.permissions).length === 0 && (actor.operator || !target.operator)
}

/** Oneself in person, or a person one dominates. A key is not its owner: its scopes limit its reach. @throws IAM-003 */
export function assertMayTouch(
  actor: Grantor & Pick<Actor, 'kind' | 'userId'>,
  target: Pick<Subject, 'id' | 'permissions' | 'operator'>,
): void {
  if (actor.kind === 'user' && target.id === actor.userId) return
  assertDominates(actor, target)
}
