/**
 * The whole program on a database that outlives it, for suites in which it starts anew. Promises that `restart` ends it as
 * the server's main loop does and starts another one on the same data. Tested by the suites that use it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClient } from '../../../../../test/support/client.ts'
import { chosenKind, openTestDatabase, type TestDatabaseKind } from '../../../../../test/support/database.ts'
import { openApiChecker } from '../../../../../test/support/openapi-check.ts'
import { type OwnWorld, openWorld, password } from '../../../../../test/support/world.ts'
import { openDriver } from '../../../../kernel/assembly/adapters.ts'
import { schemaOf } from '../../../../kernel/assembly/schema.ts'
import { type Environment, loadConfig } from '../../../../kernel/config/load.ts'
import type { Driver } from '../../../../kernel/db/port.ts'
import { modules } from '../../../../modules.ts'
import { type Program, startProgram } from '../../../../program.ts'

export interface Restorable {
  readonly world: OwnWorld
  readonly environment: Environment
  readonly folder: string
  /** A second way into the data while no program runs on it; the caller closes it. */
  openDriver(): Promise<Driver>
  restart(): Promise<Restarted>
  close(): Promise<void>
}

export interface Restarted {
  readonly program: Program
  readonly stranger: TestClient
  signIn(email: string, tenantId?: string): Promise<TestClient>
}

/** @param more settings beside those that every such program has */
export async function openRestorable(
  kind: TestDatabaseKind = chosenKind(),
  more: Environment = {},
): Promise<Restorable> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-restorable-'))
  const server = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
  const environment = {
    PARAPET_DATA_DIR: folder,
    PARAPET_BACKUP_DIR: join(folder, 'backups'),
    PARAPET_KEY_ENCRYPTION_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
    PARAPET_LOG_LEVEL: 'error',
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_RATE_LIMIT_CREDENTIAL: '1000000',
    PARAPET_RATE_LIMIT_EXPENSIVE: '1000000',
    ...(server?.url == null ? {} : { PARAPET_DATABASE_URL: server.url }),
    ...more,
  }
  const config = loadConfig(environment)
  const driver = await openDriver(config)
  const world = await openWorld({ environment, database: { driver, url: server?.url ?? null, close: async () => {} } })
  let running: Program | null = world.program
  const stop = async () => {
    await running?.stop()
    running = null
  }
  return {
    world,
    environment,
    folder,
    openDriver: () => openDriver(config),
    restart: async () => {
      await stop()
      running = await startProgram({ config, checkEvents: true })
      return restarted(running)
    },
    close: async () => {
      await stop()
      await server?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function restarted(program: Program): Promise<Restarted> {
  const document = await program.app.inject('/openapi.json')
  const stranger = new TestClient(program.app, openApiChecker(document.payload), '')
  return {
    program,
    stranger,
    signIn: async (email, tenantId) => {
      const options = tenantId === undefined ? {} : { headers: { 'x-tenant-id': tenantId } }
      const answer = await stranger.post('/auth/login', { email, password }, options)
      if (answer.status !== 200) throw new Error(`cannot sign in: ${answer.text}`)
      return stranger.with(answer.body.data.access_token)
    },
  }
}
