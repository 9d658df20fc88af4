import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, describe, expect, test } from 'vitest'
import { startCuttableProxy } from '../../testing/cuttable-proxy.ts'
import { reasonToSkip, services, titleOf } from '../../testing/services.ts'
import { collect, describeBusContract } from './contract.ts'
import { createJetStreamBus, type JetStreamBusOptions } from './jetstream.ts'
import { createMemoryBus } from './memory.ts'
import type { Bus, BusMessage } from './port.ts'

describeBusContract('memory', async (onError) => createMemoryBus({ onError }))

const skip = await reasonToSkip(services.nats)

describe.skipIf(skip !== null)(titleOf('with NATS', skip), () => {
  const prefixes: string[] = []
  const freshPrefix = () => {
    const prefix = `parapet-test-${randomUUID()}`
    prefixes.push(prefix)
    return prefix
  }
  afterAll(async () => {
    const connection = await connect({ servers: services.nats })
    const { streams } = await jetstreamManager(connection)
    for (const prefix of prefixes) await streams.delete(streamOf(prefix)).catch(() => {})
    await connection.close()
  })

  describeBusContract('jetstream', async (onError) => (await connected({ prefix: freshPrefix(), onError })).bus)

  test('instances hear each other, and a message sent twice is heard once', async () => {
    const prefix = freshPrefix()
    const { bus: one } = await connected({ prefix })
    const { bus: two } = await connected({ prefix })
    const { all } = await collect(two, 'ev.t1', 2)
    const first = message('ev.t1.a')
    await one.publish(first)
    await one.publish(first)
    await one.publish(message('ev.t1.b'))
    expect((await all).map((got) => got.subject)).toEqual(['ev.t1.a', 'ev.t1.b'])
    await Promise.all([one.close(), two.close()])
  })

  test('a bus without its server returns at once, reports what it gives up, and begins by itself', async () => {
    const proxy = await startCuttableProxy(services.nats)
    proxy.cut()
    const errors: unknown[] = []
    const { bus, untilHealthy } = start({
      servers: proxy.url,
      prefix: freshPrefix(),
      onError: (error) => errors.push(error),
    })
    const { all } = await collect(bus, 'ev.t1', 1)
    expect(bus.healthy()).toBe(false)
    await bus.publish(message('ev.t1.lost'))
    expect(errors.map(String)).toContain('Error: The bus is not connected.')
    proxy.mend()
    await untilHealthy(true)
    await publishUntilHeard(bus, all)
    expect((await all)[0]?.subject).toBe('ev.t1.again')
    await bus.close()
    await proxy.close()
  })

  test('a cut connection makes the bus unhealthy, and subscriptions go on after it', async () => {
    const proxy = await startCuttableProxy(services.nats)
    const prefix = freshPrefix()
    const { bus, untilHealthy } = await connected({ servers: proxy.url, prefix })
    const { bus: other } = await connected({ prefix })
    const { all } = await collect(bus, 'ev.t1', 2)
    await bus.publish(message('ev.t1.before'))
    proxy.cut()
    await untilHealthy(false)
    await other.publish(message('ev.t1.meanwhile'))
    proxy.mend()
    await untilHealthy(true)
    await publishUntilHeard(other, all)
    expect((await all)[0]?.subject).toBe('ev.t1.before')
    await Promise.all([bus.close(), other.close()])
    await proxy.close()
  })

  test('a bus can be closed while it has never connected', async () => {
    const proxy = await startCuttableProxy(services.nats)
    proxy.cut()
    const { bus } = start({ servers: proxy.url, prefix: freshPrefix() })
    await bus.close()
    expect(bus.healthy()).toBe(false)
    await proxy.close()
  })
})

const message = (subject: string): BusMessage => ({ subject, id: randomUUID(), body: new Uint8Array() })

const streamOf = (prefix: string): string => `${prefix.toUpperCase().replaceAll('-', '_')}_EVENTS`

function start(options: Partial<JetStreamBusOptions> & { readonly prefix: string }) {
  let current = false
  const waiting = new Set<{ wanted: boolean; resolve: () => void }>()
  const onHealth = (healthy: boolean) => {
    current = healthy
    for (const waiter of waiting) if (waiter.wanted === healthy) waiter.resolve()
  }
  const bus = createJetStreamBus({ servers: services.nats, onError: () => {}, onHealth, ...options })
  const untilHealthy = (wanted: boolean): Promise<void> =>
    current === wanted ? Promise.resolve() : new Promise((resolve) => waiting.add({ wanted, resolve }))
  return { bus, untilHealthy }
}

async function connected(options: Partial<JetStreamBusOptions> & { readonly prefix: string }) {
  const started = start(options)
  await started.untilHealthy(true)
  return started
}

/** The bus may lose what is sent while a subscription is being set up again; a hint that is repeated arrives. */
async function publishUntilHeard(bus: Bus, heard: Promise<unknown>): Promise<void> {
  let over = false
  void heard.then(() => {
    over = true
  })
  while (!over) await bus.publish(message('ev.t1.again'))
}
