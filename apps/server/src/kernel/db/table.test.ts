import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { TenantId } from '../access/actor.ts'
import { createDatabase } from './database.ts'
import type { Database } from './port.ts'
import { sql } from './sql.ts'
import type { PageRequest } from './table.ts'
import { contractRecorders, contractSchema, notes, settings } from './testing/contract-schema.ts'
import { newId, newTenant } from './testing/contract-world.ts'

const at = '2026-11-20T19:13:55.120Z'
const firstPage: PageRequest = { limit: 3, sort: 'rank', descending: false, after: null, total: null }

function note(tenantId: TenantId, title: string, rank = 1) {
  return { tenant_id: tenantId, id: newId(), title, rank, tags: ['a', 'b'], body: { list: [1, null] }, created_at: at }
}

/** Titles page by page until the end. */
async function walk(db: Database, tenantId: TenantId, first: PageRequest): Promise<readonly string[][]> {
  const pages: string[][] = []
  let request = first
  for (;;) {
    const page = await db.tenant({ tenantId, readOnly: true }, (tx) => notes.page(tx, request))
    pages.push(page.items.map(({ title }) => title))
    if (!page.hasMore || page.last === null) return pages
    request = { ...request, after: page.last, total: page.total }
  }
}

for (const kind of ['pglite', 'pg'] as const) {
  describe.skipIf(!(await isAvailable(kind)))(`tables on ${kind} (skipped where it cannot run)`, () => {
    let opened: Promise<TestDatabase> | undefined
    const database = async (): Promise<Database> => {
      opened ??= openTestDatabase(contractSchema, kind)
      return createDatabase({ driver: (await opened).driver, recorders: contractRecorders })
    }
    afterAll(async () => (await opened)?.close())

    test('a row comes back as it was inserted', async () => {
      const db = await database()
      const tenantId = newTenant()
      const row = note(tenantId, 'one')
      await db.tenant({ tenantId }, (tx) => notes.insert(tx, row))
      expect(await db.tenant({ tenantId }, (tx) => notes.get(tx, row.id))).toEqual(row)
    })

    test('a patch changes what it names, removing answers whether there was a row', async () => {
      const db = await database()
      const tenantId = newTenant()
      const row = note(tenantId, 'one')
      await db.tenant({ tenantId }, async (tx) => {
        await notes.insert(tx, row)
        await notes.patch(tx, row.id, { title: 'two', body: null })
        await notes.patch(tx, row.id, {})
        expect(await notes.needForUpdate(tx, row.id)).toEqual({ ...row, title: 'two', body: null })
        expect([await notes.remove(tx, row.id), await notes.remove(tx, row.id)]).toEqual([true, false])
        expect(await notes.get(tx, row.id)).toBeNull()
      })
    })

    test('a missing row is named in the 404', async () => {
      const db = await database()
      const needing = db.tenant({ tenantId: newTenant() }, (tx) => notes.need(tx, newId()))
      await expect(needing).rejects.toMatchObject({ code: 'API-013', message: 'No such note.' })
    })

    test('a walk shows every row once, in order, and counts on its first page', async () => {
      const db = await database()
      const tenantId = newTenant()
      const ranks = [5, 1, 3, 3, 3, 2, 4]
      await db.tenant({ tenantId }, (tx) =>
        Promise.all(ranks.map((rank, n) => notes.insert(tx, note(tenantId, `${rank}-${n}`, rank)))),
      )
      const pages = await walk(db, tenantId, firstPage)
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
      expect(pages.flat()).toEqual(['1-1', '2-5', '3-2', '3-3', '3-4', '4-6', '5-0'])
      const page = await db.tenant({ tenantId }, (tx) => notes.page(tx, firstPage, sql`rank = ${3}`))
      expect([page.total, page.hasMore]).toEqual([3, false])
    })

    test('the platform’s tables have no tenant', async () => {
      const db = await database()
      const name = newId()
      await db.tenant({ tenantId: newTenant() }, (tx) => settings.insert(tx, { name, value: 'x' }))
      const seen = await db.read(newTenant(), sql`select value from contract_setting where name = ${name}`)
      expect(seen).toEqual([{ value: 'x' }])
    })

    test('any mix of ranks, page sizes and directions walks each row once', async () => {
      const db = await database()
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          fc.constantFrom('id', 'rank', 'created_at'),
          fc.boolean(),
          async (ranks, limit, sort, descending) => {
            const tenantId = newTenant()
            const rows = ranks.map((rank, n) => note(tenantId, `n${n}`, rank))
            await db.tenant({ tenantId }, (tx) => Promise.all(rows.map((row) => notes.insert(tx, row))))
            const pages = await walk(db, tenantId, { ...firstPage, limit, sort, descending })
            expect(pages.flat().sort()).toEqual(rows.map(({ title }) => title).sort())
          },
        ),
        { numRuns: 25 },
      )
    })
  })
}
