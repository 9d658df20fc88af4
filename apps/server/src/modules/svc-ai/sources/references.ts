/** Roles, people and facts that a new source names, checked against those there are. Tested in sources.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { NewSource, SourceRow } from '../declared/source-schema.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

type Acl = NonNullable<NewSource['acl']>

/** Names of roles as the tenant writes them. @throws SVC-001 */
export async function aclOf(
  { iam }: SvcAiServices,
  tx: Tx,
  { visibility, role_names: names = [], user_ids: ids = [] }: Acl,
): Promise<Pick<SourceRow, 'visibility' | 'role_names' | 'user_ids'>> {
  if (visibility === 'roles' && names.length === 0) throw missing('/acl/role_names')
  if (visibility === 'users' && ids.length === 0) throw missing('/acl/user_ids')
  const roles = names.length === 0 ? [] : await iam.findRoles(tx, names)
  const known = new Map(roles.map(({ name }) => [name.toLowerCase(), name]))
  const users = ids.length === 0 ? new Set<string>() : await iam.knownPrincipals(tx, { users: ids, keys: [] })
  const unknown = [
    ...names.flatMap((name, at) => (known.has(name.toLowerCase()) ? [] : [`/acl/role_names/${at}`])),
    ...ids.flatMap((id, at) => (users.has(id.toLowerCase()) ? [] : [`/acl/user_ids/${at}`])),
  ]
  if (unknown.length > 0)
    throw errors
      .unknownReference({ what: 'The access list names a role or a person that there is not.' })
      .at(unknown.slice(0, 20).map((pointer) => ({ detail: 'names nobody', pointer })))
  return {
    visibility,
    role_names: visibility === 'roles' ? names.map((name) => known.get(name.toLowerCase()) ?? name) : [],
    user_ids: visibility === 'users' ? [...ids] : [],
  }
}

const missing = (pointer: string) =>
  errors
    .unknownReference({ what: 'The access list names nobody, so that nobody could read the source.' })
    .at([{ detail: 'This is required for this visibility.', pointer }])

/** Permissions that readers of the facts need. @throws SVC-001 for a fact that is unknown or closed to the caller */
export function permissionsOf({ facts }: SvcAiServices, actor: Actor, names: readonly string[]): string[] {
  const all = facts().all
  const closed = names.flatMap((name, at) => {
    const fact = all.get(name)
    return fact !== undefined && holds(actor.permissions, fact.permission) ? [] : [`/facts/${at}`]
  })
  if (closed.length > 0)
    throw errors
      .unknownReference({ what: 'A fact is unknown or not yours to read.' })
      .at(closed.map((pointer) => ({ detail: 'names no fact that you may read', pointer })))
  return [...new Set(names.flatMap((name) => all.get(name)?.permission ?? []))].sort()
}
