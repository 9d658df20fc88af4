import { afterEach, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { createFaults } from '../../../kernel/faults/seams.ts'
import type { ChangeHandler } from '../../../kernel/live/feed.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { rulesTopic, stopTopic } from './news.ts'
import { createFaultRegistry, type FaultRegistry, leaseMs, type NotedHit } from './registry.ts'

const tenant = 'a' as TenantId
const news = {
  faults: [{ seam: 'upstream', kind: 'latency', delay_ms: { type: 'constant', value: 300 } }],
  ...{ percentage: 100, seed: 's', requestPrefix: null },
}
let registry: FaultRegistry | undefined
afterEach(() => registry?.stop())

async function open(shares: number[] = [100]) {
  const [clock, faults] = [createFakeClock(), createFaults()]
  const handlers = new Map<string, ChangeHandler>()
  const kept: NotedHit[] = []
  const live = {
    on: (topic: string, handler: ChangeHandler) => {
      handlers.set(topic, handler)
      return () => void handlers.delete(topic)
    },
    lastContactMs: () => 0,
    start: async () => {},
    stop: async () => {},
  }
  const ledger = {
    claim: async () => shares.shift() ?? 0,
    armed: async () => {},
    keep: async (_tenant: TenantId, _id: string, hits: readonly NotedHit[]) => void kept.push(...hits),
  }
  const log = { warn: () => {}, error: () => {} }
  registry = createFaultRegistry({ clock, faults, live, ledger, log: log as never })
  await registry.start()
  const tell = async (topic: string, key: string, data: object = {}, of = tenant) => {
    handlers.get(topic)?.(key, data as never, of)
    await settled()
  }
  const call = (requestId = 'r') => faults.seams.upstream?.({ tenantId: tenant, target: 'p/m', requestId }) ?? null
  return { clock, faults, kept, tell, call, registry }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('seams are armed while there is a rule, and inert before and after', async () => {
  const { faults, tell, call } = await open()
  expect(faults.seams.upstream).toBeUndefined()
  await tell(rulesTopic, 'e', news)
  expect([call()?.delayMs, faults.seams.cache]).toEqual([300, undefined])
  await tell(stopTopic, 'e')
  expect(faults.seams.upstream).toBeUndefined()
})

test('a rule whose controller is silent is gone after its lease, and goes on while it is renewed', async () => {
  const { clock, faults, tell, call } = await open()
  await tell(rulesTopic, 'e', news)
  clock.advance(leaseMs - 1)
  expect(call()).not.toBeNull()
  await tell(rulesTopic, 'e', news)
  clock.advance(leaseMs - 1)
  expect(call()).not.toBeNull()
  clock.advance(1)
  expect(call()).toBeNull()
  clock.advance(250)
  expect(faults.seams.upstream).toBeUndefined()
})

test('nothing is hit beyond the shares that the ledger gave', async () => {
  const { clock, kept, tell, call, registry: of } = await open([2, 1])
  await tell(rulesTopic, 'e', news)
  expect([1, 2, 3].map((i) => call(`r${i}`) !== null)).toEqual([true, true, false])
  clock.advance(250)
  await settled()
  expect([4, 5].map((i) => call(`r${i}`) !== null)).toEqual([true, false])
  await of.flush()
  expect(kept.map(({ requestId }) => requestId)).toEqual(['r1', 'r2', 'r4'])
})

test('the lever of a tenant stops its rules alone, that of the platform all', async () => {
  const { tell, registry: of } = await open([1, 1])
  const other = 'b' as TenantId
  await tell(rulesTopic, 'e', news)
  await tell(rulesTopic, 'f', news, other)
  await tell(stopTopic, 'tenant', {}, other)
  expect(of.active()).toEqual(['e'])
  await tell(stopTopic, 'platform', {}, other)
  expect(of.active()).toEqual([])
})

test('calls that a fault delays go on when it stops, and news of another form are none', async () => {
  const { tell, call, registry: of } = await open()
  await tell(rulesTopic, 'x', { percentage: 0 })
  expect(of.active()).toEqual([])
  await tell(rulesTopic, 'e', news)
  const fault = call()
  expect(fault?.release?.aborted).toBe(false)
  await tell(stopTopic, 'e')
  expect(fault?.release?.aborted).toBe(true)
})
