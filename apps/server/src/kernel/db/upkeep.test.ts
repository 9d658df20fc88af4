import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock } from '../testing/fake-clock.ts'
import { openPglite } from './adapters/pglite.ts'
import type { Driver } from './port.ts'
import { type Sql, sql } from './sql.ts'
import { createUpkeep, tendOne } from './upkeep.ts'

let driver: Driver

/** Counts of changes are written down once a second, or when asked to. */
const change = async (text: string): Promise<void> => {
  await driver.script(`select pg_stat_force_next_flush(); ${text}`)
}

beforeAll(async () => {
  driver = await openPglite({ dataDir: null })
  await change(`
    create table "The crowd" (id int primary key, name text);
    insert into "The crowd" select n, 'person ' || n from generate_series(1, 5000) n`)
})
afterAll(() => driver.close())

async function first(statement: Sql<unknown>) {
  const session = await driver.acquire()
  try {
    return (await session.run([statement]))[0]?.rows[0]
  } finally {
    session.release()
  }
}

const tend = async (): Promise<number> => {
  let turns = 0
  while (await tendOne(driver)) turns += 1
  return turns
}

const known = sql`select reltuples::int as rows from pg_class where relname = 'The crowd'`
const dead = sql`select n_dead_tup::int as rows from pg_stat_user_tables where relname = 'The crowd'`

test('a table that was never looked at is analyzed, whatever its name', async () => {
  expect(await first(known)).toEqual({ rows: -1 })
  expect(await tend()).toBe(1)
  expect(await first(known)).toEqual({ rows: 5000 })
})

test('a table that grew before the counts of changes were lost is analyzed, a small one is not', async () => {
  await driver.script(`
    create table big as select n, repeat('x', 100) as text from generate_series(1, 2000) n; select pg_stat_force_next_flush()`)
  await driver.script('select pg_stat_reset()')
  expect(await tend()).toBe(1)
})

test('few changes are left alone', async () => {
  await change('delete from "The crowd" where id > 4980')
  expect(await first(dead)).toEqual({ rows: 20 })
  expect(await tend()).toBe(0)
})

test('rows that are gone give their space back', async () => {
  await change('delete from "The crowd" where id <= 2000')
  expect(await first(dead)).toEqual({ rows: 2020 })
  expect(await tend()).toBe(1)
  expect(await first(dead)).toEqual({ rows: 0 })
  expect(await first(known)).toEqual({ rows: 2980 })
})

test('a server is left to its own', async () => {
  const server: Driver = {
    ...driver,
    kind: 'pg',
    acquire: () => {
      throw new Error('asked')
    },
  }
  const failures: unknown[] = []
  const log = { warn: (fields: object) => failures.push(fields), error: (fields: object) => failures.push(fields) }
  const upkeep = createUpkeep({ driver: server, clock: createFakeClock(), log })
  await upkeep.start()
  await upkeep.stop()
  expect(failures).toEqual([])
})
