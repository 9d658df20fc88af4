/**
 * Lookups for other modules: whether people, keys and roles of a tenant exist, and their names. They never return
 * permissions. Tested in lookups.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { isUuid } from '../../../kernel/base/uuid.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

import { roleNamesOfUser } from '../rights/granted-roles.ts'
import { nameKey } from '../roles/roles.ts'
import type { UserType } from '../schemas/user-states.ts'

export interface RoleName {
  readonly id: string
  readonly name: string
}

/** A user, or a key with its owner. */
export interface Principal {
  readonly user_id: string
  readonly key_id: string | null
  readonly type: UserType
  /** Names of the roles of the user or owner. */
  readonly roles: readonly string[]
}

/** The roles among these ids and names, in no order; a value that is neither is left out. */
export function findRoles(tx: Tx, values: readonly string[]): Promise<readonly RoleName[]> {
  return tx.query(
    sql<RoleName>`
      select id, name from iam_role
      where id = any(${values.filter(isUuid)}::uuid[]) or name_key = any(${values.map(nameKey)}::text[])`,
  )
}

export async function roleNames(db: Database, tenantId: TenantId): Promise<ReadonlyMap<string, string>> {
  const rows = await db.read(tenantId, sql<RoleName>`select id, name from iam_role`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The groups among these ids and names, in no order; a value that is neither is left out. */
export function findGroups(tx: Tx, values: readonly string[]): Promise<readonly RoleName[]> {
  return tx.query(
    sql<RoleName>`
      select id, display_name as name from iam_group
      where id = any(${values.filter(isUuid)}::uuid[]) or display_name_key = any(${values.map(nameKey)}::text[])`,
  )
}

export async function groupMembers(
  db: Database,
  tenantId: TenantId,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db.read(
    tenantId,
    sql<{ id: string; members: readonly string[] }>`
      select group_id as id, array_agg(user_id::text) as members from iam_group_member
      where group_id = any(${groupIds}::uuid[]) group by group_id`,
  )
  return new Map(rows.map(({ id, members }) => [id, new Set(members)]))
}

export async function firstTenant(db: Database): Promise<TenantId | null> {
  const row = await db.system('first tenant', (tx) =>
    tx.first(sql<{ id: TenantId }>`
      select id from iam_tenant where parent_id is null and status <> 'deleted' order by created_at, id limit 1`),
  )
  return row?.id ?? null
}

/** The user or key of this id. */
export async function findPrincipal(tx: Tx, id: string): Promise<Principal | null> {
  if (!isUuid(id)) return null
  return tx.first(
    sql<Principal>`
      select u.id as user_id, k.id as key_id, u.type,
        ${roleNamesOfUser} as roles
      from iam_user u
      left join iam_api_key k on k.tenant_id = u.tenant_id and k.owner_id = u.id and k.id = ${id}
      where u.id = ${id} or k.id = ${id}`,
  )
}

export async function knownServiceAccounts(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query(
    sql<{ id: string }>`select id from iam_user where id = any(${ids.filter(isUuid)}::uuid[]) and type = 'service'`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Which of the ids are users and which are keys of the tenant. */
export async function knownPrincipals(
  tx: Tx,
  asked: { readonly users: readonly string[]; readonly keys: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query(
    sql<{ id: string }>`
      select id from iam_user where id = any(${asked.users.filter(isUuid)}::uuid[])
      union all
      select id from iam_api_key where id = any(${asked.keys.filter(isUuid)}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** A person's account, found by a name that another system knows it by. */
export interface PersonOfLogin {
  readonly user_id: string
  readonly department: string | null
}

/**
 * The people whose address, or its part before the @, is among these logins in lower case; by login. A login that two
 * people could have is left out.
 */
export async function peopleByLogin(tx: Tx, logins: readonly string[]): Promise<ReadonlyMap<string, PersonOfLogin>> {
  const rows = await tx.query(
    sql<PersonOfLogin & { login: string }>`
      with wanted as (select distinct login from unnest(${logins}::text[]) as login),
        person as (
          select id, department, email_key, split_part(email_key, '@', 1) as name
          from iam_user where type = 'human' and email_key is not null),
        found as (
          select login, id, department from wanted join person on email_key = login
          union
          select login, id, department from wanted join person on name = login)
      select login, min(id::text) as user_id, min(department) as department
      from found group by login having count(*) = 1`,
  )
  return new Map(rows.map(({ login, ...person }) => [login, person]))
}

export interface OldKeys {
  readonly owners: readonly string[]
  /** ISO time. */
  readonly before: string
  /** ISO time; keys that ended before it do not count. */
  readonly now: string
}

/** Those of the owners who have a valid key that was made before a time. */
export async function ownersOfOldKeys(tx: Tx, { owners, before, now }: OldKeys): Promise<ReadonlySet<string>> {
  const rows = await tx.query(
    sql<{ owner_id: string }>`
      select distinct owner_id from iam_api_key
      where owner_id = any(${owners}::uuid[]) and created_at < ${before} and revoked_at is null and expires_at > ${now}`,
  )
  return new Set(rows.map(({ owner_id: id }) => id))
}
