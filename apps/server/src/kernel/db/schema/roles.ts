/**
 * The three roles everything runs under. Roles belong to the whole server, so several databases may create them at
 * once, and a login without the right to create roles can still use those an administrator has made.
 * Tested in prepare.test.ts.
 */
import { DatabaseError } from '../errors.ts'
import { script } from '../owner.ts'
import type { Driver, Result } from '../port.ts'
import { roles } from '../scope.ts'
import type { Sql } from '../sql.ts'

const all = Object.values(roles)

// Since PostgreSQL 16 who creates a role is its member without the right to act as it.
const actAs = "case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end"

/** Creates the roles and lets `login` act as them; by itself where it may, else by an administrator. */
function rolesScript(login: string): string {
  return all
    .map(
      (role) => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not pg_has_role(to_regrole('${login.replaceAll("'", "''")}'), '${role}', ${actAs}) then grant ${role} to ${login}; end if;
end $$;
grant usage on schema public to ${role};`,
    )
    .join('\n')
}

const missing = script(`
  select role
  from unnest(array[${all.map((role) => `'${role}'`).join(', ')}]) as role
  left join pg_roles on rolname = role
  where rolname is null
    or not pg_has_role(current_user, oid, ${actAs})
    or not has_schema_privilege(oid, 'public', 'usage')`)

/**
 * Creates what is missing of the roles and their membership.
 * @throws Error that says what an administrator has to run, when the login role may not
 */
export async function ensureRoles(driver: Driver): Promise<void> {
  for (let attempt = 1; await anyMissing(driver); attempt += 1) {
    const login = await readLogin(driver)
    try {
      await driver.script(rolesScript(login))
    } catch (error) {
      if (error instanceof DatabaseError && error.code === '42501') {
        const message = 'The database login may not create roles or grant them. Have an administrator run:'
        throw new Error(`${message}\n${rolesScript(login)}`, { cause: error })
      }
      // Two databases of one server granting the same role at once: "tuple concurrently updated" (XX000).
      if (attempt >= 5) throw error
    }
  }
}

async function anyMissing(driver: Driver): Promise<boolean> {
  return (await ask(driver, missing)).length > 0
}

/** Quoted as an identifier, where it needs quotes. */
async function readLogin(driver: Driver): Promise<string> {
  const [row] = await ask(driver, script('select quote_ident(current_user) as login'))
  return String(row?.login)
}

async function ask(driver: Driver, statement: Sql<unknown>): Promise<Result['rows']> {
  const session = await driver.acquire()
  try {
    return (await session.run([statement]))[0]?.rows ?? []
  } finally {
    session.release()
  }
}
