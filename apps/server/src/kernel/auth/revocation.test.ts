import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { sql } from '../db/sql.ts'
import { ProblemError } from '../errors/problem.ts'
import type { RevocationScope } from './port.ts'
import { createRevocationList, type RevocationList } from './revocation.ts'
import { type DatabaseWorld, openDatabaseWorld } from './testing/database-world.ts'

let world: DatabaseWorld
const running: RevocationList[] = []
beforeAll(async () => {
  world = await openDatabaseWorld()
})
afterEach(async () => {
  for (const list of running.splice(0)) list.stop()
  await world.clear()
})
afterAll(() => world.close())

const tenantId = '018f3c2e-7a51-7cc4-9d1e-0242ac120002' as TenantId

async function newInstance() {
  const instance = world.instance()
  const { clock, random } = world
  const failures: unknown[] = []
  const broken = { value: false }
  const system: typeof instance.db.system = (reason, work) =>
    broken.value ? Promise.reject(new Error('connection refused')) : instance.db.system(reason, work)
  const failed = (error: unknown) => void failures.push(error)
  const list = createRevocationList({ db: { system }, clock, random, changes: instance.feed, failed })
  await list.start()
  running.push(list)
  const revoke = (scope: RevocationScope, subject: string) =>
    instance.db.tenant({ tenantId }, (tx) => list.revoke(tx, scope, subject))
  return { instance, list, revoke, failures, broken }
}

function session(facts: { sub?: string; keyId?: string } = {}) {
  return { sub: facts.sub ?? 'user-1', tid: tenantId, sid: world.random.uuid(), keyId: facts.keyId ?? null }
}

test('C03 a revocation counts in its own process from the commit on, for sessions begun before it only', async () => {
  const { list, revoke, instance } = await newInstance()
  const before = session()
  await instance.db.tenant({ tenantId }, async (tx) => {
    await list.revoke(tx, 'user', 'user-1')
    expect(list.covers(before)).toBe(false)
  })
  expect(list.covers(before)).toBe(true)
  expect(list.covers(session())).toBe(false)
  expect(list.covers(session({ sub: 'user-2' }))).toBe(false)
  await revoke('platform', 'all')
  expect(list.covers(session())).toBe(false)
})

test('a revocation that was rolled back revokes nothing', async () => {
  const { list, instance } = await newInstance()
  const mine = session()
  const undone = instance.db.tenant({ tenantId }, async (tx) => {
    await list.revoke(tx, 'session', mine.sid)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await list.isRevoked(mine)).toBe(false)
})

test('C03 another instance hears of it through the feed', async () => {
  const [first, second] = [await newInstance(), await newInstance()]
  const mine = session()
  await first.revoke('tenant', tenantId)
  expect(second.list.covers(mine)).toBe(false)
  world.deliverTo(second.instance)
  world.deliverTo(second.instance)
  expect(second.list.covers(mine)).toBe(true)
})

test('an instance that starts later knows the last hour', async () => {
  const first = await newInstance()
  const mine = session()
  await first.revoke('session', mine.sid)
  const second = await newInstance()
  expect(second.list.covers(mine)).toBe(true)
})

test.each(['session', 'user', 'tenant', 'platform', 'key'] as const)(
  'C03 while the feed is silent the table decides: %s',
  async (scope) => {
    const [first, second] = [await newInstance(), await newInstance()]
    const mine = scope === 'key' ? { ...session({ keyId: 'key-1' }), sid: null } : session()
    second.instance.feed.silence = 5_001
    expect(second.list.isFresh()).toBe(false)
    expect(await second.list.isRevoked(mine)).toBe(false)
    const subjects = { session: mine.sid ?? '', user: mine.sub, tenant: tenantId, platform: 'all', key: 'key-1' }
    await first.revoke(scope, subjects[scope])
    expect(await second.list.isRevoked(mine)).toBe(true)
    expect(await second.list.isRevoked(session({ sub: 'user-2' }))).toBe(false)
  },
)

test('C03 when neither the feed nor the table answers, nobody passes', async () => {
  const { list, instance, broken } = await newInstance()
  instance.feed.silence = 5_001
  broken.value = true
  const error = await list.isRevoked(session()).catch((thrown: unknown) => thrown)
  expect(error instanceof ProblemError && error.code).toBe('API-009')
})

test('C03 after an outage the memory is believed again only when the table was read', async () => {
  const [first, second] = [await newInstance(), await newInstance()]
  const mine = session()
  second.instance.feed.silence = 60_000
  world.clock.advance(1_000)
  await first.revoke('session', mine.sid)
  second.broken.value = true
  second.instance.feed.silence = 0
  expect(second.list.isFresh()).toBe(false)
  world.clock.advance(1_000)
  await expect.poll(() => second.failures.length).toBeGreaterThan(0)
  expect(second.list.isFresh()).toBe(false)
  second.broken.value = false
  await expect
    .poll(() => {
      world.clock.advance(1_000)
      return second.list.isFresh()
    })
    .toBe(true)
  expect(second.list.covers(mine)).toBe(true)
})

test('records are forgotten when no token of before can live, and rows after a day', async () => {
  const { list, revoke, instance } = await newInstance()
  const mine = session()
  await revoke('session', mine.sid)
  world.clock.advance(3_600_000)
  expect(list.covers(mine)).toBe(true)
  world.clock.advance(12_000)
  expect(list.covers(mine)).toBe(false)
  world.clock.advance(25 * 3_600_000)
  const left = () =>
    instance.db.system('test', async (tx) => (await tx.query(sql<{ id: string }>`select id from revocation`)).length)
  await expect.poll(left).toBe(0)
})

test('a session made right after a revocation, in the same millisecond, lives', async () => {
  const { list, revoke } = await newInstance()
  const before = session()
  await revoke('user', 'user-1')
  const after = session()
  expect([list.covers(before), list.covers(after)]).toEqual([true, false])
})
