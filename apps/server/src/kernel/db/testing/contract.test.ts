import { describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase } from '../../../../test/support/database.ts'
import { createPgDriver } from '../adapters/pg.ts'
import { createDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import { databaseContract } from './contract.ts'
import { contractRecorders, contractSchema } from './contract-schema.ts'
import { addNote, newTenant, titles } from './contract-world.ts'

databaseContract({ name: 'the embedded database', open: () => openTestDatabase(contractSchema, 'pglite') })

const server = await isAvailable('pg')

describe.skipIf(!server)('with a PostgreSQL server (skipped where none answers)', () => {
  databaseContract({ name: 'PostgreSQL', open: () => openTestDatabase(contractSchema, 'pg') })

  test('a connection the server ended is replaced, and the statement on it answers 503', async () => {
    const { driver, close } = await openTestDatabase(contractSchema, 'pg')
    const db = createDatabase({ driver, recorders: contractRecorders })
    const tenantId = newTenant()
    const killed = db.tenant({ tenantId }, async (tx) => {
      const own = await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`)
      const session = await driver.acquire()
      await session.run([sql`select pg_terminate_backend(${own?.pid ?? 0})`])
      session.release()
      await addNote(tx, 'lost')
    })
    await expect(killed).rejects.toMatchObject({ code: 'API-009' })
    await db.tenant({ tenantId }, (tx) => addNote(tx, 'again'))
    expect(await titles(db, tenantId)).toEqual(['again'])
    await close()
  })

  test('a running statement ends when its caller goes away, and the connection is not lent again', async () => {
    const { driver, close } = await openTestDatabase(contractSchema, 'pg')
    const db = createDatabase({ driver, recorders: contractRecorders })
    const aborting = new AbortController()
    const began = performance.now()
    const waiting = db.tenant({ tenantId: newTenant(), origin: { signal: aborting.signal } }, async (tx) => {
      await tx.query(sql`select 1`)
      const slow = tx.query(sql`select pg_sleep(8)`)
      setImmediate(() => aborting.abort(new Error('client went away')))
      await slow
    })
    await expect(waiting).rejects.toThrow('client went away')
    expect(performance.now() - began).toBeLessThan(4_000)
    await db.ping()
    await close()
  })

  test('who waits too long for a connection is told so', async () => {
    const { url, close } = await openTestDatabase(contractSchema, 'pg')
    const driver = createPgDriver({ url: url ?? '', poolSize: 1, acquireTimeoutMs: 1_500 })
    const db = createDatabase({ driver, recorders: contractRecorders })
    const held = await driver.acquire()
    await expect(db.ping()).rejects.toMatchObject({ code: 'API-009', status: 503 })
    held.release()
    await db.ping()
    await driver.close()
    await close()
  })

  test('a server that cannot be reached answers 503', async () => {
    const driver = createPgDriver({ url: 'postgres://postgres@127.0.0.1:1/none', poolSize: 2 })
    const db = createDatabase({ driver, recorders: contractRecorders })
    await expect(Promise.all([db.ping(), db.ping(), db.ping()])).rejects.toMatchObject({ code: 'API-009' })
    await db.close()
  })

  test('a deadlock is a conflict the caller may try again', async () => {
    const { driver, close } = await openTestDatabase(contractSchema, 'pg')
    const db = createDatabase({ driver, recorders: contractRecorders })
    const crossing = (first: string, second: string, met: () => Promise<void>) =>
      db.tenant({ tenantId: newTenant() }, async (tx) => {
        await tx.lock('deadlock', first)
        await met()
        await tx.lock('deadlock', second)
      })
    const meeting = meetingOf(2)
    const outcomes = await Promise.allSettled([crossing('a', 'b', meeting), crossing('b', 'a', meeting)])
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(reasons).toMatchObject([{ code: 'API-011' }])
    await close()
  })
})

/** Resolves for everybody once that many have come. */
function meetingOf(count: number): () => Promise<void> {
  let missing = count
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    missing -= 1
    if (missing === 0) open()
    return opened
  }
}
