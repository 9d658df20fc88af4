import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { startCuttableProxy } from '../testing/cuttable-proxy.ts'
import { reasonToSkip, services, titleOf } from '../testing/services.ts'
import { connectValkey, type ValkeyClient, whenReady } from '../valkey/connection.ts'
import { createMemoryLimiter } from './adapters/memory.ts'
import { createValkeyLimiter } from './adapters/valkey.ts'
import { describeLimiterContract } from './contract.ts'

describeLimiterContract('memory', async (now) => createMemoryLimiter({ now }))

const skip = await reasonToSkip(services.valkey)

describe.skipIf(skip !== null)(titleOf('with Valkey', skip), () => {
  const clients: ValkeyClient[] = []
  const fail = (error: unknown) => {
    throw error
  }
  async function ready(url: string, onError: (error: unknown) => void = fail): Promise<ValkeyClient> {
    const client = connectValkey({ url, onError, commandTimeoutMs: 5_000 })
    clients.push(client)
    await whenReady(client, 10_000)
    return client
  }
  const freshPrefix = () => `parapet-test:${randomUUID()}:`
  afterAll(() => {
    for (const client of clients) client.disconnect()
  })

  describeLimiterContract('valkey', async (now) =>
    createValkeyLimiter({
      client: await ready(services.valkey),
      now,
      clock: 'caller',
      prefix: freshPrefix(),
      onError: fail,
    }),
  )

  test('C26 three instances share one budget by the clock of the server', async () => {
    const prefix = freshPrefix()
    const make = async (skewMs: number) => {
      const now = () => Date.now() + skewMs
      return createValkeyLimiter({ client: await ready(services.valkey), now, prefix, onError: fail })
    }
    const nodes = await Promise.all([make(0), make(-3_600_000), make(3_600_000)])
    const rule = { limit: 210, windowMs: 60_000 }
    const takes = nodes.flatMap((node) => Array.from({ length: 150 }, () => node.take('{t}:api', rule)))
    const decisions = await Promise.all(takes)
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(210)
  })

  test('without the server an instance grants its share at once, and returns to the server by itself', async () => {
    const proxy = await startCuttableProxy(services.valkey)
    let clock = Date.now()
    const client = await ready(proxy.url, () => {})
    const limiter = createValkeyLimiter({
      client,
      now: () => clock,
      prefix: freshPrefix(),
      instances: () => 4,
      onError: () => {},
    })
    const rule = { limit: 8, windowMs: 60_000 }
    expect((await limiter.take('{t}:login', rule)).remaining).toBe(7)

    const closed = new Promise((resolve) => client.once('close', resolve))
    proxy.cut()
    await closed
    const local = await Promise.all([1, 2, 3].map(() => limiter.take('{t}:login', rule)))
    expect(local.map((decision) => decision.allowed)).toEqual([true, true, false])
    expect(limiter.isLocal()).toBe(true)

    proxy.mend()
    await whenReady(client, 10_000)
    clock += 2_000
    expect((await limiter.take('{t}:login', rule)).remaining).toBe(6)
    expect(limiter.isLocal()).toBe(false)
    await proxy.close()
  })

  test('a server that takes the connection and never answers costs one timeout, not one per call', async () => {
    const proxy = await startCuttableProxy(services.valkey)
    const client = connectValkey({ url: proxy.url, onError: () => {}, commandTimeoutMs: 50 })
    clients.push(client)
    await whenReady(client, 10_000)
    const errors: unknown[] = []
    const clock = 1_000_000
    const limiter = createValkeyLimiter({
      client,
      now: () => clock,
      prefix: freshPrefix(),
      onError: (error) => errors.push(error),
    })
    proxy.hang()
    for (let turn = 0; turn < 20; turn += 1) await limiter.take('{t}:login', { limit: 50, windowMs: 60_000 })
    expect(errors).toHaveLength(1)
    await proxy.close()
  })
})
