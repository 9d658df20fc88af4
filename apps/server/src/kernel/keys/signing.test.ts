import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DatabaseWorld, openDatabaseWorld } from '../auth/testing/database-world.ts'
import { sql } from '../db/sql.ts'
import { createSigningKeys } from './signing.ts'

const kek = randomBytes(32)
const bytes = Buffer.from('to be signed')
const dayMs = 86_400_000

let world: DatabaseWorld
beforeAll(async () => {
  world = await openDatabaseWorld()
})
beforeEach(() => world.clear())
afterAll(() => world.close())

function newInstance(ownKek = kek) {
  const instance = world.instance()
  const { clock, random } = world
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push(error)
  const keys = createSigningKeys({ db: instance.db, kek: ownKek, clock, random, changes: instance.feed, failed })
  return { instance, keys, failures }
}

test('the first start makes keys, the next one signs with the same', async () => {
  const [first, second] = [newInstance(), newInstance()]
  await first.keys.ensure()
  await second.keys.ensure()
  const { kid, signature } = await first.keys.sign('token', bytes)
  expect(second.keys.activeKid('token')).toBe(kid)
  expect(second.keys.verify('token', kid, bytes, signature)).toBe(true)
})

test('instances that start at once end with one active key', async () => {
  const nodes = [newInstance(), newInstance(), newInstance()]
  await Promise.all(nodes.map(({ keys }) => keys.ensure()))
  expect(new Set(nodes.map(({ keys }) => keys.activeKid('token'))).size).toBe(1)
  expect(new Set(nodes.map(({ keys }) => keys.activeKid('checkpoint'))).size).toBe(1)
})

test('a key signs for its purpose only', async () => {
  const { keys } = newInstance()
  await keys.ensure()
  const { kid, signature } = await keys.sign('checkpoint', bytes)
  expect(keys.verify('checkpoint', kid, bytes, signature)).toBe(true)
  expect(keys.verify('token', kid, bytes, signature)).toBe(false)
  expect(keys.verify('checkpoint', 'unknown', bytes, signature)).toBe(false)
  expect(keys.verify('checkpoint', kid, Buffer.from('other'), signature)).toBe(false)
  expect(keys.jwks().keys.map((key) => key.kid)).not.toContain(kid)
  expect(keys.jwks('checkpoint').keys.map((key) => key.kid)).toContain(kid)
})

test('after a rotation the published successor signs and the old key verifies until nothing it signed can live', async () => {
  const { keys } = newInstance()
  await keys.ensure()
  const published = keys.jwks().keys.map((key) => key.kid)
  const old = await keys.sign('token', bytes)
  await keys.rotate('token')
  expect(keys.activeKid('token')).not.toBe(old.kid)
  expect(published).toContain(keys.activeKid('token'))
  expect(keys.jwks().keys).toHaveLength(3)
  world.clock.advance(30 * dayMs)
  expect(keys.verify('token', old.kid, bytes, old.signature)).toBe(true)
  world.clock.advance(dayMs)
  expect(keys.verify('token', old.kid, bytes, old.signature)).toBe(false)
  expect(keys.jwks().keys.map((key) => key.kid)).not.toContain(old.kid)
})

test('an instance that has not heard of a rotation accepts what the new key signs', async () => {
  const [first, second] = [newInstance(), newInstance()]
  await first.keys.ensure()
  await second.keys.ensure()
  await first.keys.rotate('token')
  const made = await first.keys.sign('token', bytes)
  expect(second.keys.verify('token', made.kid, bytes, made.signature)).toBe(true)
  expect(second.keys.activeKid('token')).not.toBe(made.kid)
  world.deliverTo(second.instance)
  await expect.poll(() => second.keys.activeKid('token')).toBe(made.kid)
})

test('after a theft the old key stops at once', async () => {
  const { keys } = newInstance()
  await keys.ensure()
  const old = await keys.sign('token', bytes)
  await keys.rotate('token', 0)
  expect(keys.verify('token', old.kid, bytes, old.signature)).toBe(false)
})

test('old checkpoints verify for ever', async () => {
  const { keys } = newInstance()
  await keys.ensure()
  const old = await keys.sign('checkpoint', bytes)
  await keys.rotate('checkpoint')
  await keys.rotate('checkpoint')
  world.clock.advance(3_650 * dayMs)
  await keys.rotate('checkpoint')
  expect(keys.verify('checkpoint', old.kid, bytes, old.signature)).toBe(true)
})

test('a key that no longer signs has no private part in the database', async () => {
  const { keys, instance } = newInstance()
  await keys.ensure()
  await keys.rotate('token')
  const rows = await instance.db.system('test', (tx) =>
    tx.query(sql<{ status: string; kept: boolean }>`
      select status, wrapped is not null as kept from signing_key where purpose = 'token' order by status`),
  )
  expect(rows).toEqual([
    { status: 'active', kept: true },
    { status: 'next', kept: true },
    { status: 'retiring', kept: false },
  ])
})

test('under another key-encryption key the start says so', async () => {
  await newInstance().keys.ensure()
  await expect(newInstance(randomBytes(32)).keys.ensure()).rejects.toThrow(/another key-encryption key/)
})
