/**
 * Reads databases of others over the guarded way out: in one read-only transaction, with bounds of time and rows. In clear
 * only addresses of the private ranges that the operator allows are reached, as every connection that is no HTTP. Tested in
 * reader.test.ts.
 */
import { Client } from 'pg'
import type { Egress } from '../egress/fetch.ts'

export interface PostgresPlace {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** Milliseconds that a statement may run; default 30 s. */
  readonly statementMs?: number
}

export interface PostgresReader {
  /** Rows of a statement with positional parameters; values are text. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A name as it stands in a statement. */
  identifier(name: string): string
}

const connectMs = 10_000
const usualStatementMs = 30_000

/** @throws EgressError, and the database's own error */
export async function readPostgres<T>(
  egress: Pick<Egress, 'dial'>,
  { host, port, database, user, password, statementMs = usualStatementMs }: PostgresPlace,
  work: (reader: PostgresReader) => Promise<T>,
): Promise<T> {
  const socket = await egress.dial({ host, port, tls: null, timeoutMs: connectMs })
  // The client would dial by itself; it is given a connection that the guard has allowed.
  socket.connect = () => {
    queueMicrotask(() => socket.emit('connect'))
    return socket
  }
  const client = new Client({
    ...{ database, user, password, stream: () => socket, connectionTimeoutMillis: connectMs },
    // The server ends a statement in time; the client waits a little longer for it to say so.
    ...{
      statement_timeout: statementMs,
      query_timeout: statementMs + connectMs,
      ssl: false,
      application_name: 'parapet',
    },
    ...{ options: '-c default_transaction_read_only=on' },
    types: { getTypeParser: () => (value: unknown) => value },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin transaction isolation level repeatable read, read only')
    return await work({
      rows: async (text, values = []) => (await client.query(text, [...values])).rows,
      identifier: (name) => client.escapeIdentifier(name),
    })
  } finally {
    await client.end().catch(() => undefined)
    socket.destroy()
  }
}
