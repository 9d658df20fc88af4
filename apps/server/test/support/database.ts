/**
 * Databases for tests: each call gives an empty one with the schema in place, in well under a second, because the
 * schema is made once per its text and copied after that. `PARAPET_TEST_DB` chooses `pglite` (default, in memory) or
 * `pg` (a server, `PARAPET_TEST_DATABASE_URL`). Tested by everything that uses it.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '../../src/kernel/base/clock.ts'
import { emptyClusterFolder, keepCluster, keptCluster } from '../../src/kernel/db/adapters/empty-cluster.ts'
import { createPgDriver } from '../../src/kernel/db/adapters/pg.ts'
import { openPglite } from '../../src/kernel/db/adapters/pglite.ts'
import {
  type CompiledEngine,
  type PgliteThread,
  startThread,
  type ThreadData,
} from '../../src/kernel/db/adapters/pglite-thread.ts'
import { DatabaseError } from '../../src/kernel/db/errors.ts'
import type { Driver } from '../../src/kernel/db/port.ts'
import { prepareDatabase, type Schema } from '../../src/kernel/db/schema/prepare.ts'
import { secureTable } from '../../src/kernel/db/schema/secure.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { runName } from './run-folder.ts'

const engineFolder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** A cluster is only good for the engine that made it, and holds what that began with. */
const origin = basename(emptyClusterFolder())

export type TestDatabaseKind = 'pglite' | 'pg'

export interface TestDatabase {
  readonly driver: Driver
  /** Address of the database for a second driver; null for the embedded one. */
  readonly url: string | null
  close(): Promise<void>
}

export const serverUrl = process.env.PARAPET_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Database kind that the environment chooses. */
export function chosenKind(): TestDatabaseKind {
  return process.env.PARAPET_TEST_DB === 'pg' ? 'pg' : 'pglite'
}

/** For suites that start servers of their own: both kinds, but only one in the run that is about PostgreSQL. */
export const serverKinds: readonly TestDatabaseKind[] = chosenKind() === 'pg' ? ['pg'] : ['pglite', 'pg']

/** Whether a suite can run on this kind here; with `CI` set a missing server is a failure and not a reason to skip. */
export async function isAvailable(kind: TestDatabaseKind): Promise<boolean> {
  if (kind === 'pglite' || process.env.CI !== undefined) return true
  const driver = createPgDriver({ url: serverUrl, poolSize: 1 })
  try {
    ;(await driver.acquire()).release()
    return true
  } catch {
    return false
  } finally {
    await driver.close()
  }
}

/** An empty database with this schema. */
export function openTestDatabase(schema: Schema, kind: TestDatabaseKind = chosenKind()): Promise<TestDatabase> {
  return kind === 'pg' ? cloneOnServer(schema) : cloneInMemory(schema)
}

function keyOf(schema: Schema): string {
  const parts = [origin, schema.migrations, schema.tables.map(secureTable)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

async function cloneInMemory(schema: Schema): Promise<TestDatabase> {
  const driver = await openPglite({ dataDir: null, cluster: await migratedCluster(schema), start: startCompiled })
  return { driver, url: null, close: () => driver.close() }
}

let compiled: Promise<CompiledEngine> | undefined

/** A thread takes half a second of processor less when the engine need not be compiled for it. */
async function startCompiled(data: ThreadData): Promise<PgliteThread> {
  const compile = async (name: string) => WebAssembly.compile(await readFile(join(engineFolder, name)))
  compiled ??= Promise.all([compile('pglite.wasm'), compile('initdb.wasm')]).then(
    ([pgliteWasmModule, initdbWasmModule]) => ({ pgliteWasmModule, initdbWasmModule }),
  )
  return startThread({ ...data, engine: await compiled })
}

const migrated = new Map<string, Promise<string>>()

function migratedCluster(schema: Schema): Promise<string> {
  const key = keyOf(schema)
  const known = migrated.get(key) ?? makeOrFind(schema, key)
  migrated.set(key, known)
  return known
}

/** On disk, for the other processes of the test run. */
async function makeOrFind(schema: Schema, key: string): Promise<string> {
  const folder = join(tmpdir(), 'parapet-test-databases')
  await mkdir(folder, { recursive: true })
  await forgetOld(folder)
  const place = join(folder, key)
  await keepCluster(place, async (dataDir) => {
    const driver = await openPglite({ dataDir, start: startCompiled })
    await prepareDatabase(driver, systemClock(), schema)
    await driver.close()
  })
  const cluster = await keptCluster(place)
  if (cluster === null) throw new Error(`${place} was changed while it was made`)
  // In use from now on, and nothing that anybody forgets.
  await utimes(place, new Date(), new Date())
  return cluster
}

const dayMs = 86_400_000

/** Every change of a migration leaves a folder of 30 MB behind. */
async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts !== null && Date.now() - facts.mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

async function cloneOnServer(schema: Schema): Promise<TestDatabase> {
  const owner = createPgDriver({ url: serverUrl, poolSize: 1 })
  const template = `parapet_template_${keyOf(schema)}`
  const name = `parapet_test_${runName()}_${createHash('sha256').update(`${performance.now()}${Math.random()}`).digest('hex').slice(0, 12)}`
  await ensureTemplate(owner, template, schema)
  await patiently(() => owner.script(`create database ${name} template ${template}`))
  const url = addressOf(name)
  const driver = createPgDriver({ url, poolSize: 8 })
  return {
    driver,
    url,
    close: async () => {
      await driver.close()
      await owner.script(`drop database if exists ${name} with (force)`)
      await owner.close()
    },
  }
}

/** Built under another name and renamed, so that a template that exists is complete. */
async function ensureTemplate(owner: Driver, template: string, schema: Schema): Promise<void> {
  if (await databaseExists(owner, template)) return
  await dropOldDatabases(owner)
  const draft = `${template}_${process.pid}`
  await owner.script(`drop database if exists ${draft} with (force)`)
  await patiently(() => owner.script(`create database ${draft} template template0`))
  const driver = createPgDriver({ url: addressOf(draft), poolSize: 2 })
  try {
    await prepareDatabase(driver, systemClock(), schema)
  } finally {
    await driver.close()
  }
  try {
    await patiently(() => owner.script(`alter database ${draft} rename to ${template}`))
  } catch (error) {
    await owner.script(`drop database if exists ${draft} with (force)`)
    // Another suite was first: the name is taken, or is being taken at this moment.
    if (!(error instanceof DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error
  }
}

/** Leftovers of killed test runs and changed migrations. Needs a superuser; without one they stay. */
function dropOldDatabases(owner: Driver): Promise<void> {
  return dropDatabases(
    owner,
    sql<{ name: string }>`
      select datname as name from pg_database
      where datname ~ '^parapet_(template|test)_'
        and (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 day'`,
  )
}

/** The databases that the workers of a run left open. @param run by its `runName` */
export async function dropDatabasesOf(run: string): Promise<void> {
  const owner = createPgDriver({ url: serverUrl, poolSize: 1 })
  try {
    const prefix = `parapet_test_${run}_`
    await dropDatabases(
      owner,
      sql<{ name: string }>`select datname as name from pg_database where starts_with(datname, ${prefix})`,
    )
  } finally {
    await owner.close()
  }
}

async function dropDatabases(owner: Driver, named: Sql<{ name: string }>): Promise<void> {
  const session = await owner.acquire()
  const found = await session
    .run([named])
    .catch(() => [])
    .finally(() => session.release())
  for (const { name } of found[0]?.rows ?? [])
    await owner.script(`drop database if exists ${String(name)} with (force)`)
}

async function databaseExists(owner: Driver, name: string): Promise<boolean> {
  const session = await owner.acquire()
  try {
    const [result] = await session.run([sql`select from pg_database where datname = ${name}`])
    return (result?.count ?? 0) > 0
  } finally {
    session.release()
  }
}

/** A template cannot be copied or renamed while a connection to it lingers (55006). */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '55006') || attempt >= 50) throw error
      await new Promise<void>((resolve) => setTimeout(resolve, 100))
    }
  }
}

function addressOf(database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
