import { expect, test } from 'vitest'
import { Aborter } from '../base/abort.ts'
import { createSeamedStore } from '../blobs/seamed.ts'
import { createMemoryCache } from '../cache/adapters/memory.ts'
import { createSeamedCache } from '../cache/seamed.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createFaults, type FaultHook, InjectedFault, passSeam } from './seams.ts'

const point = { seam: 'job', tenantId: 'a', target: 'risk.simulate' } as const

test('a seam is armed by one at a time, and disarmed by the one who armed it', () => {
  const { arm, seams } = createFaults()
  const disarm = arm('cache', () => null)
  expect(() => arm('cache', () => null)).toThrow(/cache is armed already/)
  disarm()
  expect(seams.cache).toBeUndefined()
  const second: FaultHook = () => null
  arm('cache', second)
  disarm()
  expect(seams.cache).toBe(second)
})

test('an operation waits as long as its fault says, and then takes place', async () => {
  const clock = createFakeClock()
  let over = false
  const passing = passSeam(() => ({ delayMs: 300 }), { ...point, clock }).then(() => {
    over = true
  })
  clock.advance(299)
  await Promise.resolve()
  expect(over).toBe(false)
  clock.advance(1)
  await passing
})

test('a delay ends with the call that waits', async () => {
  const signal = new Aborter()
  const passing = passSeam(() => ({ delayMs: 60_000 }), { ...point, clock: createFakeClock(), signal })
  signal.abort(new Error('the client left'))
  await expect(passing).rejects.toThrow('the client left')
})

test('an operation fails with what its fault says, which names the seam', async () => {
  const failing = passSeam(() => ({ failure: { kind: 'timeout' } }), { ...point, clock: createFakeClock() })
  await expect(failing).rejects.toThrow(new InjectedFault('job', { kind: 'timeout' }))
})

test('a cache that is made to fail misses, and throws where it could not be sure', async () => {
  const faults = createFaults()
  const cache = createSeamedCache(createMemoryCache({ now: () => 0 }), faults, createFakeClock())
  await cache.set('a', 'k', new Uint8Array([1]), 60_000)
  const disarm = faults.arm('cache', ({ tenantId }) => (tenantId === 'a' ? { failure: { kind: 'unavailable' } } : null))
  expect(await cache.get('a', 'k')).toBeUndefined()
  await cache.set('b', 'k', new Uint8Array([2]), 60_000)
  expect(await cache.get('b', 'k')).toEqual(new Uint8Array([2]))
  await expect(cache.delete('a', 'k')).rejects.toThrow(InjectedFault)
  disarm()
  expect(await cache.get('a', 'k')).toEqual(new Uint8Array([1]))
})

test('an unarmed seam hands the operation on without a turn of its own', () => {
  const faults = createFaults()
  const cache = createSeamedCache(createMemoryCache({ now: () => 0 }), faults, createFakeClock())
  expect(cache.get('a', 'k')).toBeUndefined()
  const deleted = Promise.resolve()
  const store = createSeamedStore({ delete: () => deleted } as never, faults, createFakeClock())
  expect(store.delete({ tenantId: 'a', id: 'b' })).toBe(deleted)
})
