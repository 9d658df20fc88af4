import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseWorld, openDatabaseWorld } from '../auth/testing/database-world.ts'
import { createKeyUses } from './key-uses.ts'

let world: DatabaseWorld
beforeAll(async () => {
  world = await openDatabaseWorld()
})
afterAll(() => world.close())

const counter = (db = world.instance().db) =>
  createKeyUses({ db, clock: { every: () => ({ stop: () => undefined }) }, failed: () => undefined })
const of = async (uses: ReturnType<typeof counter>, kid: string) => (await uses.of([kid])).get(kid)

test('what instances have counted is summed, also across their ends', async () => {
  const [one, other] = [counter(), counter()]
  for (let n = 0; n < 3; n += 1) one.count('a/1')
  other.count('a/1')
  other.count('b/1')
  expect([await of(one, 'a/1'), await of(other, 'a/1'), await of(one, 'c/1')]).toEqual([3, 1, 0])
  await one.stop()
  await other.stop()
  const later = counter()
  later.count('a/1')
  expect([await of(later, 'a/1'), await of(later, 'b/1')]).toEqual([5, 1])
  await later.flush()
  await later.flush()
  expect(await of(counter(), 'a/1')).toBe(5)
})

test('what could not be written is not lost', async () => {
  const { db } = world.instance()
  let away = true
  const broken = {
    ...db,
    system: ((what, use) => (away ? Promise.reject(new Error('away')) : db.system(what, use))) as typeof db.system,
  }
  const uses = counter(broken)
  uses.count('d/1')
  await expect(uses.flush()).rejects.toThrow('away')
  uses.count('d/1')
  away = false
  await uses.flush()
  expect(await of(counter(), 'd/1')).toBe(2)
})
