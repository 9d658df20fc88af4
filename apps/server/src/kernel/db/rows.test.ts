import Type from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createDatabase } from './database.ts'
import { insertMany, insertRows, recordset } from './rows.ts'
import { sql } from './sql.ts'
import { table } from './table.ts'
import { contractRecorders, contractSchema, notes } from './testing/contract-schema.ts'
import { newId, newTenant } from './testing/contract-world.ts'

const at = '2026-11-20T19:13:55.120Z'

const cells = table({
  name: 'rows_cell',
  row: Type.Object({
    ...{ tenant_id: Type.String(), id: Type.String(), sealed: Type.Unsafe<Uint8Array | null>({}) },
    ...{ amount: Type.String(), words: Type.String(), state: Type.String() },
  }),
  append: true,
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})
const schema = {
  tables: [...contractSchema.tables, cells],
  migrations: [
    ...contractSchema.migrations,
    {
      id: 'rows-0001',
      sql: `create table rows_cell (
        tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid, id uuid not null,
        sealed bytea, amount numeric(38) not null, words tsvector not null, state text not null default 'new',
        primary key (tenant_id, id));`,
    },
  ],
}

for (const kind of ['pglite', 'pg'] as const) {
  describe.skipIf(!(await isAvailable(kind)))(`rows on ${kind} (skipped where it cannot run)`, () => {
    let opened: Promise<TestDatabase> | undefined
    const database = async () => {
      opened ??= openTestDatabase(schema, kind)
      return createDatabase({ driver: (await opened).driver, recorders: contractRecorders })
    }
    afterAll(async () => (await opened)?.close())

    test('many rows come back as they were given, and none at all is nothing to do', async () => {
      const db = await database()
      const tenantId = newTenant()
      const rows = ['one', 'two "quoted" \\x', 'three'].map((title, rank) => {
        const body = rank === 0 ? null : { list: [1, null, 'x'], text: 'null' }
        return {
          tenant_id: tenantId,
          id: newId(),
          title,
          rank,
          tags: rank === 1 ? null : ['a', 'b,c'],
          body,
          created_at: at,
        }
      })
      const page = { limit: 10, sort: 'rank', descending: false, after: null, total: null }
      await db.tenant({ tenantId }, async (tx) => {
        expect(await insertMany(tx, notes, [])).toBe(0)
        expect(await insertMany(tx, notes, rows)).toBe(3)
        expect((await notes.page(tx, page)).items).toEqual(rows)
      })
    })

    test('bytes, large numbers and vectors of words arrive, and what is not named has its default', async () => {
      const db = await database()
      const tenantId = newTenant()
      const row = { amount: '12345678901234567890123456789', words: "'a':1 'b':2", other: 'is no column' }
      const sealed = Uint8Array.of(0, 255, 92, 120)
      const rows = [
        { id: newId(), sealed, ...row },
        { id: newId(), sealed: null, ...row },
      ]
      await db.tenant({ tenantId }, (tx) => tx.execute(insertRows(cells, rows)))
      const stored = await db.read(
        tenantId,
        sql`select encode(sealed, 'hex') as sealed, amount::text as amount, words::text as words, state from rows_cell order by sealed`,
      )
      const { other: _, ...shown } = { ...row, state: 'new' }
      expect(stored).toEqual([
        { sealed: '00ff5c78', ...shown },
        { sealed: null, ...shown },
      ])
    })

    test('the statement is the same for one row and for many, and takes conditions and conflicts', async () => {
      const db = await database()
      const tenantId = newTenant()
      const row = () => ({ tenant_id: tenantId, id: newId(), amount: '1', words: '' })
      const [first, second] = [row(), row()]
      const statement = (rows: readonly object[]) =>
        sql`${insertRows(cells, rows)} where row.id <> ${second.id} on conflict do nothing`
      expect(statement([first]).name).toBe(statement([first, second]).name)
      await db.append([statement([first, second]), statement([first, second])])
      expect(await db.read(tenantId, sql`select id from rows_cell`)).toEqual([{ id: first.id }])
    })

    test('rows that may be none name their columns', async () => {
      const db = await database()
      const tenantId = newTenant()
      await db.tenant({ tenantId }, async (tx) => {
        expect(await tx.execute(insertRows(cells, [], ['id', 'amount', 'words']))).toBe(0)
        expect(await tx.query(sql`select id from ${recordset(cells, [])} as row`)).toEqual([])
      })
      expect(() => insertRows(cells, [])).toThrow(TypeError)
    })
  })
}
