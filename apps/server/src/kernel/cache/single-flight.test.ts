import { expect, test } from 'vitest'
import { createMemoryCache } from './adapters/memory.ts'
import { createReadThrough, singleFlight } from './single-flight.ts'

function deferred<T>() {
  let resolve = (_value: T) => {}
  let reject = (_error: unknown) => {}
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}

test('callers of the same key share a load, callers of another do not', async () => {
  const loads: string[] = []
  const flight = singleFlight(async (key: string) => {
    loads.push(key)
    return key
  })
  expect(await Promise.all([flight.run('a'), flight.run('a'), flight.run('b')])).toEqual(['a', 'a', 'b'])
  expect(loads).toEqual(['a', 'b'])
})

test('a finished load is not joined again', async () => {
  let loads = 0
  const flight = singleFlight(async () => {
    loads += 1
    return loads
  })
  expect([await flight.run('a'), await flight.run('a')]).toEqual([1, 2])
})

test('a failed load fails for all who joined it, and the next call tries again', async () => {
  let loads = 0
  const flight = singleFlight(async () => {
    loads += 1
    if (loads === 1) throw new Error('down')
    return loads
  })
  const results = await Promise.allSettled([flight.run('a'), flight.run('a')])
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
  expect(await flight.run('a')).toBe(2)
})

test('a forgotten load is not joined, and its end does not end the newer one', async () => {
  const waiting = [deferred<string>(), deferred<string>()]
  let loads = 0
  const flight = singleFlight(() => {
    loads += 1
    return waiting[loads - 1]?.promise ?? Promise.reject(new Error('a third load'))
  })
  const old = flight.run('a')
  flight.forget('a')
  const newer = flight.run('a')
  waiting[0]?.resolve('old')
  await old
  const joined = flight.run('a')
  waiting[1]?.resolve('new')
  expect(await Promise.all([old, newer, joined])).toEqual(['old', 'new', 'new'])
  expect(loads).toBe(2)
})

test('a value deleted while it is loaded is not kept', async () => {
  const cache = createMemoryCache({ now: () => 0 })
  const through = createReadThrough(cache)
  const loading = deferred<Uint8Array>()
  const entry = { tenant: 't', key: 'k', ttlMs: 1_000 }
  const stale = through.get(entry, () => loading.promise)
  await through.delete('t', 'k')
  const fresh = await through.get(entry, async () => new Uint8Array([2]))
  loading.resolve(new Uint8Array([1]))
  expect(await stale).toEqual(new Uint8Array([1]))
  expect(fresh).toEqual(new Uint8Array([2]))
  expect(cache.get('t', 'k')).toEqual(new Uint8Array([2]))
})
