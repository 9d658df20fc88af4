/**
 * The driver for a PostgreSQL server, 15 or later. It promises pipelined batches, waiting in turn, and that
 * a broken or canceled connection is never lent again; it does not retry. Tested by the contract suite.
 */
import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import type { Driver } from '../port.ts'
import { type Connection, openConnection } from './connection.ts'
import { Pool } from './pool.ts'

export interface PgDriverOptions {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string
  readonly poolSize: number
  /** Milliseconds; default 5,000. */
  readonly acquireTimeoutMs?: number
  readonly applicationName?: string
}

const connectTimeoutMs = 5_000

export function createPgDriver(options: PgDriverOptions): Driver {
  const client: ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'parapet',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  }
  const pool = new Pool({
    max: options.poolSize,
    acquireTimeoutMs: options.acquireTimeoutMs ?? 5_000,
    open: (onEnd) => openConnection({ client, stream: new Socket(), onEnd, setupTimeoutMs: connectTimeoutMs }),
    cancel: (connection) => cancelOn(client, connection),
  })
  return {
    kind: 'pg',
    acquire: (group) => pool.acquire(group),
    script: (text) => runScript(client, text),
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}

/** A connection of its own: what a script sets or leaves open is gone with it. */
async function runScript(client: ClientConfig, text: string): Promise<void> {
  const connection = await openConnection({ client, stream: new Socket(), onEnd: () => {} })
  try {
    await connection.script(text)
  } finally {
    await connection.close()
  }
}

// Outside the pool, which may be exhausted by just the statements that should end. It goes through an ordinary
// connection because a bare cancel request cannot use TLS with every server.
async function cancelOn(config: ClientConfig, connection: Connection): Promise<void> {
  const client = new Client({ ...config, query_timeout: connectTimeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [connection.pid])
    await client.end()
  } catch {
    // Nobody waits for the cancellation; without it the statement ends at its own timeout.
    await client.end().catch(() => {})
  }
}
