/** Effects of one tenant's load on another one, on a real server with the pool that ships. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { modules } from '../../modules.ts'
import { schemaOf } from '../assembly/schema.ts'
import { createPgDriver } from './adapters/pg.ts'
import { sql } from './sql.ts'

describe.skipIf(!(await isAvailable('pg')))('PostgreSQL (skipped where there is none)', () => {
  let database: TestDatabase
  let world: World
  let busy: TestTenant
  let calm: TestTenant

  beforeAll(async () => {
    database = await openTestDatabase(schemaOf(modules), 'pg')
    const driver = createPgDriver({ url: database.url ?? '', poolSize: 10 })
    world = await openWorld({ database: { driver, url: database.url, close: () => driver.close() } })
    busy = await world.tenant('busy')
    calm = await world.tenant('calm')
  })
  afterAll(async () => {
    await world?.close()
    await database?.close()
  })

  test('C27 a tenant that keeps the database busy leaves another one its turn, and nobody is refused', async () => {
    const { db } = world.kernel
    let done = 0
    let goesOn = true
    const flood = Array.from({ length: 100 }, async () => {
      for (; goesOn; done += 1) await db.read(busy.id, sql`select pg_sleep(0.05)`)
    })
    /** Statements of the flood that were served during other callers' requests. */
    const servedBeside = async ({ admin }: TestTenant): Promise<number> => {
      const before = done
      for (let asked = 0; asked < 5; asked += 1) expect((await admin.get('/iam/roles')).status).toBe(200)
      return done - before
    }
    // First come first served, each statement of either would have the hundred before it.
    expect(await servedBeside(calm)).toBeLessThan((await servedBeside(busy)) / 2)
    goesOn = false
    await Promise.all(flood)
  })

  test('C27 a statement has ten seconds; one that takes longer ends with 503, and its connection is clean', async () => {
    const { db } = world.kernel
    const limits = await db.read(
      busy.id,
      sql<{ statement: string; idle: string }>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    expect(limits).toEqual([{ statement: '10s', idle: '1min' }])
    const slow = db.tenant({ tenantId: busy.id }, async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', '50', true)`)
      await tx.query(sql`select pg_sleep(20)`)
    })
    await expect(slow).rejects.toMatchObject({ code: 'API-009', status: 503 })
    expect(await db.read(busy.id, sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})
