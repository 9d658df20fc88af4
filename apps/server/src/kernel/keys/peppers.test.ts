import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseWorld, openDatabaseWorld } from '../auth/testing/database-world.ts'
import { sql } from '../db/sql.ts'
import { createPeppers } from './peppers.ts'
import { createPlatformKeys } from './platform-keys.ts'

const kek = randomBytes(32)
let world: DatabaseWorld
beforeAll(async () => {
  world = await openDatabaseWorld()
})
afterAll(() => world.close())

async function start() {
  const { db, feed } = world.instance()
  const { clock, random } = world
  const platformKeys = createPlatformKeys(kek)
  const peppers = createPeppers({ db, kek, platformKeys, clock, random, changes: feed, failed: () => undefined })
  await peppers.start()
  return { db, peppers }
}

const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'))

test('C04 the pepper is replaced on every instance, and the old ones are still there', async () => {
  const [one, two] = [await start(), await start()]
  const first = one.peppers.current()
  expect([first.id, hex(first.key)]).toEqual(['0', hex(createPlatformKeys(kek).derive('password-pepper'))])
  await one.peppers.rotate()
  const second = one.peppers.current()
  expect(second.id).toBe('1')
  expect(hex(second.key)).not.toBe(hex(first.key))
  // Before the other one has heard of it, and after it was started anew.
  expect(hex(await two.peppers.find('1'))).toBe(hex(second.key))
  expect((await start()).peppers.current()).toEqual(second)
  await Promise.all([one.peppers.rotate(), two.peppers.rotate()])
  const third = (await start()).peppers
  expect(third.current().id).toBe('3')
  for (const id of ['0', '1', '2', '3']) expect(await third.find(id), id).not.toBeNull()
  expect(await third.find('4')).toBeNull()
})

test('C65 no pepper is stored but wrapped', async () => {
  const { db, peppers } = await start()
  await peppers.rotate()
  const rows = await db.system('test', (tx) =>
    tx.query(sql<{ value: string }>`select value::text as value from platform_state`),
  )
  const text = JSON.stringify(rows)
  const { key } = peppers.current()
  expect(text).toContain('wrapped')
  for (const form of ['base64', 'hex', 'base64url'] as const)
    expect(text).not.toContain(Buffer.from(key).toString(form))
})
