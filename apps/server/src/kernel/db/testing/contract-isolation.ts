import { describe, expect, test } from 'vitest'
import { begin, rollback } from '../scope.ts'
import { type SqlPart, sql, together } from '../sql.ts'
import { addNote, type ContractWorld, newId, newTenant, recorded, titles } from './contract-world.ts'

const refused = { code: '42501' }

export function isolationContract(world: () => ContractWorld): void {
  describe('isolation', () => {
    test('C15 another tenant sees no row and can touch none', async () => {
      const { db } = world()
      const [owner, stranger] = [newTenant(), newTenant()]
      await db.tenant({ tenantId: owner }, (tx) => addNote(tx, 'mine'))
      expect(await titles(db, stranger)).toEqual([])
      const touched = await db.tenant({ tenantId: stranger }, async (tx) => [
        await tx.execute(sql`update contract_note set rank = 9`),
        await tx.execute(sql`delete from contract_note`),
      ])
      expect(touched).toEqual([0, 0])
      expect(await titles(db, owner)).toEqual(['mine'])
    })

    test('C15 without a tenant no row is seen and none can be added', async () => {
      const { db, driver } = world()
      await db.tenant({ tenantId: newTenant() }, (tx) => addNote(tx, 'hidden'))
      const session = await driver.acquire()
      const role = sql`select set_config('role', 'parapet_app', true)`
      const [, , rows] = await session.run([begin, role, sql`select id from contract_note`])
      const insert = sql`insert into contract_counter (tenant_id, id, value) values (${newTenant()}, ${newId()}, 1)`
      await expect(session.run([insert])).rejects.toMatchObject(refused)
      await session.run([rollback])
      session.release()
      expect(rows?.rows).toEqual([])
    })

    test('C15 a row for another tenant is refused, at insert and at update', async () => {
      const { db } = world()
      const tenantId = newTenant()
      const insert = db.tenant({ tenantId }, (tx) =>
        tx.execute(sql`insert into contract_counter (tenant_id, id, value) values (${newTenant()}, ${newId()}, 1)`),
      )
      await expect(insert).rejects.toMatchObject(refused)
      const move = db.tenant({ tenantId }, async (tx) => {
        await addNote(tx, 'moves')
        await tx.execute(sql`update contract_note set tenant_id = ${newTenant()}`)
      })
      await expect(move).rejects.toMatchObject(refused)
    })

    test.each(['delete from contract_record', "update contract_record set text = 'x'", 'truncate contract_record'])(
      'C61 append-only rows withstand: %s',
      async (text) => {
        const changing = world().db.tenant({ tenantId: newTenant() }, (tx) =>
          tx.execute({ text, name: '', values: [] }),
        )
        await expect(changing).rejects.toMatchObject(refused)
      },
    )

    test('the system role sees all tenants of system tables and no others', async () => {
      const { db } = world()
      const ids = [newId(), newId()]
      for (const id of ids) {
        await db.tenant({ tenantId: newTenant() }, (tx) =>
          tx.execute(sql`insert into contract_counter (id, value) values (${id}, 1)`),
        )
      }
      const seen = await db.system('contract', (tx) =>
        tx.query(sql<{ id: string }>`select id from contract_counter where id = any(${ids}::uuid[]) order by id`),
      )
      expect(seen.map(({ id }) => id)).toEqual([...ids].sort())
      const peeking = db.system('contract', (tx) => tx.query(sql`select id from contract_note`))
      await expect(peeking).rejects.toMatchObject(refused)
    })

    test('the system role reads the columns that a schedule needs, of all tenants, and neither others nor writes', async () => {
      const { db } = world()
      const tenants = [newTenant(), newTenant()]
      const kind = `due-${newId()}`
      for (const tenantId of tenants) {
        await db.tenant({ tenantId }, (tx) =>
          tx.execute(sql`insert into contract_record (kind, text) values (${kind}, 'private')`),
        )
      }
      const due = await db.system('contract', (tx) =>
        tx.query(sql<{ tenant_id: string }>`select tenant_id from contract_record where kind = ${kind}`),
      )
      expect(due.map(({ tenant_id }) => tenant_id).sort()).toEqual([...tenants].sort())
      for (const statement of [
        sql`select text from contract_record where kind = ${kind}`,
        sql`update contract_record set kind = 'x' where kind = ${kind}`,
        sql`delete from contract_record where kind = ${kind}`,
      ]) {
        await expect(db.system('contract', (tx) => tx.execute(statement))).rejects.toMatchObject(refused)
      }
    })

    test.each(['append', 'appendUnsynced'] as const)(
      'the insert-only role adds for several tenants and reads nothing: %s',
      async (append) => {
        const { db } = world()
        const [left, right] = [newTenant(), newTenant()]
        const insert = (tenant: string, text: string) =>
          sql`insert into contract_record (tenant_id, kind, text) values (${tenant}, 'log', ${text})`
        await db[append]([insert(left, 'a'), insert(right, 'b')])
        expect(await db.read(right, sql`select text from contract_record`)).toEqual([{ text: 'b' }])
        await expect(db[append]([sql`select text from contract_record`])).rejects.toMatchObject(refused)
        await expect(
          db[append]([insert(left, 'c'), sql`insert into contract_counter (id, value) values (${newId()}, 1)`]),
        ).rejects.toMatchObject(refused)
        expect(await db.read(left, sql`select text from contract_record`)).toEqual([{ text: 'a' }])
      },
    )

    test('the insert-only role may ask the tables that say so, of every tenant, and change nothing there', async () => {
      const { db } = world()
      const [left, right] = [newTenant(), newTenant()]
      await db.tenant({ tenantId: left }, (tx) =>
        tx.execute(sql`insert into contract_counter (id, value) values (${newId()}, 1)`),
      )
      await db.append([
        sql`
          insert into contract_record (tenant_id, kind, text)
          select tenant_id, 'log', 'a' from unnest(${[left, right]}::uuid[]) as asked(tenant_id)
          where not exists (select from contract_counter counter where counter.tenant_id = asked.tenant_id)`,
      ])
      expect(await db.read(left, sql`select text from contract_record`)).toEqual([])
      expect(await db.read(right, sql`select text from contract_record`)).toEqual([{ text: 'a' }])
      await expect(db.append([sql`update contract_counter set value = 2`])).rejects.toMatchObject(refused)
    })

    test('inserts that go together are stored all or none', async () => {
      const { db } = world()
      const tenant = newTenant()
      const named = (name: SqlPart, kind: string | null) => ({
        insert: sql`${name} as (insert into contract_record (tenant_id, kind, text) values (${tenant}, ${kind}, 'a'))`,
      })
      await db.append([together([named(sql`first`, 'log'), named(sql`second`, 'log')])])
      await expect(db.append([together([named(sql`first`, 'log'), named(sql`second`, null)])])).rejects.toThrow()
      expect(await recorded(db, tenant)).toEqual(['log: a', 'log: a'])
    })

    test('what may wait for the disk is there at once, and the next transaction waits as ever', async () => {
      const { db } = world()
      const tenant = newTenant()
      await db.appendUnsynced([sql`insert into contract_record (tenant_id, kind, text) values (${tenant}, 'log', 'a')`])
      expect(await db.read(tenant, sql`select text from contract_record`)).toEqual([{ text: 'a' }])
      expect(await db.read(tenant, sql`select current_setting('synchronous_commit') as word`)).toEqual([{ word: 'on' }])
    })

    test.each([
      [
        'commit',
        (tenant: ReturnType<typeof newTenant>) => world().db.tenant({ tenantId: tenant }, (tx) => addNote(tx, 'x')),
      ],
      [
        'rollback',
        (tenant: ReturnType<typeof newTenant>) =>
          world().db.tenant({ tenantId: tenant }, async (tx) => {
            await addNote(tx, 'x')
            throw new Error('no')
          }),
      ],
      [
        'an error',
        (tenant: ReturnType<typeof newTenant>) =>
          world().db.tenant({ tenantId: tenant }, (tx) => tx.query(sql`select 1 / 0`)),
      ],
    ])('C15 after %s the connection has its own role and no tenant again', async (_how, act) => {
      await act(newTenant()).catch(() => {})
      const session = await world().driver.acquire()
      const [result] = await session.run([
        sql`select current_user = session_user as own, coalesce(current_setting('app.tenant_id', true), '') as tenant,
          current_setting('statement_timeout') as timeout`,
      ])
      session.release()
      expect(result?.rows).toEqual([{ own: true, tenant: '', timeout: '0' }])
    })
  })
}
