import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { startCuttableProxy } from '../testing/cuttable-proxy.ts'
import { reasonToSkip, services, titleOf } from '../testing/services.ts'
import { connectValkey, type ValkeyClient, whenReady } from '../valkey/connection.ts'
import { createMemoryCache } from './adapters/memory.ts'
import { createValkeyCache } from './adapters/valkey.ts'
import { describeCacheContract } from './contract.ts'

describeCacheContract('memory', async () => {
  let clock = 0
  const pass = async (ms: number) => {
    clock += ms
  }
  return { cache: createMemoryCache({ now: () => clock }), pass }
})

test('a full memory cache drops the longest unused and stays within its bytes', () => {
  const cache = createMemoryCache({ now: () => 0, maxBytes: 4_000 })
  for (const key of ['a', 'b', 'c']) cache.set('t', key, new Uint8Array(1_000), 1_000)
  cache.get('t', 'a')
  cache.set('t', 'd', new Uint8Array(1_000), 1_000)
  expect(cache.get('t', 'b')).toBeUndefined()
  expect(cache.get('t', 'a')).toBeDefined()
  expect(cache.stats().bytes).toBeLessThanOrEqual(4_000)
  expect(cache.stats()).toMatchObject({ entries: 3, evicted: 1 })
})

test('a value larger than the memory cache is not kept, nor is the value it replaces', () => {
  const cache = createMemoryCache({ now: () => 0, maxBytes: 4_000 })
  cache.set('t', 'k', new Uint8Array(10), 1_000)
  cache.set('t', 'k', new Uint8Array(5_000), 1_000)
  expect(cache.get('t', 'k')).toBeUndefined()
  expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 })
})

const skip = await reasonToSkip(services.valkey)

describe.skipIf(skip !== null)(titleOf('with Valkey', skip), () => {
  const clients: ValkeyClient[] = []
  afterAll(() => {
    for (const client of clients) client.disconnect()
  })
  async function ready(url: string): Promise<ValkeyClient> {
    const client = connectValkey({ url, onError: () => {}, commandTimeoutMs: 5_000 })
    clients.push(client)
    await whenReady(client, 10_000)
    return client
  }
  const fail = (error: unknown) => {
    throw error
  }

  describeCacheContract('valkey', async () => {
    const client = await ready(services.valkey)
    // The server has no fake clock; a blocking pop on an empty key is its own event after that time.
    const waiter = await ready(services.valkey)
    const pass = async (ms: number) => void (await waiter.blpop(`parapet-test:${randomUUID()}`, ms / 1_000 + 0.01))
    return { cache: createValkeyCache({ client, prefix: `parapet-test:${randomUUID()}:`, onError: fail }), pass }
  })

  test('without the server a read is a miss, a write is dropped, and a delete says that it failed', async () => {
    const proxy = await startCuttableProxy(services.valkey)
    const client = await ready(proxy.url)
    const errors: unknown[] = []
    const cache = createValkeyCache({
      client,
      prefix: `parapet-test:${randomUUID()}:`,
      onError: (error) => errors.push(error),
    })
    await cache.set('t', 'k', new Uint8Array([1]), 60_000)
    const closed = new Promise((resolve) => client.once('close', resolve))
    proxy.cut()
    await closed
    expect(await cache.get('t', 'k')).toBeUndefined()
    await cache.set('t', 'k', new Uint8Array([2]), 60_000)
    expect(errors).toHaveLength(2)
    await expect(async () => cache.delete('t', 'k')).rejects.toThrow()
    await expect(async () => cache.purge('t')).rejects.toThrow()
    proxy.mend()
    await whenReady(client, 10_000)
    expect(await cache.get('t', 'k')).toEqual(new Uint8Array([1]))
    await cache.purge('t')
    await proxy.close()
  })
})
