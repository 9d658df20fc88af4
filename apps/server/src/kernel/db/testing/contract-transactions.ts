import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { defineEvent } from '../../events/catalogue/catalogue.ts'
import { isUniqueViolation } from '../errors.ts'
import { sql } from '../sql.ts'
import { addNote, type ContractWorld, newId, newTenant, recorded, titles } from './contract-world.ts'

const noted = defineEvent({
  channel: 'platform.note.added',
  type: 'NoteAdded',
  summary: 'A note was added.',
  schema: Type.Object({}),
})

export function transactionContract(world: () => ContractWorld): void {
  describe('transactions', () => {
    test('what returned is stored, what threw is not', async () => {
      const { db } = world()
      const tenantId = newTenant()
      await db.tenant({ tenantId }, (tx) => addNote(tx, 'kept'))
      const failing = db.tenant({ tenantId }, async (tx) => {
        await addNote(tx, 'lost')
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await titles(db, tenantId)).toEqual(['kept'])
    })

    test('the first error of a flush reaches everybody in it and nothing of the transaction stays', async () => {
      const { db } = world()
      const tenantId = newTenant()
      await db.tenant({ tenantId }, (tx) => addNote(tx, 'twice'))
      const outcomes = await db
        .tenant({ tenantId }, (tx) =>
          Promise.allSettled([addNote(tx, 'new'), addNote(tx, 'twice'), addNote(tx, 'later')]),
        )
        .catch((error: unknown) => error)
      expect(isUniqueViolation(outcomes, 'contract_note_title')).toBe(true)
      expect(await titles(db, tenantId)).toEqual(['twice'])
    })

    test('a statement has a limit where a server can end it in its middle, and none where it could only be refused', async () => {
      const { db } = world()
      const limit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
      const limits = [
        ...(await db.read(newTenant(), limit)),
        ...(await db.tenant({ tenantId: newTenant() }, (tx) => tx.query(limit))),
        ...(await db.system('limits', (tx) => tx.query(limit))),
      ]
      const expected = db.kind === 'pg' ? ['10s', '10s', '1min'] : ['0', '0', '0']
      expect(limits.map((row) => row.limit)).toEqual(expected)
    })

    test('after an error nothing more is sent, even when the caller went on', async () => {
      const { db } = world()
      const tenantId = newTenant()
      const going = db.tenant({ tenantId }, async (tx) => {
        await tx.query(sql`select 1 / 0`).catch(() => {})
        await addNote(tx, 'after').catch(() => {})
      })
      await expect(going).rejects.toMatchObject({ code: '22012' })
      expect(await titles(db, tenantId)).toEqual([])
    })

    test('records are written in order with the statements around them, and their errors surface at commit', async () => {
      const { db } = world()
      const tenantId = newTenant()
      await db.tenant({ tenantId }, async (tx) => {
        await tx.audit('first', { target: 'note:1' })
        await tx.execute(sql`insert into contract_record (kind, text) values ('own', 'second')`)
        await tx.emit(noted, 'note:1', {})
        await tx.enqueue({ kind: 'index', payload: {} })
        expect(await tx.cancel('job-1')).toBe(true)
        await tx.announce('notes', '1')
      })
      expect(await recorded(db, tenantId)).toEqual([
        'audit: first',
        'own: second',
        'event: platform.note.added note:1',
        'job: index',
        'cancel: job-1',
        'cancelled: job-1',
        'change: notes 1',
      ])
      const bad = db.tenant({ tenantId }, (tx) => tx.audit('\u0000', { target: 'note:1' }))
      await expect(bad).rejects.toMatchObject({ code: '22021' })
    })

    test('a read-only transaction refuses to write', async () => {
      const { db } = world()
      const tenantId = newTenant()
      const writing = db.tenant({ tenantId, readOnly: true }, (tx) => addNote(tx, 'no'))
      await expect(writing).rejects.toMatchObject({ code: '25006' })
      const sneaking = db.read(tenantId, sql`insert into contract_counter (id, value) values (${newId()}, 1)`)
      await expect(sneaking).rejects.toMatchObject({ code: '25006' })
    })

    test('hooks run after a commit, in order, and not after a rollback', async () => {
      const { db } = world()
      const calls: string[] = []
      await db.tenant({ tenantId: newTenant() }, async (tx) => {
        tx.afterCommit(() => calls.push('one'))
        await addNote(tx, 'x')
        tx.afterCommit(() => calls.push('two'))
        expect(calls).toEqual([])
      })
      const failing = db.tenant({ tenantId: newTenant() }, async (tx) => {
        tx.afterCommit(() => calls.push('never'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(calls).toEqual(['one', 'two'])
    })

    test('an untouched transaction uses no connection', async () => {
      const { db } = world()
      const tx = db.open({ tenantId: newTenant() })
      expect(db.stats().waiting + db.stats().total - db.stats().idle).toBe(0)
      await tx.commit()
      expect([tx.begun, tx.audited]).toEqual([false, 0])
      expect(() => tx.afterCommit(() => {})).toThrow(/ended/)
      await expect(tx.query(sql`select 1`)).rejects.toThrow(/ended/)
    })

    test('the same lock lets one transaction after the other increment without losing any', async () => {
      const { db } = world()
      const tenantId = newTenant()
      const id = newId()
      await db.tenant({ tenantId }, (tx) => tx.execute(sql`insert into contract_counter (id, value) values (${id}, 0)`))
      const increment = () =>
        db.tenant({ tenantId }, async (tx) => {
          await tx.lock('counter', id)
          const row = await tx.first(sql<{ value: number }>`select value from contract_counter where id = ${id}`)
          await tx.execute(sql`update contract_counter set value = ${(row?.value ?? 0) + 1} where id = ${id}`)
        })
      await Promise.all(Array.from({ length: 12 }, increment))
      expect(await db.read(tenantId, sql`select value from contract_counter`)).toEqual([{ value: 12 }])
    })

    test('a statement whose result changed with the schema fails at most once', async () => {
      const { db, driver } = world()
      const reading = () => db.system('contract', (tx) => tx.query(sql`select * from contract_shape`))
      await driver.script('create table contract_shape (n int); grant select on contract_shape to parapet_system')
      await reading()
      await driver.script('alter table contract_shape alter column n type text')
      await reading().catch(() => {})
      expect(await reading()).toEqual([])
      await driver.script('drop table contract_shape')
    })

    test('an aborted caller gets its own reason and leaves nothing', async () => {
      const { db } = world()
      const tenantId = newTenant()
      const aborting = new AbortController()
      const working = db.tenant({ tenantId, origin: { signal: aborting.signal } }, async (tx) => {
        await addNote(tx, 'gone')
        aborting.abort(new Error('client went away'))
        await addNote(tx, 'never')
      })
      await expect(working).rejects.toThrow('client went away')
      expect(await titles(db, tenantId)).toEqual([])
    })

    test('many transactions at once all find their turn', async () => {
      const { db } = world()
      const tenants = Array.from({ length: 40 }, newTenant)
      await Promise.all(tenants.map((tenantId, index) => db.tenant({ tenantId }, (tx) => addNote(tx, `n${index}`))))
      const seen = await Promise.all(tenants.map((tenantId) => titles(db, tenantId)))
      expect(seen).toEqual(tenants.map((_, index) => [`n${index}`]))
      expect(db.stats().waiting).toBe(0)
      expect(db.stats().idle).toBe(db.stats().total)
    })
  })
}
