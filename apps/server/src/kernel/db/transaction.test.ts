import { describe, expect, test } from 'vitest'
import { createDatabase } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { Database, Driver } from './port.ts'
import { type Sql, sql } from './sql.ts'
import { contractRecorders } from './testing/contract-schema.ts'
import { newTenant } from './testing/contract-world.ts'

/** A driver that notes each flush and answers at once; `fail` is the text of the statement that fails. */
function noting(fail?: { readonly text: string; readonly error: Error }) {
  const flushes: string[][] = []
  const released: boolean[] = []
  const driver: Driver = {
    kind: 'pg',
    acquire: async () => ({
      run: async (statements: readonly Sql<unknown>[]) => {
        flushes.push(statements.map(({ text }) => short(text)))
        if (fail !== undefined && statements.some(({ text }) => text.includes(fail.text))) throw fail.error
        return statements.map(() => ({ rows: [], count: 0 }))
      },
      cancel: () => {},
      release: (broken) => released.push(broken ?? false),
    }),
    script: async () => {},
    stats: () => ({ total: 0, idle: 0, waiting: 0 }),
    close: async () => {},
  }
  const hookErrors: unknown[] = []
  const hookFailed = (error: unknown) => void hookErrors.push(error)
  const db: Database = createDatabase({ driver, recorders: contractRecorders, hookFailed })
  return { db, flushes, released, hookErrors }
}

function short(text: string): string {
  if (text.includes("set_config('role'")) return 'scope'
  return text.includes('contract_record') ? 'record' : text.trim()
}

describe('flushes', () => {
  test('the first statement travels with begin and scope, records with the next flush', async () => {
    const { db, flushes } = noting()
    await db.tenant({ tenantId: newTenant() }, async (tx) => {
      await tx.query(sql`select 1`)
      await tx.audit('x', { target: 'y:1' })
      await tx.query(sql`select 2`)
      await tx.announce('t', 'k')
    })
    expect(flushes).toEqual([
      ['begin', 'scope', 'select 1'],
      ['record', 'select 2'],
      ['record', 'commit'],
    ])
  })

  test('statements of one turn share a flush', async () => {
    const { db, flushes } = noting()
    await db.tenant({ tenantId: newTenant() }, (tx) =>
      Promise.all([tx.query(sql`select 1`), tx.execute(sql`select 2`)]),
    )
    expect(flushes[0]).toEqual(['begin', 'scope', 'select 1', 'select 2'])
  })

  test('a transaction of records alone is one flush', async () => {
    const { db, flushes } = noting()
    await db.tenant({ tenantId: newTenant() }, (tx) => tx.audit('x', { target: 'y:1' }))
    expect(flushes).toEqual([['begin', 'scope', 'record', 'commit']])
  })

  test('nothing asked for, nothing sent', async () => {
    const { db, flushes } = noting()
    await db.tenant({ tenantId: newTenant() }, async () => {})
    expect(flushes).toEqual([])
  })

  test('records of a transaction that throws are never sent', async () => {
    const { db, flushes } = noting()
    const failing = db.tenant({ tenantId: newTenant() }, async (tx) => {
      await tx.audit('x', { target: 'y:1' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(flushes).toEqual([])
  })
})

describe('failures', () => {
  test('a statement nobody awaited still fails the commit', async () => {
    const { db, flushes, released } = noting({ text: 'select 1', error: new DatabaseUnavailable('lost') })
    const tenant = db.tenant({ tenantId: newTenant() }, async (tx) => {
      tx.query(sql`select 1`).catch(() => {})
      await Promise.resolve()
    })
    await expect(tenant).rejects.toMatchObject({ code: 'API-009' })
    expect(flushes.flat()).not.toContain('commit')
    expect(released).toHaveLength(1)
  })

  test('a commit that fails is reported, runs no hooks and gives the connection back once', async () => {
    const { db, released } = noting({ text: 'commit', error: new DatabaseUnavailable('lost') })
    let ran = false
    const tenant = db.tenant({ tenantId: newTenant() }, async (tx) => {
      await tx.query(sql`select 1`)
      tx.afterCommit(() => {
        ran = true
      })
    })
    await expect(tenant).rejects.toMatchObject({ code: 'API-009' })
    expect([ran, released.length]).toEqual([false, 1])
  })

  test('a hook that throws is reported, and neither the commit nor later hooks suffer', async () => {
    const { db, hookErrors } = noting()
    let later = false
    await db.tenant({ tenantId: newTenant() }, async (tx) => {
      await tx.query(sql`select 1`)
      tx.afterCommit(() => {
        throw new Error('hook')
      })
      tx.afterCommit(() => {
        later = true
      })
    })
    expect([String(hookErrors[0]), hookErrors.length, later]).toEqual(['Error: hook', 1, true])
  })

  test('a rollback that fails gives the connection back as broken', async () => {
    const { db, released } = noting({ text: 'rollback', error: new DatabaseUnavailable('lost') })
    const tenant = db.tenant({ tenantId: newTenant() }, async (tx) => {
      await tx.query(sql`select 1`)
      throw new Error('mine')
    })
    await expect(tenant).rejects.toThrow('mine')
    expect(released).toEqual([true])
  })

  test('a rollback with statements unsent refuses them', async () => {
    const { db, flushes } = noting()
    const tx = db.open({ tenantId: newTenant() })
    const waiting = tx.query(sql`select 1`)
    const rolled = tx.rollback()
    await expect(waiting).rejects.toThrow(/rolled back/)
    await rolled
    expect(flushes).toEqual([])
  })

  test('an aborted signal stops the transaction before it begins', async () => {
    const { db, flushes } = noting()
    const signal = AbortSignal.abort(new Error('gone'))
    const tenant = db.tenant({ tenantId: newTenant(), origin: { signal } }, (tx) => tx.query(sql`select 1`))
    await expect(tenant).rejects.toThrow('gone')
    expect(flushes).toEqual([])
  })
})

test('what is begun and audited can be seen from outside', async () => {
  const { db } = noting()
  const tx = db.open({ tenantId: newTenant() })
  await tx.audit('x', { target: 'y:1' })
  expect([tx.begun, tx.audited]).toEqual([false, 1])
  await tx.query(sql`select 1`)
  expect([tx.begun, tx.audited]).toEqual([true, 1])
  await tx.commit()
  await tx.rollback()
})
