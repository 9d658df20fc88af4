/**
 * Brings a database to the schema of this version: migrations in order, once, each in its own transaction and under
 * one lock, so that several instances may start together. It only goes forward; a text that was changed after it ran,
 * or a database that is ahead of this version, is refused. Tested in migrate.test.ts.
 */

import type { Clock } from '../../base/clock.ts'
import { sha256 } from '../../crypto/digest.ts'
import { DatabaseError } from '../errors.ts'
import { asOwner, type OwnerRun, script } from '../owner.ts'
import type { Driver } from '../port.ts'
import { sql } from '../sql.ts'
import type { Migration } from './migration.ts'
import { unforced } from './unforced.ts'

export const migrationTable = 'kernel_migration'

// A migration waits this long for its locks and lets the requests behind it pass before it tries again; waiting on
// would queue every request for the table behind a lock nobody holds yet.
// Where forced row-level security would hide rows from the owner, the database says so instead of finding none.
const settings = script("set local lock_timeout = '2s'; set local row_security = off")
const pauseMs = 1_000
const maxAttempts = 30

/**
 * Applies what is missing. Answers the ids that were applied.
 * @throws Error on a changed text or a database ahead of this version
 */
export async function migrate(
  driver: Driver,
  clock: Pick<Clock, 'iso' | 'after'>,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  refuseDuplicates(migrations)
  const applied = await asOwner(driver, async (run) => {
    await run(
      script(`create table if not exists ${migrationTable} (
      id text primary key, checksum text not null, applied_at timestamptz(3) not null)`),
    )
    return readApplied(run)
  })
  refuseStrangers(migrations, applied)
  const fresh: string[] = []
  for (const migration of migrations) {
    if (isApplied(migration, applied)) continue
    if (await applyPatiently(driver, clock, migration)) fresh.push(migration.id)
  }
  return fresh
}

async function applyPatiently(
  driver: Driver,
  clock: Pick<Clock, 'iso' | 'after'>,
  migration: Migration,
): Promise<boolean> {
  let seesAll = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asOwner(driver, async (run) => {
        await run(settings)
        const work = () => apply(run, clock, migration)
        return seesAll ? unforced(run, work) : work()
      })
    } catch (error) {
      if (!seesAll && isHiddenFrom(error)) {
        seesAll = true
        continue
      }
      if (!isBusy(error) || attempt >= maxAttempts)
        throw new Error(`Migration ${migration.id} failed`, { cause: error })
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
    }
  }
}

/** Another session holds a table: waited for too long, or waiting for one of ours. */
const isBusy = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01')

/** An owner that is no superuser migrates data of all tenants. Seldom, because it locks every table until it is done. */
const isHiddenFrom = (error: unknown): boolean => error instanceof DatabaseError && error.code === '42501'

/** False when another instance was quicker. */
async function apply(run: OwnerRun, clock: Pick<Clock, 'iso'>, migration: Migration): Promise<boolean> {
  if (isApplied(migration, await readApplied(run))) return false
  await run(script(migration.sql))
  await run(sql`
    insert into kernel_migration (id, checksum, applied_at)
    values (${migration.id}, ${checksum(migration.sql)}, ${clock.iso()})`)
  return true
}

type Applied = ReadonlyMap<string, string>

async function readApplied(run: OwnerRun): Promise<Applied> {
  const rows = await run(sql`select id, checksum from kernel_migration`)
  return new Map(rows.map((row) => [String(row.id), String(row.checksum)]))
}

function isApplied(migration: Migration, applied: Applied): boolean {
  const known = applied.get(migration.id)
  if (known === undefined) return false
  if (known === checksum(migration.sql)) return true
  throw new Error(`Migration ${migration.id} was changed after it ran; write a new one instead`)
}

function refuseDuplicates(migrations: readonly Migration[]): void {
  const seen = new Set<string>()
  for (const { id } of migrations) {
    if (seen.has(id)) throw new Error(`Two migrations are called ${id}`)
    seen.add(id)
  }
}

function refuseStrangers(migrations: readonly Migration[], applied: Applied): void {
  const known = new Set(migrations.map(({ id }) => id))
  const strangers = [...applied.keys()].filter((id) => !known.has(id))
  if (strangers.length > 0) {
    throw new Error(`The database is ahead of this version (${strangers.join(', ')}); start the version that made it`)
  }
}

function checksum(text: string): string {
  return sha256(text)
}
