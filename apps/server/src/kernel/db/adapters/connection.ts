/**
 * One connection speaking the PostgreSQL protocol, pipelined: a batch of statements is written in one flush and its
 * answers are read in order. It serves a socket and the embedded database alike, so both give the same values and
 * errors. It knows nothing of tenants or transactions. Tested by the contract suite.
 */
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import { DatabaseError, DatabaseUnavailable, driverError } from '../errors.ts'
import type { Result } from '../port.ts'
import type { Sql } from '../sql.ts'
import { encodeValue, valueTypes } from './values.ts'

export interface Connection {
  /** Server process, for cancellation. */
  readonly pid: number
  /** False once the connection was lost. */
  alive(): boolean
  /** No transaction is open and no statement went stale; checked before the connection is lent again. */
  idle(): boolean
  /** Sends all statements in one flush; rejects with the error of the first that failed, after all were answered. */
  run(statements: readonly Sql<unknown>[]): Promise<readonly Result[]>
  /** Runs several statements of one text in the simple protocol. */
  script(text: string): Promise<void>
  /** Ends it; running statements are not waited for. */
  destroy(): void
  close(): Promise<void>
}

// Texts are not fixed per session (time zone, byte format) on every server; values.ts relies on these.
// Abandoned transactions end after a minute: they would hold back the relay, which waits for the oldest one.
const sessionSetup = `
  select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
    set_config('bytea_output', 'hex', false), set_config('extra_float_digits', '1', false),
    set_config('client_min_messages', 'warning', false),
    set_config('idle_in_transaction_session_timeout', '60000', false), pg_backend_pid() as pid`

// A prepared statement whose result changed with the schema (0A000), or that a pooler in between does not know (26000):
// it would fail on this connection for ever.
const staleStatement = new Set(['0A000', '26000'])

/** Beyond this number of prepared statements further texts go unnamed: each costs the server memory per connection. */
const maxPrepared = 1_000

export interface ConnectionOptions {
  readonly client: ClientConfig
  /** The stream below the client; corked around each batch so that a batch is one write. */
  readonly stream: Duplex
  /** Sent before anything else. */
  readonly prelude?: readonly string[]
  /** Sent when all else is set. */
  readonly postlude?: string
  /** Milliseconds for everything between the greeting and the first use; default unbounded. */
  readonly setupTimeoutMs?: number
  /** Called once when the connection is lost or closed. */
  readonly onEnd: () => void
}

/** @throws DatabaseUnavailable when the server does not answer or refuses */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { stream } = options
  const client = new Client({ ...options.client, stream: () => stream, pipeline: true, types: valueTypes })
  let alive = true
  const end = (): void => {
    if (!alive) return
    alive = false
    options.onEnd()
  }
  client.on('error', end)
  client.on('end', end)
  let limit: NodeJS.Timeout | undefined
  try {
    await client.connect()
    if (options.setupTimeoutMs !== undefined) limit = setTimeout(() => stream.destroy(), options.setupTimeoutMs)
    for (const text of options.prelude ?? []) await client.query(text)
    const setup = await client.query<{ pid: number }>(sessionSetup)
    if (options.postlude !== undefined) await client.query(options.postlude)
    return connectionOf(client, stream, { pid: setup.rows[0]?.pid ?? 0, alive: () => alive })
  } catch (error) {
    stream.destroy()
    throw driverError(error, null)
  } finally {
    clearTimeout(limit)
  }
}

function connectionOf(client: Client, stream: Duplex, facts: Pick<Connection, 'pid' | 'alive'>): Connection {
  const prepared = new Set<string>()
  const named = (name: string): boolean => {
    if (prepared.has(name)) return true
    if (name === '' || prepared.size >= maxPrepared) return false
    prepared.add(name)
    return true
  }
  let stale = false
  return {
    ...facts,
    idle: () => !stale && client.getTransactionStatus() === 'I',
    run: (statements) => {
      if (!facts.alive()) return Promise.reject(new DatabaseUnavailable('The connection to the database was lost'))
      return runBatch(client, stream, statements, named).catch((error: unknown) => {
        stale ||= error instanceof DatabaseError && staleStatement.has(error.code)
        throw error
      })
    },
    script: async (text) => {
      await client.query(text).catch((error: unknown) => {
        throw driverError(error, null)
      })
    },
    destroy: () => stream.destroy(),
    close: () => (facts.alive() ? client.end() : Promise.resolve()),
  }
}

interface Outgoing {
  readonly name?: string
  readonly text: string
  readonly values: (string | Buffer | null)[]
  readonly queryMode?: 'extended'
}

function outgoing(statement: Sql<unknown>, named: (name: string) => boolean): Outgoing {
  const { text, name } = statement
  const values = statement.values.map(encodeValue)
  return named(name) ? { name, text, values } : { text, values }
}

function runBatch(
  client: Client,
  stream: Duplex,
  statements: readonly Sql<unknown>[],
  named: (name: string) => boolean,
): Promise<readonly Result[]> {
  return new Promise((resolve, reject) => {
    const batch = statements.map((statement) => outgoing(statement, named))
    const results = new Array<Result>(batch.length)
    let left = batch.length
    let failed = batch.length
    let failure: Error | null = null
    if (left === 0) resolve(results)
    const settle = (index: number, error: Error | null, result: Result): void => {
      if (error === null) results[index] = result
      else if (index < failed) {
        failed = index
        failure = driverError(error, batch[index]?.text ?? null)
      }
      left -= 1
      if (left > 0) return
      if (failure === null) resolve(results)
      else reject(failure)
    }
    stream.cork()
    batch.forEach((query, index) => {
      // biome-ignore lint/nursery/noFloatingPromises: with a callback it answers nothing.
      client.query(query, (error: Error | null, answer) => {
        settle(index, error ?? null, { rows: answer?.rows ?? [], count: answer?.rowCount ?? 0 })
      })
    })
    stream.uncork()
  })
}
