import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
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

const copied = (into: string): Promise<void> => cp(emptyClusterFolder(), into, { recursive: true })

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
  expect(await keptCluster(place)).toBe(place)
  expect(await namesIn(place)).toEqual(await namesIn(emptyClusterFolder()))
  expect(await readdir(join(folder, 'deep'))).toEqual(['empty'])
})

test('others may read what is kept, and only its owner change it', async () => {
  const names = ['.', ...(await namesIn(emptyClusterFolder()))]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(emptyClusterFolder(), name))).mode))
  expect(modes.filter((mode) => (mode & 0o022) !== 0)).toEqual([])
})

test('one that cannot be made leaves nothing', async () => {
  await expect(keepCluster(place, () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
  expect(await readdir(join(folder, 'deep'))).toEqual([])
})

test('a cluster of which a part is missing is taken for missing, and is replaced', async () => {
  expect(await keptCluster(place)).toBeNull()
  for (const name of ['PG_VERSION', 'global', 'pg_wal/archive_status']) {
    await keepCluster(place, copied)
    await rm(join(place, name), { recursive: true })
    expect(await keptCluster(place)).toBeNull()
  }
  await keepCluster(place, copied)
  expect(await namesIn(place)).toEqual(await namesIn(emptyClusterFolder()))
})

test('the process that makes a cluster ends with the one that asked for it', async () => {
  const child = spawn(process.execPath, [fileURLToPath(workerFile), place], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.end()
  expect(await ended).toBe(1)
})
