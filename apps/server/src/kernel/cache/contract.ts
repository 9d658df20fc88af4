import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cache } from './port.ts'
import { createReadThrough } from './single-flight.ts'

export interface CacheUnderTest {
  readonly cache: Cache
  /** Lets time go by for the cache, by its clock or the server's. */
  readonly pass: (ms: number) => Promise<void>
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : new TextDecoder().decode(value)

/** The contract of every cache. */
export function describeCacheContract(name: string, makeAdapter: () => Promise<CacheUnderTest>): void {
  describe(`${name} cache`, () => {
    let cache: Cache
    let pass: CacheUnderTest['pass']
    let tenants = 0
    const freshTenant = () => {
      tenants += 1
      return `tenant-${tenants}`
    }
    beforeAll(async () => {
      const made = await makeAdapter()
      cache = made.cache
      pass = made.pass
    })
    afterAll(() => cache.close())

    test('a value comes back as it was, bytes and all', async () => {
      const tenant = freshTenant()
      await cache.set(tenant, 'k', new Uint8Array([0, 255, 13, 10, 0]), 60_000)
      expect([...((await cache.get(tenant, 'k')) ?? [])]).toEqual([0, 255, 13, 10, 0])
      expect(await cache.get(tenant, 'other')).toBeUndefined()
    })

    test('an empty value is a value', async () => {
      const tenant = freshTenant()
      await cache.set(tenant, 'k', new Uint8Array(), 60_000)
      expect(await cache.get(tenant, 'k')).toEqual(new Uint8Array())
    })

    test('a value is gone after its time, and a new one starts its time anew', async () => {
      const tenant = freshTenant()
      await cache.set(tenant, 'short', bytes('a'), 40)
      await cache.set(tenant, 'renewed', bytes('a'), 40)
      await cache.set(tenant, 'renewed', bytes('b'), 60_000)
      await pass(41)
      expect(await cache.get(tenant, 'short')).toBeUndefined()
      expect(textOf(await cache.get(tenant, 'renewed'))).toBe('b')
    })

    test('tenants with the same key have different values', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      await cache.set(one, 'k', bytes('one'), 60_000)
      expect(await cache.get(two, 'k')).toBeUndefined()
      await cache.delete(two, 'k')
      expect(textOf(await cache.get(one, 'k'))).toBe('one')
    })

    test('a deleted value is gone, and deleting it again is fine', async () => {
      const tenant = freshTenant()
      await cache.set(tenant, 'k', bytes('a'), 60_000)
      await cache.delete(tenant, 'k')
      await cache.delete(tenant, 'k')
      expect(await cache.get(tenant, 'k')).toBeUndefined()
    })

    test('purging takes the keys with the prefix and no others', async () => {
      const tenant = freshTenant()
      const neighbor = `${tenant}-x`
      for (const key of ['a:1', 'a:2', 'ab', 'b:1', 'a*']) await cache.set(tenant, key, bytes(key), 60_000)
      await cache.set(neighbor, 'a:1', bytes('a'), 60_000)
      expect(await cache.purge(tenant, 'a:')).toBe(2)
      expect(await cache.purge(tenant, 'a*')).toBe(1)
      expect(textOf(await cache.get(tenant, 'ab'))).toBe('ab')
      expect(await cache.purge(tenant)).toBe(2)
      expect(await cache.get(tenant, 'b:1')).toBeUndefined()
      expect(textOf(await cache.get(neighbor, 'a:1'))).toBe('a')
    })

    test('changing bytes that were given in or out changes nothing inside', async () => {
      const tenant = freshTenant()
      const value = bytes('abc')
      await cache.set(tenant, 'k', value, 60_000)
      value.fill(0)
      const first = await cache.get(tenant, 'k')
      first?.fill(0)
      expect(textOf(await cache.get(tenant, 'k'))).toBe('abc')
    })

    test('a hundred who miss together cause one load', async () => {
      const tenant = freshTenant()
      const through = createReadThrough(cache)
      let loads = 0
      const load = async () => {
        loads += 1
        return bytes('loaded')
      }
      const entry = { tenant, key: 'k', ttlMs: 60_000 }
      const values = await Promise.all(Array.from({ length: 100 }, () => through.get(entry, load)))
      expect(new Set(values.map(textOf))).toEqual(new Set(['loaded']))
      await through.get(entry, load)
      expect(loads).toBe(1)
    })

    test.each([
      ['a:b', 'k'],
      ['', 'k'],
      ['a}b', 'k'],
      ['a', 'k'.repeat(513)],
    ])('tenant %j with key %.8s is refused', async (tenant, key) => {
      await expect(async () => cache.get(tenant, key)).rejects.toThrow(RangeError)
      await expect(async () => cache.set(tenant, key, bytes(''), 1)).rejects.toThrow(RangeError)
    })

    test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a time of %d ms is refused', async (ttlMs) => {
      await expect(async () => cache.set(freshTenant(), 'k', bytes(''), ttlMs)).rejects.toThrow(RangeError)
    })
  })
}
