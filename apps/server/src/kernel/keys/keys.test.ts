import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { type DatabaseWorld, openDatabaseWorld } from '../auth/testing/database-world.ts'
import { sql } from '../db/sql.ts'
import { createTenantKeys } from './keys.ts'

const kek = randomBytes(32)
const address = { table: 'totp_factor', column: 'secret', rowId: '018f3c2e-7a51-7cc4-9d1e-0242ac120002' }
const secret = Buffer.from('the seed')

let world: DatabaseWorld
beforeAll(async () => {
  world = await openDatabaseWorld()
})
afterAll(() => world.close())

function newInstance(capacity?: number) {
  const { clock, random } = world
  const instance = world.instance()
  const keys = createTenantKeys({
    db: instance.db,
    kek,
    clock,
    random,
    changes: instance.feed,
    ...(capacity === undefined ? {} : { capacity }),
  })
  return { instance, db: instance.db, keys }
}

async function newTenant(node: ReturnType<typeof newInstance>): Promise<TenantId> {
  const tenantId = world.random.uuid() as TenantId
  await node.db.tenant({ tenantId }, (tx) => node.keys.create(tx))
  return tenantId
}

const opened = async (reading: Promise<Uint8Array>) => Buffer.from(await reading).toString()

describe('data keys of tenants', () => {
  test('encrypt in the very transaction that makes the tenant', async () => {
    const { db, keys } = newInstance()
    const tenantId = world.random.uuid() as TenantId
    const ciphertext = await db.tenant({ tenantId }, async (tx) => {
      await keys.create(tx)
      return keys.encrypt(tenantId, address, secret)
    })
    expect(await opened(keys.decrypt(tenantId, address, ciphertext))).toBe('the seed')
  })

  test('are stored wrapped and read by another instance with the same key-encryption key', async () => {
    const first = newInstance()
    const tenantId = await newTenant(first)
    const ciphertext = await first.keys.encrypt(tenantId, address, secret)
    const second = newInstance()
    await second.keys.start()
    expect(await opened(second.keys.decrypt(tenantId, address, ciphertext))).toBe('the seed')
    expect(await second.keys.blindIndex(tenantId, 'email', 'a@b.example')).toBe(
      await first.keys.blindIndex(tenantId, 'email', 'a@b.example'),
    )
  })

  test('C63 do not open what was sealed for another tenant, row or column', async () => {
    const { keys, ...node } = newInstance()
    const [mine, other] = [await newTenant({ keys, ...node }), await newTenant({ keys, ...node })]
    const ciphertext = await keys.encrypt(mine, address, secret)
    await expect(keys.decrypt(other, address, ciphertext)).rejects.toThrow(/does not open/)
    await expect(keys.decrypt(mine, { ...address, column: 'label' }, ciphertext)).rejects.toThrow(/does not open/)
    await expect(keys.decrypt(mine, { ...address, rowId: mine }, ciphertext)).rejects.toThrow(/does not open/)
  })

  test('C63 a wrapped key moved to another tenant does not open', async () => {
    const first = newInstance()
    const [mine, other] = [await newTenant(first), await newTenant(first)]
    await first.db.system('test', async (tx) => {
      const row = await tx.first(
        sql<{ wrapped: Uint8Array }>`select wrapped from tenant_data_key where tenant_id = ${mine}`,
      )
      await tx.execute(sql`update tenant_data_key set wrapped = ${row?.wrapped} where tenant_id = ${other}`)
    })
    const { keys } = newInstance()
    await expect(keys.encrypt(other, address, secret)).rejects.toThrow(/does not open/)
    await first.db.system('test', (tx) => tx.execute(sql`delete from tenant_data_key where tenant_id = ${other}`))
  })

  test('blind indexes differ by tenant and purpose and outlive a rotation', async () => {
    const node = newInstance()
    const [mine, other] = [await newTenant(node), await newTenant(node)]
    const index = await node.keys.blindIndex(mine, 'email', 'x')
    expect(await node.keys.blindIndex(other, 'email', 'x')).not.toBe(index)
    expect(await node.keys.blindIndex(mine, 'phone', 'x')).not.toBe(index)
    await node.db.tenant({ tenantId: mine }, (tx) => node.keys.rotate(tx))
    const fresh = newInstance()
    expect(await fresh.keys.blindIndex(mine, 'email', 'x')).toBe(index)
  })

  test('after a rotation old ciphertexts open and an instance that has not heard of it reads new ones', async () => {
    const [first, second] = [newInstance(), newInstance()]
    const tenantId = await newTenant(first)
    const old = await first.keys.encrypt(tenantId, address, secret)
    expect(await opened(second.keys.decrypt(tenantId, address, old))).toBe('the seed')
    await first.db.tenant({ tenantId }, (tx) => first.keys.rotate(tx))
    const fresh = newInstance()
    const renewed = await fresh.keys.encrypt(tenantId, address, secret)
    expect(Buffer.from(renewed).readUInt32BE(1)).toBe(2)
    expect(await opened(second.keys.decrypt(tenantId, address, renewed))).toBe('the seed')
    expect(await opened(fresh.keys.decrypt(tenantId, address, old))).toBe('the seed')
  })

  test('C66 destroyed keys are gone in every instance that hears of it', async () => {
    const [first, second] = [newInstance(), newInstance()]
    await first.keys.start()
    await second.keys.start()
    const tenantId = await newTenant(first)
    const ciphertext = await first.keys.encrypt(tenantId, address, secret)
    await second.keys.decrypt(tenantId, address, ciphertext)
    await first.db.tenant({ tenantId }, (tx) => first.keys.destroy(tx))
    await expect(first.keys.decrypt(tenantId, address, ciphertext)).rejects.toThrow(/no data key/)
    world.deliverTo(second.instance)
    await expect.poll(() => second.keys.decrypt(tenantId, address, ciphertext).catch(String)).toMatch(/no data key/)
  })

  test('C65 under another key-encryption key the start says so', async () => {
    await newTenant(newInstance())
    const instance = world.instance()
    const { clock, random } = world
    const keys = createTenantKeys({ db: instance.db, kek: randomBytes(32), clock, random, changes: instance.feed })
    await expect(keys.start()).rejects.toThrow(/another key-encryption key/)
  })

  test('memory is bounded and what was dropped is read again', async () => {
    const node = newInstance(2)
    const tenants = [await newTenant(node), await newTenant(node), await newTenant(node)]
    for (const tenantId of tenants) {
      const ciphertext = await node.keys.encrypt(tenantId, address, secret)
      expect(await opened(node.keys.decrypt(tenantId, address, ciphertext))).toBe('the seed')
    }
  })
})
