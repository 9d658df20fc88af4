import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase } from '../../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { script } from '../owner.ts'
import type { Driver } from '../port.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'

const clock = systemClock()
const first: Migration = { id: 't-0001-a', sql: 'create table a (n integer not null); insert into a values (1);' }
const second: Migration = { id: 't-0002-b', sql: 'alter table a add column m integer not null default 2;' }

async function rows(driver: Driver, text: string) {
  const session = await driver.acquire()
  try {
    return (await session.run([script(text)]))[0]?.rows
  } finally {
    session.release()
  }
}

describe('migrations', () => {
  let opened: Promise<Driver> | undefined
  const database = (): Promise<Driver> => {
    opened ??= openTestDatabase({ tables: [], migrations: [] }, 'pglite').then(({ driver }) => driver)
    return opened
  }
  beforeEach(async () => {
    const driver = await database()
    await driver.script('drop table if exists a; drop table if exists kernel_migration')
  })
  afterAll(async () => (await database()).close())

  test('run in order, once', async () => {
    const driver = await database()
    expect(await migrate(driver, clock, [first, second])).toEqual(['t-0001-a', 't-0002-b'])
    expect(await migrate(driver, clock, [first, second])).toEqual([])
    expect(await rows(driver, 'select n, m from a')).toEqual([{ n: 1, m: 2 }])
  })

  test('a later version adds only what is new', async () => {
    const driver = await database()
    await migrate(driver, clock, [first])
    expect(await migrate(driver, clock, [first, second])).toEqual(['t-0002-b'])
  })

  test('a text changed after it ran is refused', async () => {
    const driver = await database()
    await migrate(driver, clock, [first])
    await expect(migrate(driver, clock, [{ ...first, sql: `${first.sql} ` }])).rejects.toThrow(/was changed/)
  })

  test('a database ahead of this version is refused', async () => {
    const driver = await database()
    await migrate(driver, clock, [first, second])
    await expect(migrate(driver, clock, [first])).rejects.toThrow(/ahead of this version \(t-0002-b\)/)
  })

  test('a failing migration leaves nothing of itself and keeps what was before', async () => {
    const driver = await database()
    const bad: Migration = { id: 't-0002-bad', sql: 'insert into a values (9); select 1 / 0;' }
    await expect(migrate(driver, clock, [first, bad])).rejects.toThrow('Migration t-0002-bad failed')
    expect(await rows(driver, 'select n from a')).toEqual([{ n: 1 }])
    expect(await migrate(driver, clock, [first, second])).toEqual(['t-0002-b'])
  })

  test('two migrations of one name are refused before anything runs', async () => {
    const driver = await database()
    await expect(migrate(driver, clock, [first, first])).rejects.toThrow(/Two migrations/)
    expect(await rows(driver, "select to_regclass('a') is null as none")).toEqual([{ none: true }])
  })
})

describe.skipIf(!(await isAvailable('pg')))('migrations on a server (skipped where none answers)', () => {
  test('several instances starting together apply each migration once', async () => {
    const { driver, close } = await openTestDatabase({ tables: [], migrations: [] }, 'pg')
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(driver, clock, [first, second])))
    expect(applied.flat().sort()).toEqual(['t-0001-a', 't-0002-b'])
    expect(await rows(driver, 'select n, m from a')).toEqual([{ n: 1, m: 2 }])
    await close()
  })

  test('a migration waits for a lock in short turns and is applied once it is free', async () => {
    const { driver, close } = await openTestDatabase({ tables: [], migrations: [] }, 'pg')
    await migrate(driver, clock, [first])
    const holder = await driver.acquire()
    await holder.run([script('begin'), script('lock table a in access share mode')])
    let pauses = 0
    const impatient = {
      iso: clock.iso,
      // The first pause is the moment the holder lets go; nothing sleeps.
      after: (_ms: number, run: () => void) => {
        pauses += 1
        void holder.run([script('commit')]).then(run)
        return { stop: () => {} }
      },
    }
    expect(await migrate(driver, impatient, [first, second])).toEqual(['t-0002-b'])
    expect(pauses).toBe(1)
    holder.release()
    await close()
  })
})
