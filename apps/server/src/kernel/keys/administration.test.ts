import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { type DatabaseWorld, openDatabaseWorld } from '../auth/testing/database-world.ts'
import { sql } from '../db/sql.ts'
import { createKeyAdministration } from './administration.ts'
import { createTenantKeys } from './keys.ts'
import { createPeppers } from './peppers.ts'
import { createPlatformKeys } from './platform-keys.ts'
import { readRoot } from './root.ts'
import { createSigningKeys } from './signing.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const address = { table: 'case', column: 'secret', rowId: '018f3c2e-7a51-7cc4-9d1e-0242ac120002' }
const secret = Buffer.from('the seed')

let world: DatabaseWorld
beforeAll(async () => {
  world = await openDatabaseWorld()
})
afterAll(() => world.close())

/** A process with these key-encryption keys. */
async function start(kek: Uint8Array, nextKek: Uint8Array | null = null) {
  const { db, feed } = world.instance()
  const { clock, random } = world
  const root = await readRoot(world.driver, { kek, nextKek, random })
  const shared = { db, kek, nextKek, clock, random, changes: feed }
  const tenantKeys = createTenantKeys(shared)
  const signingKeys = createSigningKeys({ ...shared, failed: () => undefined })
  await signingKeys.ensure()
  await tenantKeys.start()
  const platformKeys = createPlatformKeys(root)
  const peppers = createPeppers({ ...shared, platformKeys, failed: () => undefined })
  await peppers.start()
  const keys = createKeyAdministration({
    relock: null,
    db,
    kek,
    nextKek,
    root,
    random,
    tenantKeys,
    signingKeys,
    peppers,
  })
  return { db, tenantKeys, signingKeys, keys, peppers, platformKeys }
}

test('C65 the key-encryption key is replaced without a pause, twice, and only wrapped keys change', async () => {
  const before = await start(first)
  const tenantId = world.random.uuid() as TenantId
  await before.db.tenant({ tenantId }, (tx) => before.tenantKeys.create(tx))
  const ciphertext = await before.tenantKeys.encrypt(tenantId, address, secret)
  const mac = before.platformKeys.mac('api-key', 'x')
  const kid = before.signingKeys.activeKid('token')
  await before.peppers.rotate()
  const pepper = Buffer.from(before.peppers.current().key).toString('hex')
  expect(before.keys.canRewrap).toBe(false)
  expect(await before.keys.countToRewrap()).toBe(0)

  const reads = async (node: Awaited<ReturnType<typeof start>>) => {
    const { signature } = await node.signingKeys.sign('token', secret)
    return {
      value: Buffer.from(await node.tenantKeys.decrypt(tenantId, address, ciphertext)).toString(),
      mac: node.platformKeys.mac('api-key', 'x'),
      kid: node.signingKeys.activeKid('token'),
      signs: before.signingKeys.verify('token', kid, secret, signature),
      pepper: Buffer.from((await node.peppers.find('1')) ?? []).toString('hex'),
    }
  }
  const same = { value: 'the seed', mac, kid, signs: true, pepper }

  for (const [old, next] of [
    [first, second],
    [second, third],
  ] as const) {
    const both = await start(old, next)
    expect(await reads(both)).toEqual(same)
    const count = await both.keys.countToRewrap()
    expect(count).toBeGreaterThan(0)
    expect(await both.keys.rewrap()).toBe(count)
    expect(await both.keys.rewrap()).toBe(0)
    // One that has not been started anew, and one that has only the new key.
    expect(await reads(await start(old, next))).toEqual(same)
    expect(await reads(await start(next))).toEqual(same)
    await expect(start(old)).rejects.toThrow('another key-encryption key')
  }
})

test('the inventory names keys and shows none', async () => {
  const { keys } = await start(third)
  const facts = await keys.inventory()
  expect(facts.map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
    'checkpoint active',
    'checkpoint next',
    'export active',
    'export next',
    'token active',
    'token next',
    'pepper retiring',
    'pepper active',
    'kek active',
  ])
  expect(Object.keys(facts[0] ?? {})).not.toContain('wrapped')
})

test('a value is encrypted anew under the newest key, once', async () => {
  const { db, keys, tenantKeys } = await start(third)
  const tenantId = world.random.uuid() as TenantId
  await db.tenant({ tenantId }, (tx) => tenantKeys.create(tx))
  const old = await tenantKeys.encrypt(tenantId, address, secret)
  expect(await keys.reseal(tenantId, address, old)).toBeNull()
  await db.tenant({ tenantId }, (tx) => keys.rotateData(tx))
  await expect.poll(() => keys.newest(tenantId)).toBe(2)
  const fresh = await keys.reseal(tenantId, address, old)
  if (fresh === null) throw new Error('nothing was encrypted anew')
  expect(Buffer.from(await tenantKeys.decrypt(tenantId, address, fresh)).toString()).toBe('the seed')
  expect(Buffer.from(await tenantKeys.decrypt(tenantId, address, old)).toString()).toBe('the seed')
  expect(await keys.reseal(tenantId, address, fresh)).toBeNull()
  await expect(keys.reseal(tenantId, { ...address, column: 'other' }, old)).rejects.toThrow('does not open here')
  const stored = await db.read(tenantId, sql<{ version: number }>`select version from tenant_data_key order by version`)
  expect(stored.map(({ version }) => version)).toEqual([1, 2])
  expect((await keys.dataKeys(tenantId)).map(({ status }) => status)).toEqual(['active', 'retiring'])
})
