/**
 * Several processes that share a database, and where asked for a bus and a cache behind proxies that can be cut.
 * Promises two that listen, with an administrator's token; more can be started. Tested by the suites that use it.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type CuttableProxy, startCuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { reasonToSkip, services } from '../../src/kernel/testing/services.ts'
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts'
import { signIn } from '../support/http.ts'
import { install, operatorEmail, type RunningServer } from '../support/server-process.ts'

const noDatabase = await reasonToSkip(serverUrl)
const noServices = noDatabase ?? (await reasonToSkip(services.nats)) ?? (await reasonToSkip(services.valkey))

/** Services that the processes of a suite may share, and the reason to skip a suite with them here. */
export const surroundings = [
  { name: 'that share PostgreSQL only', withServices: false, skip: noDatabase },
  { name: 'that share PostgreSQL, NATS and Valkey', withServices: true, skip: noServices },
] as const

export interface Cluster {
  readonly a: RunningServer
  readonly b: RunningServer
  readonly token: string
  /** Address of the shared database. */
  readonly databaseUrl: string
  /** Between the processes and the services beside the database; none where they share only the database. */
  readonly proxies: readonly CuttableProxy[]
  start(name: string, more?: Readonly<Record<string, string>>): Promise<RunningServer>
  close(): Promise<void>
}

export interface ClusterInput {
  readonly withServices: boolean
  /** Settings of every process. */
  readonly environment?: Readonly<Record<string, string>>
}

export async function openCluster({ withServices, environment = {} }: ClusterInput): Promise<Cluster> {
  const database: TestDatabase = await openTestDatabase({ tables: [], migrations: [] }, 'pg')
  const databaseUrl = database.url ?? ''
  const [nats, valkey] = withServices
    ? await Promise.all([startCuttableProxy(services.nats), startCuttableProxy(services.valkey)])
    : []
  const installation = await install({
    PARAPET_DATABASE_URL: databaseUrl,
    PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...(nats === undefined ? {} : { PARAPET_NATS_URL: nats.url }),
    ...(valkey === undefined ? {} : { PARAPET_VALKEY_URL: valkey.url }),
    // The services are cut on purpose.
    PARAPET_LOG_LEVEL: 'error',
    ...environment,
  })
  // Each on a machine of its own, as far as files go.
  const folder = installation.environment.PARAPET_DATA_DIR ?? ''
  const start: Cluster['start'] = (name, more = {}) =>
    installation.start({ PARAPET_DATA_DIR: join(folder, name), ...more })
  const proxies = [nats, valkey].filter((proxy) => proxy !== undefined)
  const close = async (): Promise<void> => {
    await installation.remove()
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await database.close()
  }
  try {
    const [a, b] = await Promise.all([start('a'), start('b')])
    return { a, b, token: await signIn(a.address, operatorEmail), databaseUrl, proxies, start, close }
  } catch (error) {
    await close()
    throw error
  }
}
