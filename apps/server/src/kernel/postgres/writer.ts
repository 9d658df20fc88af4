/**
 * Adds a row to a table of others, once: a row whose key is there already changes nothing. A table that there is not is made,
 * where the account may make one. Tested in writer.test.ts.
 */
import type { Client } from 'pg'
import { isRecord } from '../base/is-record.ts'
import type { Egress } from '../egress/fetch.ts'
import { type PostgresPlace, withPostgres } from './connection.ts'

export interface TableColumn {
  readonly name: string
  /** As `create table` has it, written by the program. */
  readonly type: string
  /** As text; JSON for `jsonb`. */
  readonly value: string | null
}

export interface RowToAdd {
  readonly schema: string
  readonly table: string
  /** The first is the primary key. */
  readonly columns: readonly TableColumn[]
}

const bounds = { connectMs: 10_000, statementMs: 10_000 } as const
/** SQLSTATE of a table that there is not. */
const undefinedTable = '42P01'

/** @returns whether it was added now. @throws EgressError, and the database's own error */
export function addRow(egress: Pick<Egress, 'dial'>, place: PostgresPlace, row: RowToAdd): Promise<boolean> {
  return withPostgres(egress, place, {
    ...bounds,
    work: async (client) => {
      try {
        return await insert(client, row)
      } catch (error) {
        if (!isRecord(error) || error.code !== undefinedTable) throw error
        await client.query(creation(client, row))
        return insert(client, row)
      }
    },
  })
}

const nameOf = (client: Client, { schema, table }: RowToAdd): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`

async function insert(client: Client, row: RowToAdd): Promise<boolean> {
  const { columns } = row
  const names = columns.map(({ name }) => client.escapeIdentifier(name))
  const places = columns.map((_, index) => `$${index + 1}`)
  const text = `insert into ${nameOf(client, row)} (${names.join(', ')}) values (${places.join(', ')})
    on conflict (${names[0]}) do nothing`
  const { rowCount } = await client.query(
    text,
    columns.map(({ value }) => value),
  )
  return rowCount === 1
}

function creation(client: Client, row: RowToAdd): string {
  const columns = row.columns.map(
    ({ name, type }, index) => `${client.escapeIdentifier(name)} ${type}${index === 0 ? ' primary key' : ''}`,
  )
  return `create table if not exists ${nameOf(client, row)} (${columns.join(', ')}, stored_at timestamptz not null default now())`
}
