/**
 * The three roles everything runs under. Roles belong to the whole server, so several databases may create them at
 * once, and a login without the right to create roles can still use those an administrator has made.
 * Tested by the contract suite.
 */
import { DatabaseError } from './errors.ts'
import type { Driver } from './port.ts'
import { roles } from './scope.ts'
import { sql } from './sql.ts'

const all = Object.values(roles)

/** What an administrator runs when the login role may not. */
export const rolesScript = all
  .map(
    (role) => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not pg_has_role(current_user, '${role}', 'member') then grant ${role} to current_user; end if;
end $$;
grant usage on schema public to ${role};`,
  )
  .join('\n')

const missing = sql<{ role: string }>`
  select role
  from unnest(${all}::text[]) as role
  left join pg_roles on rolname = role
  where rolname is null
    or not pg_has_role(current_user, oid, 'member')
    or not has_schema_privilege(oid, 'public', 'usage')`

/**
 * Creates what is missing of the roles and their membership.
 * @throws Error that says what an administrator has to run, when the login role may not
 */
export async function ensureRoles(driver: Driver): Promise<void> {
  for (let attempt = 1; await anyMissing(driver); attempt += 1) {
    try {
      await driver.script(rolesScript)
    } catch (error) {
      if (error instanceof DatabaseError && error.code === '42501') {
        throw new Error(`The database login may not create roles. Have an administrator run:\n${rolesScript}`, {
          cause: error,
        })
      }
      // Two databases of one server granting the same role at once: "tuple concurrently updated" (XX000).
      if (attempt >= 5) throw error
    }
  }
}

async function anyMissing(driver: Driver): Promise<boolean> {
  const session = await driver.acquire()
  try {
    const [result] = await session.run([missing])
    return (result?.rows.length ?? 0) > 0
  } finally {
    session.release()
  }
}
