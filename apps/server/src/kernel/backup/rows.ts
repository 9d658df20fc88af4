import { type OwnerRun, script } from '../db/owner.ts'
import type { Session } from '../db/port.ts'
import { readCatalog } from '../db/schema/catalog.ts'
import { migrationTable } from '../db/schema/migrate.ts'
import { identifier, json } from '../db/sql.ts'

export const pageRows = 500

/** Ids of transactions mean nothing in another database; the column's default gives new ones. */
export const leftOut: ReadonlySet<string> = new Set(['xid'])

/** Types of the columns by table. */
export type Types = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Of all tables but the one that says which migrations ran. */
export async function readTypes(run: OwnerRun): Promise<Types> {
  const tables = (await readCatalog(run)).filter(({ name }) => name !== migrationTable)
  return new Map(
    tables.map(({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column.type]))]),
  )
}

export interface NewRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly types: Types
  /** Each a list of texts in the order of the columns. */
  readonly rows: readonly unknown[]
}

export async function insertRows(run: OwnerRun, { table, columns, types, rows }: NewRows): Promise<void> {
  if (rows.length === 0) return
  // Names and types are the catalog's own; values travel as one parameter.
  const values = columns.map((name, index) => `(r.row ->> ${index})::${types.get(table)?.get(name)}`)
  const names = columns.map((name) => identifier(name).text)
  await run({
    text: `insert into ${identifier(table).text} (${names.join(', ')}) select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as r(row)`,
    values: [json(rows)],
    name: '',
  })
}

/** Pages of a table's rows as texts, of all tenants, read by the owner in the transaction it is in. */
export async function* pagesOf(
  session: Session,
  { table, columns }: Pick<NewRows, 'table' | 'columns'>,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  const names = columns.map((name) => identifier(name).text)
  const texts = names.map((name) => `${name}::text as ${name}`).join(', ')
  await session.run([script(`declare copied_rows no scroll cursor for select ${texts} from ${identifier(table).text}`)])
  for (;;) {
    const [page] = await session.run([script(`fetch ${pageRows} from copied_rows`)])
    const rows = page?.rows ?? []
    if (rows.length > 0) yield rows.map((row) => columns.map((name) => textOf(row[name])))
    if (rows.length < pageRows) break
  }
  await session.run([script('close copied_rows')])
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
