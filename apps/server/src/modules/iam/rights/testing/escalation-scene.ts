/**
 * The people of ../escalation-paths.test.ts: random holders of random roles with a session and a key each, and everything
 * that a call could change about them.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import { everyPermission, listPermissions } from '../../../../kernel/access/permissions.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { addAccount } from '../../accounts/new-account.ts'
import { createApiKey } from '../../api-keys/api-keys.ts'
import { createRole } from '../../roles/roles.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { openSession } from '../../sign-in/open-session.ts'
import { builtinRoleId } from '../../tenants/found-tenant.ts'
import { findSubject, type Subject } from '../subjects.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly sessionId: string | null
  readonly keyId: string | null
}

export interface Scene {
  readonly roles: readonly string[]
  readonly people: readonly Person[]
}

export interface Cast {
  readonly roles: readonly (readonly string[])[]
  readonly holdings: readonly { readonly roles: readonly number[]; readonly operator: boolean }[]
}

/** A caller as the kernel would make one. */
export function actorFor(who: Pick<Actor, 'tenantId' | 'userId' | 'permissions'> & Partial<Actor>): Actor {
  return {
    kind: 'user',
    homeTenantId: who.tenantId,
    role: 'any',
    roles: ['any'],
    operator: false,
    sessionId: null,
    keyId: null,
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
    rateLimitPerMinute: null,
    tenantRequestsPerMinute: null,
    tenantStatus: 'active',
    ...who,
  }
}

/** People with their roles, a session and a key each; the last one never took an invitation that has run out. */
export async function stage(services: IamServices, tx: Tx, cast: Cast): Promise<Scene> {
  const maker = actorFor({ tenantId: tx.tenantId, userId: services.kernel.random.uuid(), permissions: everyPermission })
  const roles: string[] = []
  for (const permissions of cast.roles) {
    const name = `Role ${services.kernel.random.uuid()}`
    roles.push(
      (await createRole(services, tx, { actor: maker, body: { name, permissions: [...permissions] } })).data.id,
    )
  }
  const people: Person[] = []
  for (const [index, holding] of cast.holdings.entries()) {
    const own = holding.roles.flatMap((at) => roles[at] ?? [])
    const roleIds = holding.operator ? [...own, await builtinRoleId(tx, 'super_admin')] : own
    people.push(await addPerson(services, tx, { roleIds, lapsed: index === cast.holdings.length - 1 }))
  }
  return { roles, people }
}

async function addPerson(
  services: IamServices,
  tx: Tx,
  { roleIds, lapsed }: { readonly roleIds: readonly string[]; readonly lapsed: boolean },
): Promise<Person> {
  const email = `${services.kernel.random.uuid()}@acme.example`
  const id = await addAccount(services, tx, {
    type: 'human',
    email,
    status: lapsed ? 'invited' : 'active',
    roleIds,
    passwordHash: lapsed ? null : 'not a hash',
    mustChangePassword: false,
    profile: { display_name: 'Before' },
    by: null,
  })
  if (lapsed) {
    await tx.execute(sql`update iam_user set invitation_expires_at = '2020-01-01T00:00:00.000Z' where id = ${id}`)
    return { id, email, sessionId: null, keyId: null }
  }
  const session = await openSession(services, tx, {
    userId: id,
    email,
    life: { idleMs: 3_600_000, absoluteMs: 3_600_000, most: 20 },
    deviceId: null,
  })
  const permissions = await rightsNow(services, tx, id)
  const scopes = listPermissions(permissions.permissions).slice(0, 20)
  const actor = actorFor({ tenantId: tx.tenantId, userId: id, permissions: permissions.permissions })
  const key = scopes.length === 0 ? null : await createApiKey(services, tx, { actor, body: { name: 'key', scopes } })
  return { id, email, sessionId: session.id, keyId: key?.id ?? null }
}

export async function rightsNow(services: IamServices, tx: Tx, id: string): Promise<Subject> {
  const subject = await findSubject(tx, id, services.kernel.clock.now())
  if (subject === null) throw new Error('There is no such person')
  return subject
}

/** Everything a call could change about a person: the account, its rights, its sessions and its keys. */
export async function stateOf(
  services: IamServices,
  tx: Tx,
  { person, keyId }: { readonly person: Person; readonly keyId: string | null },
): Promise<unknown> {
  const { permissions, operator, roles, active } = await rightsNow(services, tx, person.id)
  return [
    await tx.query(sql`select * from iam_user where id = ${person.id}`),
    { permissions, operator, roles, active },
    await tx.query(sql`select * from iam_user_role where user_id = ${person.id} order by role_id`),
    await tx.query(sql`select * from iam_session where user_id = ${person.id} order by id`),
    // A key may narrow, replace or end itself; that is the actor acting on itself.
    await tx.query(sql`
      select * from iam_api_key
      where id = ${person.keyId}::uuid and id is distinct from ${keyId}::uuid`),
  ]
}
