import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { fakeRuntime } from '../../test/fake-runtime.ts'
import { enveloped, type LocalServer, problem, type Reply, startServer } from '../../test/local-server.ts'
import { createClient } from '../client.ts'
import { ConnectionError, ProblemError } from './problem.ts'
import { backoffMs } from './retry.ts'

let server: LocalServer | null = null
afterEach(() => server?.close())

/** A client of a server that gives these replies one after the other, the last one for ever. */
async function clientOf(replies: readonly Reply[], random = 0.5) {
  const started = await startServer((_, index) => replies[Math.min(index, replies.length - 1)] ?? {})
  server = started
  const runtime = fakeRuntime({ hurry: true, random })
  return { client: createClient({ baseUrl: started.baseUrl, runtime }), seen: started.seen, waits: runtime.waits }
}

describe('a server that has no time', () => {
  test('is asked again after the seconds it named, each caller a little later than that', async () => {
    const busy = problem(503, 'API-009', { headers: { 'retry-after': '2' } })
    const { client, waits } = await clientOf([busy, enveloped({ n: 1 })])
    expect((await client.get('/x')).data).toEqual({ n: 1 })
    expect(waits).toEqual([2_250])
  })

  test('is asked again after a growing random time when it names none, and not for ever', async () => {
    const { client, seen, waits } = await clientOf([problem(429, 'API-007')])
    await expect(client.get('/x')).rejects.toMatchObject({ status: 429, errorCode: 'API-007' })
    expect(waits).toEqual([250, 500, 1_000])
    expect(seen).toHaveLength(4)
  })

  test('is not waited for longer than half a minute', async () => {
    const { client, seen } = await clientOf([problem(429, 'API-007', { headers: { 'retry-after': '900' } })])
    await expect(client.get('/x')).rejects.toMatchObject({ retryAfterMs: 900_000 })
    expect(seen).toHaveLength(1)
  })
})

describe('an answer that was lost', () => {
  test('to a POST is asked for again with the same key, so that the work is done once', async () => {
    const { client, seen } = await clientOf([{ cut: true }, enveloped({ id: 'a' })])
    await client.post('/things', { name: 'a' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  test('to a POST whose first attempt still runs is waited for', async () => {
    const { client, seen } = await clientOf([{ cut: true }, problem(409, 'API-011'), enveloped({ id: 'a' })])
    expect((await client.post('/things', {})).data).toEqual({ id: 'a' })
    expect(seen).toHaveLength(3)
  })

  test('to a PATCH is reported, because nobody knows whether it was done', async () => {
    const { client, seen } = await clientOf([{ cut: true }, enveloped({})])
    await expect(client.patch('/things/1', {})).rejects.toBeInstanceOf(ConnectionError)
    expect(seen).toHaveLength(1)
  })

  test('to a model call is reported unless the caller gave a key, because a second call costs money', async () => {
    const { client, seen } = await clientOf([{ cut: true }, { cut: true }, enveloped({ id: 'c' })])
    const request = { model: 'm', messages: [{ role: 'user', content: 'x' }] } as const
    await expect(client.chat.completions.create(request)).rejects.toBeInstanceOf(ConnectionError)
    expect((await client.chat.completions.create(request, { idempotencyKey: 'k' })).data).toEqual({ id: 'c' })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'k', 'k'])
  })
})

test.each([
  [503, 'GW-010'],
  [429, 'AUTH-008'],
])('what a person or a lock decided (%i %s) is reported at once', async (status, code) => {
  const { client, seen } = await clientOf([problem(status, code)])
  await expect(client.get('/x')).rejects.toMatchObject({ errorCode: code })
  expect(seen).toHaveLength(1)
})

test('a conflict is no reason to try again', async () => {
  const { client, seen } = await clientOf([problem(409, 'API-011')])
  await expect(client.post('/things', {})).rejects.toBeInstanceOf(ProblemError)
  expect(seen).toHaveLength(1)
})

test('an abort ends the wait between two attempts at once', async () => {
  const started = await startServer(() => problem(503, 'API-009'))
  server = started
  const runtime = fakeRuntime()
  const stop = new AbortController()
  const after: typeof runtime.after = (ms, run) => {
    queueMicrotask(() => stop.abort(new Error('enough')))
    return runtime.after(ms, run)
  }
  const client = createClient({ baseUrl: started.baseUrl, runtime: { ...runtime, after } })
  await expect(client.get('/x', { signal: stop.signal })).rejects.toThrow('enough')
  expect(started.seen).toHaveLength(1)
})

test('the wait before attempt n is at most 0.5 s times two to the n, and never more than 30 s', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
      const ms = backoffMs(attempt, () => random)
      return ms >= 0 && ms <= Math.min(30_000, 500 * 2 ** attempt)
    }),
  )
  expect(backoffMs(6, () => 1)).toBe(30_000)
  expect(backoffMs(5, () => 1)).toBe(16_000)
})
