/** Locks by name that end with their transaction. Tested by the contract suite and in the modules that take them. */
import { type Sql, sql } from './sql.ts'

const nameOf = (kind: string, key: string): string => JSON.stringify([kind, key])

/** Waits until no other transaction has it, alone or shared. */
export function lockOne(kind: string, key: string): Sql {
  return sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(kind, key)}, 0))`
}

/** Waits until no other transaction has one of them alone; any number may share it. */
export function shareLocks(kind: string, keys: readonly string[]): Sql {
  const names = [...new Set(keys)].sort().map((key) => nameOf(kind, key))
  return sql`select pg_advisory_xact_lock_shared(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`
}
