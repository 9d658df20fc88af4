import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import type { ByteRange } from '../base/byte-range.ts'
import { asOwner } from '../db/owner.ts'
import { readCatalog } from '../db/schema/catalog.ts'
import { differences } from '../db/schema/catalog-check.ts'
import { sql } from '../db/sql.ts'
import { collect, failureKind, oneByOne } from './contract.ts'
import { type BlobWorld, openBlobWorld } from './testing/blob-world.ts'
import { type TestStore, testStores } from './testing/stores.ts'

const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(testStores)('blobs on %s', (_kind, openStore) => {
  let opened: TestStore
  let world: BlobWorld
  let tenantId: TenantId
  beforeAll(async () => {
    opened = await openStore()
    world = await openBlobWorld(opened.store)
    tenantId = await world.newTenant()
  })
  afterAll(async () => {
    await world?.close()
    await opened?.close()
  })

  const put = (bytes: Uint8Array, tenant = tenantId) => world.blobs.put(tenant, oneByOne(bytes))
  const open = (id: string, tenant = tenantId) =>
    world.db.tenant({ tenantId: tenant }, (tx) => world.blobs.open(tx, id))
  const read = async (id: string, range?: ByteRange) => collect((await open(id)).read(range))
  const stored = (id: string) => collect(opened.store.read({ tenantId, id }))

  test('content comes back with its hash and length, and is sealed in the store', async () => {
    const blob = await put(content)
    expect(blob).toMatchObject({ bytes: content.length, sha256: hashOf(content) })
    expect((await read(blob.id)).equals(content)).toBe(true)
    expect((await stored(blob.id)).includes(content.subarray(0, 50))).toBe(false)
  })

  test('empty content is content', async () => {
    const { id, bytes } = await put(new Uint8Array())
    expect([bytes, (await read(id)).length]).toEqual([0, 0])
    expect(await failureKind(read(id, { start: 0, end: 0 }))).toBe('range')
  })

  test.each([
    [0, 0],
    [65_530, 65_540],
    [199_999, 500_000],
  ])('bytes %i to %i are read alone', async (start, end) => {
    const { id } = await put(content)
    expect((await read(id, { start, end })).equals(content.subarray(start, end + 1))).toBe(true)
  })

  test.each([
    { start: 200_000, end: 200_001 },
    { start: -1, end: 2 },
    { start: 4, end: 3 },
    { start: 0.5, end: 3 },
  ])('the range %j is refused', async (range) => {
    const { id } = await put(content)
    expect(await failureKind(read(id, range))).toBe('range')
  })

  test('C63 changed bytes are corrupt, and lost ones are missing', async () => {
    const { id } = await put(content)
    const sealed = await stored(id)
    const name = { tenantId, id }
    await opened.store.delete(name)
    await opened.store.put(name, oneByOne(Buffer.from(sealed).fill(0, 100, 101)))
    expect(await failureKind(read(id))).toBe('corrupt')
    expect(await failureKind(read(id, { start: 0, end: 3 }))).toBe('corrupt')
    expect((await read(id, { start: 70_000, end: 70_003 })).equals(content.subarray(70_000, 70_004))).toBe(true)
    await opened.store.delete(name)
    await opened.store.put(name, oneByOne(sealed.subarray(0, 65_573)))
    expect(await failureKind(read(id))).toBe('corrupt')
    await opened.store.delete(name)
    expect(await failureKind(read(id))).toBe('missing')
  })

  test('C10 another tenant finds no blob by its id, and without the tenant’s keys nobody reads it', async () => {
    const owner = await world.newTenant()
    const { id } = await put(content, owner)
    expect(await failureKind(open(id, tenantId))).toBe('missing')
    await world.blobs.discard(tenantId, id)
    const blob = await open(id, owner)
    await world.destroyKeys(owner)
    await expect(collect(blob.read())).rejects.toThrow()
  })

  test('content over its bound, or whose source breaks, leaves nothing', async () => {
    const used = await world.blobs.usage(tenantId)
    const large = world.blobs.put(tenantId, oneByOne(content), { maxBytes: content.length - 1 })
    expect(await failureKind(large)).toBe('too_large')
    const broken = async function* () {
      yield content
      throw new Error('the source broke')
    }
    await expect(world.blobs.put(tenantId, broken())).rejects.toThrow('the source broke')
    expect(await world.blobs.usage(tenantId)).toBe(used)
  })

  test('a tenant stores up to its limit, also by several uploads at once on several instances', async () => {
    const bounded = await world.newTenant()
    world.setLimit(500_000)
    const instances = [world.blobs, world.instance({})]
    const puts = Array.from({ length: 6 }, (_, n) =>
      (instances[n % 2] ?? world.blobs).put(bounded, oneByOne(content.subarray(0, 100_000), content.subarray(100_000))),
    )
    const done = (await Promise.allSettled(puts)).filter(({ status }) => status === 'fulfilled')
    expect(done.length).toBeGreaterThan(0)
    expect(done.length).toBeLessThanOrEqual(2)
    const used = await world.blobs.usage(bounded)
    expect(used).toBeLessThanOrEqual(500_000)
    expect(used).toBeGreaterThanOrEqual(done.length * content.length)
    expect(await failureKind(put(Buffer.alloc(400_000), bounded))).toBe('quota')
    world.setLimit(null)
  })

  test('a blob stays while a row names it and a day longer', async () => {
    const { id } = await put(content)
    const row = await world.file(tenantId, id)
    world.passHours(100)
    await world.sweep()
    expect((await read(id)).length).toBe(content.length)
    await world.unfile(tenantId, row)
    await world.sweep()
    world.passHours(23)
    await world.sweep()
    expect((await read(id)).length).toBe(content.length)
    world.passHours(2)
    await world.sweep()
    expect(await failureKind(open(id))).toBe('missing')
    expect(await failureKind(stored(id))).toBe('missing')
  })

  test('a blob that is named again in time stays', async () => {
    const { id } = await put(content)
    await world.unfile(tenantId, await world.file(tenantId, id))
    await world.sweep()
    world.passHours(20)
    await world.file(tenantId, id)
    world.passHours(20)
    await world.sweep()
    expect((await read(id)).length).toBe(content.length)
  })

  test('content that is discarded or released goes at once, and never while a row names it', async () => {
    const [loose, held] = [await put(content), await put(content)]
    const row = await world.file(tenantId, held.id)
    await world.blobs.discard(tenantId, loose.id)
    await world.blobs.discard(tenantId, held.id)
    await world.db.tenant({ tenantId }, (tx) => world.blobs.release(tx, held.id))
    expect(await failureKind(stored(loose.id))).toBe('missing')
    expect((await read(held.id)).length).toBe(content.length)
    await world.db.tenant({ tenantId }, async (tx) => {
      await tx.execute(sql`delete from filed_note where id = ${row}`)
      await world.blobs.release(tx, held.id)
    })
    expect(await failureKind(open(held.id))).toBe('missing')
  })

  test('what a process that died in the middle of an upload left goes after a day', async () => {
    const dying = world.instance({
      store: { ...opened.store, delete: () => Promise.reject(new Error('the process is dead')) },
    })
    const broken = async function* () {
      yield content
      throw new Error('the process is dead')
    }
    const used = await world.blobs.usage(tenantId)
    await expect(dying.put(tenantId, broken())).rejects.toThrow()
    const lost = await world.db.tenant({ tenantId }, (tx) =>
      tx.query(
        sql<{ id: string }>`select id from blob_object o where not exists (select from blob b where b.id = o.id)`,
      ),
    )
    expect(lost.length).toBeGreaterThan(0)
    for (const { id } of lost) await opened.store.put({ tenantId, id }, oneByOne(content))
    await world.sweep()
    for (const { id } of lost) expect((await stored(id)).length).toBe(content.length)
    world.passHours(25)
    expect(await world.sweep()).toBeGreaterThanOrEqual(lost.length)
    for (const { id } of lost) expect(await failureKind(stored(id))).toBe('missing')
    expect(await world.blobs.usage(tenantId)).toBeLessThanOrEqual(used)
  })

  test('no row is written that names a blob that is not there', async () => {
    await expect(world.file(tenantId, world.random.uuid())).rejects.toMatchObject({ code: '23503' })
  })

  test('a column that names blobs is declared, has a foreign key and an index', async () => {
    const catalog = await asOwner(world.database.driver, readCatalog)
    const undeclared = world.tables.map((table) => (table.name === 'filed_note' ? { ...table, blobs: [] } : table))
    expect(differences(world.tables, catalog)).toEqual([])
    expect(differences(undeclared, catalog).join()).toContain('names a blob and is not declared')
    const without = catalog.map((table) =>
      table.name === 'filed_note' ? { ...table, references: [], indexes: [] } : table,
    )
    expect(differences(world.tables, without)).toEqual([
      'filed_note: column blob_id names a blob and has no foreign key to it',
      'filed_note: column blob_id names a blob and has no index',
    ])
  })
})
