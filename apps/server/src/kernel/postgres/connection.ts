/**
 * A connection to a database of others, over the guarded way out, with bounds of time. In clear only addresses of the private
 * ranges that the operator allows are reached; with TLS nothing is sent before the certificate is checked. Tested
 * in writer.test.ts.
 */
import { isIP } from 'node:net'
import { Client } from 'pg'
import type { Egress } from '../egress/fetch.ts'

export interface PostgresPlace {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** `ca` in PEM, default those that Node knows; null, or left out, for a connection in clear. */
  readonly tls?: { readonly ca?: string | undefined } | null
  /** Milliseconds that a statement may run; the default is its user's. */
  readonly statementMs?: number
}

export interface PostgresBounds {
  readonly connectMs: number
  readonly statementMs: number
  /** Settings of the session, as `options` has them. */
  readonly options?: string
}

/** @throws EgressError, and the database's own error */
export async function withPostgres<T>(
  egress: Pick<Egress, 'dial'>,
  place: PostgresPlace,
  {
    connectMs,
    statementMs: usualMs,
    options,
    work,
  }: PostgresBounds & { readonly work: (client: Client) => Promise<T> },
): Promise<T> {
  const { host, port, database, user, password, tls = null, statementMs = usualMs } = place
  const socket = await egress.dial({ host, port, tls: null, startsTls: tls !== null, timeoutMs: connectMs })
  // The client would dial by itself; it is given a connection that the guard has allowed.
  socket.connect = () => {
    queueMicrotask(() => socket.emit('connect'))
    return socket
  }
  const client = new Client({
    ...{ host, port, database, user, password, stream: () => socket, connectionTimeoutMillis: connectMs },
    // The server ends a statement in time; the client waits a little longer for it to say so.
    ...{ statement_timeout: statementMs, query_timeout: statementMs + connectMs, application_name: 'parapet' },
    ...(options === undefined ? {} : { options }),
    ssl:
      tls === null ? false : { ...(isIP(host) === 0 ? {} : { host }), ...(tls.ca === undefined ? {} : { ca: tls.ca }) },
    types: { getTypeParser: () => (value: unknown) => value },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
    socket.destroy()
  }
}
