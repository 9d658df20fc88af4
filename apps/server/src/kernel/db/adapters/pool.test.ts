import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../errors.ts'
import { sql } from '../sql.ts'
import type { Connection } from './connection.ts'
import { Pool, type PoolOptions } from './pool.ts'

interface FakeConnection extends Connection {
  destroyed: boolean
  inTransaction: boolean
  lose(): void
}

/** Connections that answer at once and can be lost at will. */
function fakes(options: Partial<PoolOptions> = {}) {
  const opened: FakeConnection[] = []
  const pool = new Pool({
    max: 2,
    acquireTimeoutMs: 20,
    open: async (onEnd) => {
      const connection: FakeConnection = {
        pid: opened.length + 1,
        destroyed: false,
        inTransaction: false,
        alive: () => !connection.destroyed,
        idle: () => !connection.inTransaction,
        run: async () => [],
        script: async () => {},
        destroy: () => {
          connection.destroyed = true
        },
        close: async () => connection.destroy(),
        lose: () => {
          connection.destroyed = true
          onEnd()
        },
      }
      opened.push(connection)
      return connection
    },
    cancel: async () => {},
    ...options,
  })
  return { pool, opened }
}

test('a connection is opened when needed and used again', async () => {
  const { pool, opened } = fakes()
  for (let turn = 0; turn < 3; turn += 1) (await pool.acquire()).release()
  expect(opened).toHaveLength(1)
  expect(pool.stats()).toEqual({ total: 1, idle: 1, waiting: 0 })
})

test('C27 of groups that wait each has its turn, however many another one has', async () => {
  const { pool } = fakes({ max: 1, acquireTimeoutMs: 5_000 })
  const held = await pool.acquire('busy')
  const order: string[] = []
  const waiting = [...Array(50).fill('busy'), 'small', 'other'].map(async (group: string) => {
    const session = await pool.acquire(group)
    order.push(group)
    session.release()
  })
  held.release()
  await Promise.all(waiting)
  expect(order.slice(0, 4)).toEqual(['busy', 'small', 'other', 'busy'])
  expect(order).toHaveLength(52)
})

test('C27 one group never holds the last fifth, and takes no more when others are gone', async () => {
  const { pool } = fakes({ max: 10, acquireTimeoutMs: 5_000 })
  const held = await Promise.all(Array.from({ length: 8 }, () => pool.acquire('busy')))
  let ninth = 'waits'
  const late = pool.acquire('busy').then((session) => {
    ninth = 'has one'
    return session
  })
  const others = await Promise.all([pool.acquire('small'), pool.acquire()])
  for (const session of others) session.release()
  await Promise.resolve()
  expect([ninth, pool.stats().idle, pool.stats().waiting]).toEqual(['waits', 2, 1])
  held[0]?.release()
  ;(await late).release()
  expect(ninth).toBe('has one')
})

test('who has waited longest is served first', async () => {
  const { pool, opened } = fakes({ max: 1, acquireTimeoutMs: 5_000 })
  const held = await pool.acquire()
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (place) => {
    const session = await pool.acquire()
    order.push(place)
    session.release()
  })
  expect(pool.stats().waiting).toBe(3)
  held.release()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
  expect(opened).toHaveLength(1)
})

test('waiting ends at the timeout and leaves no trace', async () => {
  const { pool } = fakes({ max: 1 })
  const held = await pool.acquire()
  await expect(pool.acquire()).rejects.toThrow(DatabaseUnavailable)
  expect(pool.stats().waiting).toBe(0)
  held.release()
  expect(pool.stats()).toEqual({ total: 1, idle: 1, waiting: 0 })
})

test.each(['broken', 'in a transaction', 'canceled'])(
  'a connection that comes back %s is not lent again',
  async (how) => {
    const { pool, opened } = fakes({ max: 1, acquireTimeoutMs: 5_000 })
    const session = await pool.acquire()
    const next = pool.acquire()
    for (const connection of opened) connection.inTransaction = how === 'in a transaction'
    if (how === 'canceled') session.cancel()
    session.release(how === 'broken')
    await next
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, false])
  },
)

test('a canceled connection is kept back until the cancellation is through', async () => {
  let through: () => void = () => {}
  const canceling = new Promise<void>((resolve) => {
    through = resolve
  })
  const { pool } = fakes({ cancel: () => canceling })
  const session = await pool.acquire()
  session.cancel()
  session.release()
  expect(pool.stats().total).toBe(1)
  through()
  await canceling
  await new Promise(setImmediate)
  expect(pool.stats().total).toBe(0)
})

test('a connection lost while idle is forgotten', async () => {
  const { pool, opened } = fakes()
  ;(await pool.acquire()).release()
  opened[0]?.lose()
  expect(pool.stats().total).toBe(0)
  await pool.acquire()
  expect(opened).toHaveLength(2)
})

test('each who waits while nothing can be opened is told, and later ones try again', async () => {
  let reachable = false
  const { pool, opened } = fakes()
  const guarded = new Pool({
    max: 1,
    acquireTimeoutMs: 5_000,
    open: async () => {
      if (!reachable) throw new DatabaseUnavailable('refused')
      await (await pool.acquire()).run([])
      const connection = opened[0]
      if (connection === undefined) throw new Error('nothing was opened')
      return connection
    },
    cancel: async () => {},
  })
  const outcomes = await Promise.allSettled([guarded.acquire(), guarded.acquire(), guarded.acquire()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  reachable = true
  await expect(guarded.acquire()).resolves.toBeDefined()
})

test('a session given back runs nothing more', async () => {
  const { pool } = fakes()
  const session = await pool.acquire()
  session.release()
  session.release()
  await expect(session.run([sql`select 1`])).rejects.toThrow(/given back/)
  expect(pool.stats()).toEqual({ total: 1, idle: 1, waiting: 0 })
})

test('closing waits for what is lent and refuses who comes later', async () => {
  const { pool, opened } = fakes({ max: 1, acquireTimeoutMs: 5_000 })
  const session = await pool.acquire()
  const waiting = pool.acquire()
  const closing = pool.close()
  await expect(waiting).rejects.toThrow(/closed/)
  await expect(pool.acquire()).rejects.toThrow(/closed/)
  expect(opened[0]?.destroyed).toBe(false)
  session.release()
  await closing
  expect(opened[0]?.destroyed).toBe(true)
})
