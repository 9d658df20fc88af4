/**
 * Many rows as one parameter. The database reads them by the table's own columns, so there is no list of types beside the
 * table's, and the statement is the same text for one row and for hundreds: it is prepared once. Tested in rows.test.ts.
 */
import type { Tx } from './port.ts'
import { identifier, join, json, type SqlPart, sql } from './sql.ts'
import type { Table } from './table.ts'

type Target = Pick<Table, 'from'> & { readonly row: { readonly properties: object } }

/** The rows as a selectable set. A column missing in a row is null, and members that are no column are left out. */
export function recordset({ from }: Pick<Table, 'from'>, rows: readonly object[]): SqlPart {
  return sql`jsonb_populate_recordset(null::${from}, ${json(rows.map(travelling))}::jsonb)`
}

/**
 * `insert into … select … from … as row`, to stand alone, in a `with`, or before `where` and `on conflict`. Inserts the
 * columns that the first row names; every other column has its default.
 * @param columns where the rows may be none, or may name different ones: a column missing in a row is null then
 */
export function insertRows(table: Target, rows: readonly object[], columns = columnsOf(table, rows)): SqlPart {
  const names = join(columns.map(identifier), ', ')
  return sql`insert into ${table.from} (${names}) select ${names} from ${recordset(table, rows)} as row`
}

type Given<Row> = { readonly [K in keyof Row]?: Readonly<Row[K]> }

/** Inserts any number of rows in one statement; none at all is no statement. Gives how many there were. */
export async function insertMany<Row extends object>(
  tx: Pick<Tx, 'execute'>,
  table: Target & { insert(tx: Tx, row: Row): unknown },
  rows: readonly NoInfer<Given<Row>>[],
): Promise<number> {
  return rows.length === 0 ? 0 : tx.execute(insertRows(table, rows))
}

function columnsOf({ row }: Target, [first]: readonly object[]): readonly string[] {
  if (first === undefined) throw new TypeError('Rows that may be none need their columns named')
  return Object.entries(first).flatMap(([name, value]) =>
    value !== undefined && Object.hasOwn(row.properties, name) ? [name] : [],
  )
}

/** JSON has no bytes: they travel in the database's own notation. */
function travelling(row: object): object {
  const bytes = Object.entries(row).filter((entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array)
  if (bytes.length === 0) return row
  return {
    ...row,
    ...Object.fromEntries(bytes.map(([name, value]) => [name, `\\x${Buffer.from(value).toString('hex')}`])),
  }
}
