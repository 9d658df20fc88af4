/**
 * Lifts forced row-level security from the owner of the tables, which need not be a superuser. Tested in
 * prepare.test.ts and, with backups, in the suites of copies.
 */
import { type OwnerRun, script } from '../owner.ts'
import { identifier, sql } from '../sql.ts'

const forced = sql<{ name: string }>`
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity order by 1`

/** Lets the owner see and write rows of all tenants within its transaction. Other roles never do. */
export async function unforced<T>(run: OwnerRun, work: () => Promise<T>): Promise<T> {
  const tables = (await run(forced)).map(({ name }) => identifier(String(name)).text)
  const say = (words: string): Promise<unknown> =>
    run(script(tables.map((name) => `alter table if exists ${name} ${words} row level security`).join('; ')))
  await say('no force')
  const result = await work()
  await say('force')
  return result
}
