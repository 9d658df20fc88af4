import Type from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { dataRegistryMigrations, dataRegistryTables } from '../data-registry/tables.ts'
import { createDatabase } from '../db/database.ts'
import type { Database, Tx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import { table } from '../db/table.ts'
import { contractRecorders } from '../db/testing/contract-schema.ts'
import { newId, newTenant } from '../db/testing/contract-world.ts'
import { apiErrors, defineErrors } from '../errors/errors.ts'
import { anyVersion, etagOf, preconditionOf } from '../http/answer/etag.ts'
import { nullable, Timestamp, Uuid } from '../schema/types.ts'
import { change, create, hold, holdAll, newRow, remove, resource, write } from './resource.ts'

const errors = defineErrors('KIT', {
  titleTaken: [1, 409, 'Title Taken', (p: { title: string }) => `There is a note ${p.title}.`],
})
const data = { category: 'test', subject: [], retention: 'tenant', erasure: 'none' } as const
const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

const noteTable = table({
  name: 'kit_note',
  noun: 'note',
  row: Type.Object({
    ...{ tenant_id: Uuid, id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
    ...{ title: Type.String(), rank: Type.Integer(), tags: nullable(Type.Array(Type.Object({ name: Type.String() }))) },
  }),
  data,
})
const entryTable = table({
  name: 'kit_entry',
  row: Type.Object({
    tenant_id: Uuid,
    id: Type.Integer(),
    action: Type.String(),
    fields: Type.Unknown({ jsonb: true }),
  }),
  data,
})
const schema = {
  tables: [noteTable, entryTable, ...dataRegistryTables],
  migrations: [
    ...dataRegistryMigrations,
    {
      id: 'kit-0001',
      sql: `
create table kit_note (${tenantColumn}, id uuid not null, version integer not null, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, title text not null, rank integer not null, tags jsonb, primary key (tenant_id, id));
create unique index kit_note_title on kit_note (tenant_id, title);
create table kit_entry (${tenantColumn}, id bigint generated always as identity, action text not null, fields jsonb not null,
  primary key (tenant_id, id));`,
    },
  ],
}
const recorders = {
  ...contractRecorders,
  audit: (_tx: unknown, action: string, [fields]: readonly object[]) =>
    sql`insert into kit_entry (action, fields) values (${action}, ${json(fields)}::jsonb)`,
  change: (_tx: unknown, topic: string, key: string) =>
    sql`insert into kit_entry (action, fields) values (${topic}, ${json({ key })}::jsonb)`,
}

const notes = resource({
  table: noteTable,
  kind: 'note',
  unique: { kit_note_title: ({ title }) => errors.titleTaken({ title }) },
})
const namedNotes = resource({
  table: noteTable,
  kind: 'named_note',
  name: ({ title }) => title,
  announces: 'kit.notes',
})

let ticks = 0
const kernel = {
  clock: { iso: () => new Date(Date.UTC(2026, 0, 1) + 1000 * ticks++).toISOString() },
  random: { uuid: newId },
}

for (const kind of ['pglite', 'pg'] as const) {
  describe.skipIf(!(await isAvailable(kind)))(`resources on ${kind} (skipped where it cannot run)`, () => {
    let opened: Promise<TestDatabase> | undefined
    const open = async () => {
      opened ??= openTestDatabase(schema, kind)
      const db = createDatabase({ driver: (await opened).driver, recorders })
      const tenantId = newTenant()
      const tx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.tenant({ tenantId }, work)
      return { db, tenantId, tx }
    }
    afterAll(async () => (await opened)?.close())

    const added = (tx: Tx, title: string) => {
      const row = { ...newRow(kernel, tx), title, rank: 0, tags: null }
      return create(tx, notes, row, { action: 'kit.note.create' }).then(() => row)
    }
    const entries = (db: Database, tenantId: ReturnType<typeof newTenant>) =>
      db.read(
        tenantId,
        sql<{
          action: string
          fields: object
        }>`select action, fields from kit_entry where tenant_id = ${tenantId} order by id`,
      )

    test('a new row has an id, times and version 1, and its entry shows it', async () => {
      const { db, tenantId, tx } = await open()
      const row = await tx((one) => added(one, 'one'))
      expect(row).toMatchObject({ tenant_id: tenantId, version: 1, updated_at: row.created_at })
      expect(await tx((one) => noteTable.get(one, row.id))).toEqual(row)
      const fields = { target: `note:${row.id}`, after: row }
      expect(await entries(db, tenantId)).toEqual([{ action: 'kit.note.create', fields }])
    })

    test('a change writes what it names at the next version, with what was before and after', async () => {
      const { db, tenantId, tx } = await open()
      const before = await tx((one) => added(one, 'one'))
      const after = await tx(async (one) => {
        const held = await hold(one, notes, { id: before.id, precondition: preconditionOf(etagOf(1, 'body')) })
        const changes = { title: undefined, rank: 7, tags: [{ name: 'a' }] }
        return change(kernel, one, held, { action: 'kit.note.update', changes, reason: 'tidy' })
      })
      expect(after).toEqual({ ...before, rank: 7, tags: [{ name: 'a' }], version: 2, updated_at: after.updated_at })
      expect(after.updated_at > before.updated_at).toBe(true)
      expect(await tx((one) => noteTable.get(one, before.id))).toEqual(after)
      const [, entry] = await entries(db, tenantId)
      expect(entry).toEqual({
        action: 'kit.note.update',
        fields: { target: `note:${before.id}`, before, after, reason: 'tidy' },
      })
    })

    test('an entry may show more than the row, or something else', async () => {
      const { db, tenantId, tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      await tx(async (one) => {
        const held = await hold(one, notes, { id, precondition: anyVersion })
        const shown = { before: { title: 'one' }, after: ({ title }: { title: string }) => ({ title, extra: true }) }
        await change(kernel, one, held, { action: 'kit.note.rename', changes: { title: 'two' }, about: id, ...shown })
      })
      const [, entry] = await entries(db, tenantId)
      const fields = { target: `note:${id}`, about: id, before: { title: 'one' }, after: { title: 'two', extra: true } }
      expect(entry).toEqual({ action: 'kit.note.rename', fields })
    })

    test('a removal answers with the id and its entry shows what was there', async () => {
      const { db, tenantId, tx } = await open()
      const row = await tx((one) => added(one, 'one'))
      const removed = await tx(async (one) =>
        remove(one, await hold(one, notes, { id: row.id, precondition: anyVersion }), { action: 'kit.note.delete' }),
      )
      expect(removed).toEqual({ id: row.id, deleted: true })
      expect(await tx((one) => noteTable.get(one, row.id))).toBeNull()
      const [, entry] = await entries(db, tenantId)
      expect(entry).toEqual({ action: 'kit.note.delete', fields: { target: `note:${row.id}`, before: row } })
    })

    test('every write is announced by the resource’s name, and a write alone leaves no entry', async () => {
      const { db, tenantId, tx } = await open()
      await tx(async (one) => {
        const row = { ...newRow(kernel, one), title: 'one', rank: 0, tags: null }
        await create(one, namedNotes, row, { action: 'kit.note.create', after: ({ title }) => ({ title }) })
        const held = await hold(one, namedNotes, { id: sql`title = ${'one'}`, precondition: anyVersion })
        expect(await write(kernel, one, held, { rank: 1 })).toMatchObject({ rank: 1, version: 2 })
        await remove(one, held, { action: 'kit.note.delete', before: null, after: { left: 0 } })
      })
      const announced = { action: 'kit.notes', fields: { key: 'one' } }
      expect(await entries(db, tenantId)).toEqual([
        announced,
        { action: 'kit.note.create', fields: { target: 'named_note:one', after: { title: 'one' } } },
        announced,
        announced,
        { action: 'kit.note.delete', fields: { target: 'named_note:one', before: null, after: { left: 0 } } },
      ])
    })

    test.each([
      ['no header', undefined, true],
      ['any version', '*', true],
      ['its tag', '"1-abc"', true],
      ['a list with its tag', '"7-x", "1-y"', true],
      ['a list without it', '"7-x", "8-y"', false],
      ['an older version', '"0-abc"', false],
      ['its tag as a weak one, which matches nothing', 'W/"1-abc"', false],
      ['no tag at all', '1', false],
    ])('a row is held at %s or refused', async (_name, header, isHeld) => {
      const { tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      const holding = tx((one) => hold(one, notes, { id, precondition: preconditionOf(header) }))
      if (isHeld) expect((await holding).row.id).toBe(id)
      else await expect(holding).rejects.toMatchObject({ code: 'API-012' })
    })

    test('who may not touch a row learns nothing of its version, and a missing row is named', async () => {
      const { tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      const allow = () => Promise.reject(apiErrors.notFound({ what: 'note' }))
      const stale = preconditionOf('"9-x"')
      await expect(tx((one) => hold(one, notes, { id, precondition: stale, allow }))).rejects.toMatchObject({
        code: 'API-013',
      })
      await expect(tx((one) => hold(one, notes, { id: newId(), precondition: stale }))).rejects.toMatchObject({
        code: 'API-013',
        message: 'No such note.',
      })
    })

    const raise = (id: string, header: string | undefined) => async (tx: Tx) => {
      const held = await hold(tx, notes, { id, precondition: preconditionOf(header) })
      return change(kernel, tx, held, { action: 'kit.note.update', changes: { rank: held.row.rank + 1 } })
    }

    test('of changes at once with the same tag one is made', async () => {
      const { db, tenantId, tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      const tries = await Promise.allSettled(Array.from({ length: 5 }, () => tx(raise(id, '"1-x"'))))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const refused = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason.code] : []))
      expect(refused).toEqual(Array(4).fill('API-012'))
      expect(await tx((one) => noteTable.get(one, id))).toMatchObject({ rank: 1, version: 2 })
      expect(await entries(db, tenantId)).toHaveLength(2)
    })

    test('of changes at once without a tag none is lost', async () => {
      const { tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      await Promise.all(Array.from({ length: 5 }, () => tx(raise(id, undefined))))
      expect(await tx((one) => noteTable.get(one, id))).toMatchObject({ rank: 5, version: 6 })
    })

    test('a version never goes back, also where other code writes the row in between', async () => {
      const { tx } = await open()
      const { id } = await tx((one) => added(one, 'one'))
      const after = await tx(async (one) => {
        const held = await hold(one, notes, { id, precondition: anyVersion })
        await one.execute(sql`update kit_note set version = version + 1 where id = ${id}`)
        return write(kernel, one, held, { rank: 1 })
      })
      expect(after.version).toBe(3)
    })

    test('a taken name is the declared error, also where two take it at once, and leaves no entry', async () => {
      const { db, tenantId, tx } = await open()
      const tries = await Promise.allSettled([tx((one) => added(one, 'same')), tx((one) => added(one, 'same'))])
      const reasons = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason] : []))
      expect(reasons).toEqual([expect.objectContaining({ code: 'KIT-001', message: 'There is a note same.' })])
      const other = await tx((one) => added(one, 'other'))
      const renaming = tx(async (one) => {
        const held = await hold(one, notes, { id: other.id, precondition: anyVersion })
        return change(kernel, one, held, { action: 'kit.note.update', changes: { title: 'same' } })
      })
      await expect(renaming).rejects.toMatchObject({ code: 'KIT-001' })
      expect(await entries(db, tenantId)).toHaveLength(2)
    })

    test('an index nobody declared an error for is a fault of the program', async () => {
      const { tx } = await open()
      const row = await tx((one) => added(one, 'one'))
      await expect(tx((one) => create(one, notes, { ...row, title: 'two' }, { action: 'x' }))).rejects.toMatchObject({
        name: 'DatabaseError',
      })
    })

    test('all rows of a condition are held in the order of their ids, as many as were asked for', async () => {
      const { tx } = await open()
      const ids = await tx(async (one) => [
        (await added(one, 'a')).id,
        (await added(one, 'b')).id,
        (await added(one, 'c')).id,
      ])
      const held = await tx((one) => holdAll(one, notes, { where: sql`rank = ${0}`, limit: 2 }))
      expect(held.map(({ row }) => row.id)).toEqual(ids.toSorted().slice(0, 2))
    })
  })
}
