import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../port.ts'
import { type Sql, sql } from '../sql.ts'
import { openPglite } from './pglite.ts'
import { type PgliteThread, startThread } from './pglite-thread.ts'

async function run(driver: Driver, ...statements: Sql<unknown>[]) {
  const session = await driver.acquire()
  try {
    return await session.run(statements)
  } finally {
    session.release()
  }
}

// A first start takes two seconds of both cores; several of them on a loaded machine take more than the default.
describe('the embedded database in a folder', () => {
  let folder = ''
  let dataDir = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-pglite-'))
    dataDir = join(folder, 'deep', 'db')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('keeps what was committed over a restart', async () => {
    const first = await openPglite({ dataDir })
    await first.script('create table kept (n int); insert into kept values (1), (2)')
    await first.close()
    const second = await openPglite({ dataDir })
    const [rows] = await run(second, sql`select sum(n)::int as sum from kept`)
    await second.close()
    expect(rows?.rows).toEqual([{ sum: 3 }])
  })

  test('is copied into memory from a folder that nobody has open', async () => {
    const origin = await openPglite({ dataDir })
    await origin.script('create table t (n int); insert into t values (1)')
    await origin.close()
    const copy = () => openPglite({ dataDir: null, cluster: dataDir })
    const copies = await Promise.all([copy(), copy()])
    await run(copies[0], sql`delete from t`)
    const again = await openPglite({ dataDir })
    const counts = await Promise.all([again, ...copies].map((driver) => run(driver, sql`select count(*) from t`)))
    await Promise.all([again, ...copies].map((driver) => driver.close()))
    expect(counts.map(([result]) => result?.rows)).toEqual([[{ count: 1 }], [{ count: 0 }], [{ count: 1 }]])
  })

  test('refuses a second opener until the first has closed', async () => {
    const first = await openPglite({ dataDir })
    await expect(openPglite({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`)
    await first.close()
    await (await openPglite({ dataDir })).close()
  })

  test('opens when a killed start has left the lock file of the engine empty', async () => {
    await (await openPglite({ dataDir })).close()
    await writeFile(join(dataDir, 'postmaster.pid'), '')
    await (await openPglite({ dataDir })).close()
  })

  test('starts its thread again after a crash, from what was committed', async () => {
    const threads: PgliteThread[] = []
    const start: typeof startThread = async (data) => {
      const thread = await startThread(data)
      threads.push(thread)
      return thread
    }
    const driver = await openPglite({ dataDir, start })
    await driver.script('create table kept (n int); insert into kept values (7)')
    const running = run(driver, sql`select pg_sleep(0), generate_series(1, 300000)`)
    await threads[0]?.stop()
    await expect(running).rejects.toMatchObject({ code: 'DatabaseUnavailable' })
    const [rows] = await run(driver, sql`select n from kept`)
    await driver.close()
    expect([rows?.rows, threads.length]).toEqual([[{ n: 7 }], 2])
  })

  test('has every acknowledged row after its process was killed', async () => {
    const writer = new URL('./pglite-crash-writer.ts', import.meta.url).pathname
    const child = spawn(process.execPath, ['--import', 'tsx', writer, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let acknowledged = 0
    child.stdout.setEncoding('utf8')
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text: string) => {
        acknowledged = Number(text.trim().split('\n').at(-1))
        if (acknowledged >= 200) child.kill('SIGKILL')
      })
      child.on('close', () => resolve())
    })
    const driver = await openPglite({ dataDir })
    const [rows] = await run(driver, sql`select max(n)::int as max, count(*)::int as count from written`)
    await driver.close()
    const found = Number(rows?.rows[0]?.max)
    expect(found).toBeGreaterThanOrEqual(acknowledged)
    expect(rows?.rows[0]?.count).toBe(found)
  })
})

describe('the embedded database in memory', () => {
  test('a transaction somebody left open does not reach the next one', async () => {
    const driver = await openPglite({ dataDir: null })
    await run(driver, sql`create table t (n int)`)
    await run(driver, { text: 'begin', name: '', values: [] }, sql`insert into t values (1)`)
    const [rows, role] = await run(driver, sql`select count(*) from t`, sql`select 1`)
    await driver.close()
    expect([rows?.rows, role?.count]).toEqual([[{ count: 0 }], 1])
  })

  test('a script that fails half-way leaves nothing open', async () => {
    const driver = await openPglite({ dataDir: null })
    await expect(driver.script('begin; create table half (n int); select 1 / 0;')).rejects.toMatchObject({
      code: '22012',
    })
    const [rows] = await run(driver, sql`select to_regclass('half') as half`)
    await driver.close()
    expect(rows?.rows).toEqual([{ half: null }])
  })
})
