/**
 * The driver for a PostgreSQL server, 15 or later. It promises pipelined batches, waiting in turn, and that
 * a broken or canceled connection is never lent again; it does not retry. Tested by the contract suite.
 */
import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import type { Driver } from '../port.ts'
import { logSession } from '../scope.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
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
/** Connections on top of the pool for those who only add: as many commits are under way at once. */
const appenders = 4

export function createPgDriver(options: PgDriverOptions): Driver {
  const client: ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'parapet',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  }
  const poolOf = (max: number, setup: Pick<ConnectionOptions, 'postlude'>): Pool =>
    new Pool({
      max,
      acquireTimeoutMs: options.acquireTimeoutMs ?? 5_000,
      open: (onEnd) =>
        openConnection({ ...setup, client, stream: new Socket(), onEnd, setupTimeoutMs: connectTimeoutMs }),
      cancel: (connection) => cancelOn(client, connection),
    })
  const pool = poolOf(options.poolSize, {})
  const toAppend = poolOf(appenders, { postlude: logSession })
  return {
    kind: 'pg',
    acquire: (group) => pool.acquire(group),
    acquireToAppend: () => toAppend.acquire(),
    script: (text) => runScript(client, text),
    stats: () => added(pool.stats(), toAppend.stats()),
    close: async () => {
      await Promise.all([pool.close(), toAppend.close()])
    },
  }
}

type Stats = ReturnType<Driver['stats']>

const added = (a: Stats, b: Stats): Stats => ({
  total: a.total + b.total,
  idle: a.idle + b.idle,
  waiting: a.waiting + b.waiting,
})

/** A connection of its own: closing it discards the script's settings and open transactions. */
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
    // No caller waits for the cancellation; without it the statement ends at its own timeout.
    await client.end().catch(() => {})
  }
}
