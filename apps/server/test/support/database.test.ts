import { afterAll, describe, expect, test } from 'vitest'
import { databaseMigrations } from '../../src/kernel/db/schema/migrations.ts'
import { databaseTables } from '../../src/kernel/db/schema/tables.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { isAvailable, openTestDatabase, type TestDatabase } from './database.ts'

const schema = { tables: databaseTables, migrations: databaseMigrations }

for (const kind of ['pglite', 'pg'] as const) {
  describe.skipIf(!(await isAvailable(kind)))(`test databases on ${kind} (skipped where there is no server)`, () => {
    const opened: TestDatabase[] = []
    const open = async (): Promise<TestDatabase> => {
      const database = await openTestDatabase(schema, kind)
      opened.push(database)
      return database
    }
    afterAll(() => Promise.all(opened.map((database) => database.close())))

    test('two databases of one schema do not see each other', async () => {
      const [left, right] = [await open(), await open()]
      const write = await left.driver.acquire()
      await write.run([sql`insert into platform_state (name, value) values ('a', '1')`])
      write.release()
      const read = await right.driver.acquire()
      const [rows] = await read.run([sql`select name from platform_state`])
      read.release()
      expect(rows?.rows).toEqual([])
    })
  })
}
