import { DatabaseError } from '../db/errors.ts'
import { type OwnerRun, script } from '../db/owner.ts'
import { unforced } from '../db/schema/unforced.ts'
import { sql } from '../db/sql.ts'
import { BackupRefused } from './refused.ts'

interface Reference {
  readonly name: string
  readonly child: string
  readonly parent: string
  readonly definition: string
}

/** Of partitioned tables only the parent's, which their parts follow. */
const references = sql<Reference>`
  select f.conname as name, f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent,
    pg_get_constraintdef(f.oid) as definition
  from pg_constraint f
  where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conparentid = 0
  order by 1, 2`

/**
 * Lets the owner of the tables, who need not be a superuser, write rows of all tenants in any order, within its
 * transaction: foreign keys are taken away and made again, which checks every row, and the owner stands outside of
 * row-level security meanwhile. Other roles never do.
 * @param unchecked tables whose rows are not expected to be there; foreign keys to them are left out for good
 * @throws BackupRefused for rows that point nowhere
 */
export async function unguarded<T>(
  run: OwnerRun,
  work: () => Promise<T>,
  unchecked: ReadonlySet<string> = new Set(),
): Promise<T> {
  const held = (await run(references)) as unknown as readonly Reference[]
  await run(script(held.map(({ child, name }) => `alter table ${child} drop constraint "${name}"`).join('; ')))
  const result = await unforced(run, work)
  for (const reference of held) if (!unchecked.has(reference.parent)) await putBack(run, reference)
  return result
}

async function putBack(run: OwnerRun, { child, name, definition }: Reference): Promise<void> {
  try {
    await run(script(`alter table ${child} add constraint "${name}" ${definition}`))
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '23503')) throw error
    throw new BackupRefused('foreign keys', `rows of ${child} break ${name}`, error)
  }
}
