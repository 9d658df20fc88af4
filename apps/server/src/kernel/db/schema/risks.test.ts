import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { modules } from '../../../modules.ts'
import { schemaOf } from '../../assembly/schema.ts'
import { createPgDriver } from '../adapters/pg.ts'
import { migrationTable } from './migrate.ts'
import { databaseRisks } from './risks.ts'

const open = { host: '0.0.0.0', publicUrl: 'https://parapet.example' }
const local = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8080' }
const at = (offsetMs: number) => ({ now: () => Date.now() + offsetMs })
const login = 'parapet_test_plain_login'

describe('C84 the embedded database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(schemaOf(modules), 'pglite')
  })
  afterAll(() => database?.close())
  const riskOf = async (offsetMs: number) =>
    (await databaseRisks(database.driver, open, at(offsetMs))).map(({ risk }) => risk)

  test('tells of a clock that has gone back behind what it holds, and of no login', async () => {
    // The schema is a copy of one that may have been made long before this run.
    await database.driver.script(`update ${migrationTable} set applied_at = now()`)
    expect(await riskOf(0)).toEqual([])
    expect(await riskOf(-3_600_000)).toEqual(['clock'])
    expect(await riskOf(3_600_000)).toEqual([])
  })
})

describe.skipIf(!(await isAvailable('pg')))('C84 PostgreSQL (skipped where there is none)', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(schemaOf(modules), 'pg')
  })
  afterAll(async () => {
    await database?.driver.script(`drop role if exists ${login}`)
    await database?.close()
  })

  test.each([
    [-31_500, ['clock']],
    [-20_000, []],
    [20_000, []],
    [31_500, ['clock']],
  ])('a clock that is %i ms off its own is %j', async (offsetMs, risks) => {
    expect((await databaseRisks(database.driver, local, at(offsetMs))).map(({ risk }) => risk)).toEqual(risks)
  })

  test('a superuser or a login past row-level security is one where others are served; any other login is not', async () => {
    const risks = async (config: typeof open, url = database.url ?? '') => {
      const driver = createPgDriver({ url, poolSize: 2 })
      try {
        return (await databaseRisks(driver, config, at(0))).map(({ what }) => what)
      } finally {
        await driver.close()
      }
    }
    expect(await risks(open)).toEqual([expect.stringContaining('is a superuser')])
    expect(await risks(local)).toEqual([])
    const plain = new URL(database.url ?? '')
    plain.username = login
    plain.password = 'plain'
    await database.driver.script(
      `drop role if exists ${login}; create role ${login} login password 'plain'; grant select on all tables in schema public to ${login}`,
    )
    try {
      expect(await risks(open, plain.href)).toEqual([])
      await database.driver.script(`alter role ${login} bypassrls`)
      expect(await risks(open, plain.href)).toEqual([expect.stringContaining('bypasses row-level security')])
    } finally {
      await database.driver.script(`drop owned by ${login}`)
    }
  })
})
