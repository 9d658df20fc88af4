import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../sql.ts'
import { emptyClusterFolder, keepCluster, keptCluster } from './empty-cluster.ts'
import { openPglite } from './pglite.ts'
import { workerFile } from './pglite-thread.ts'

let folder = ''
let place = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-cluster-'))
  place = join(folder, 'deep', 'empty')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const kept = async (folder?: string): Promise<string> => (await keptCluster(folder)) ?? expect.unreachable()
const copied = async (into: string): Promise<void> => cp(await kept(), into, { recursive: true })

const namesIn = async (path: string): Promise<readonly string[]> => (await readdir(path, { recursive: true })).sort()

test('a new database has no other one beside it', async () => {
  for (const dataDir of [null, join(folder, 'db')]) {
    const driver = await openPglite({ dataDir })
    const session = await driver.acquire()
    const [found] = await session.run([sql`select datname from pg_database`])
    session.release()
    await driver.close()
    expect(found?.rows).toEqual([{ datname: 'postgres' }])
  }
})

test('two that keep a cluster at once both do, and a third makes none', async () => {
  await Promise.all([keepCluster(place, copied), keepCluster(place, copied)])
  await keepCluster(place, () => Promise.reject(new Error('was made again')))
  expect(await namesIn(await kept(place))).toEqual(await namesIn(await kept()))
  expect(await readdir(place)).toEqual(['1'])
})

test('others may read what is kept, and only its owner change it', async () => {
  const names = ['.', ...(await namesIn(emptyClusterFolder()))]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(emptyClusterFolder(), name))).mode))
  expect(modes.filter((mode) => (mode & 0o022) !== 0)).toEqual([])
})

test('one that cannot be made leaves nothing', async () => {
  await expect(keepCluster(place, () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
  expect(await readdir(place)).toEqual([])
})

test.each([
  ['an empty folder', (cluster: string) => rm(join(cluster, 'pg_wal/archive_status'), { recursive: true })],
  ['a file that no start looks for', (cluster: string) => rm(join(cluster, 'pg_multixact/offsets/0000'))],
  ['the end of one', (cluster: string) => truncate(join(cluster, 'global/pg_control'), 100)],
])('a cluster without %s is taken for missing, and another takes its place', async (_what, damage) => {
  expect(await keptCluster(place)).toBeNull()
  await keepCluster(place, copied)
  await damage(await kept(place))
  expect(await keptCluster(place)).toBeNull()
  await keepCluster(place, copied)
  expect(await namesIn(await kept(place))).toEqual(await namesIn(await kept()))
  expect(await readdir(place)).toEqual(['2'])
})

test('of two that find a broken one the second leaves what the first put in its place', async () => {
  await keepCluster(place, copied)
  await rm(join(await kept(place), 'PG_VERSION'))
  let first = ''
  await keepCluster(place, async (into) => {
    await keepCluster(place, copied)
    first = await kept(place)
    await copied(into)
  })
  expect([await kept(place), await readdir(place)]).toEqual([first, ['2']])
})

test('of two that come to put one there at once the second leaves that of the first', async () => {
  await keepCluster(place, copied)
  await rm(join(await kept(place), 'PG_VERSION'))
  const copies = await Promise.all(
    Array.from({ length: 2 }, async () => {
      await keepCluster(place, copied)
      return kept(place)
    }),
  )
  expect(new Set(copies).size).toBe(1)
  expect(await namesIn(await kept(place))).toEqual(await namesIn(await kept()))
})

test('the process that makes a cluster ends with the one that asked for it', async () => {
  const child = spawn(process.execPath, [fileURLToPath(workerFile), place], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.end()
  expect(await ended).toBe(1)
})
