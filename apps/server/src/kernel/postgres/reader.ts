/**
 * Reads databases of others over the guarded way out: in one read-only transaction, with bounds of time and rows. Tested
 * where it is used, in modules/data-gov/classification/scans.test.ts.
 */
import type { Egress } from '../egress/fetch.ts'
import { type PostgresPlace, withPostgres } from './connection.ts'

export interface PostgresReader {
  /** Rows of a statement with positional parameters; values are text. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A name as it stands in a statement. */
  identifier(name: string): string
}

const connectMs = 10_000
const statementMs = 30_000

/** @throws EgressError, and the database's own error */
export function readPostgres<T>(
  egress: Pick<Egress, 'dial'>,
  place: PostgresPlace,
  work: (reader: PostgresReader) => Promise<T>,
): Promise<T> {
  return withPostgres(egress, place, {
    ...{ connectMs, statementMs, options: '-c default_transaction_read_only=on' },
    work: async (client) => {
      await client.query('begin transaction isolation level repeatable read, read only')
      return work({
        rows: async (text, values = []) => (await client.query(text, [...values])).rows,
        identifier: (name) => client.escapeIdentifier(name),
      })
    },
  })
}
