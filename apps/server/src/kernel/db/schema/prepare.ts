import type { Clock } from '../../base/clock.ts'
import { asOwner, script } from '../owner.ts'
import type { Driver } from '../port.ts'
import type { Table } from '../table.ts'
import { readCatalog } from './catalog.ts'
import { differences, securityDifferences } from './catalog-check.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { ensureRoles } from './roles.ts'
import { secureTable } from './secure.ts'

export interface Schema {
  readonly tables: readonly Table[]
  /** In the order they are applied. */
  readonly migrations: readonly Migration[]
}

/**
 * Makes a database ready for this version: roles, migrations, security of every declared table, and the check that
 * everything is as declared. Safe to run by several instances at once. Answers the migrations that were applied.
 * @throws Error naming every difference that is left
 */
export async function prepareDatabase(
  driver: Driver,
  clock: Pick<Clock, 'iso' | 'after'>,
  schema: Schema,
): Promise<readonly string[]> {
  await ensureRoles(driver)
  const applied = await migrate(driver, clock, schema.migrations)
  await secure(driver, schema.tables)
  const left = await asOwner(driver, async (run) => differences(schema.tables, await readCatalog(run)))
  if (left.length > 0) throw new Error(`The database is not as declared:\n- ${left.join('\n- ')}`)
  return applied
}

/** Only where it differs: these statements lock a table against everybody, and most starts change nothing. */
async function secure(driver: Driver, tables: readonly Table[]): Promise<void> {
  await asOwner(driver, async (run) => {
    const catalog = new Map((await readCatalog(run)).map((table) => [table.name, table]))
    const differing = tables.filter((table) => {
      const real = catalog.get(table.name)
      return real !== undefined && securityDifferences(table, real).length > 0
    })
    if (differing.length > 0) await run(script(differing.map(secureTable).join('\n')))
  })
}
