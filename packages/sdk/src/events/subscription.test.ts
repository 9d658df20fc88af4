import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type FakeRuntime, fakeRuntime } from '../../test/fake-runtime.ts'
import {
  enveloped,
  type LocalServer,
  problem,
  queue,
  type Reply,
  startServer,
  type Visitor,
} from '../../test/local-server.ts'
import { createClient } from '../client.ts'
import type { SubscribeOptions } from './contract.ts'
import type { StreamEvent } from './frames.ts'

let server: LocalServer
let runtime: FakeRuntime
let refresh: Reply
let refreshes: number
const tokens = (n: number): Reply => enveloped({ access_token: `access-${n}`, refresh_token: `refresh-${n}` })

beforeEach(async () => {
  refresh = tokens(2)
  refreshes = 0
  runtime = fakeRuntime()
  server = await startServer(() => {
    refreshes += 1
    return refresh
  })
})
afterEach(() => server.close())

function subscribe(options: SubscribeOptions = {}, handle: (event: StreamEvent) => void = () => undefined) {
  const arrived = queue<StreamEvent>()
  const client = createClient({
    baseUrl: server.baseUrl,
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    WebSocket,
    runtime,
    maxRetries: 0,
  })
  const subscription = client.events.subscribe(
    ['trust.*'],
    (event) => {
      handle(event)
      arrived.put(event)
    },
    options,
  )
  return { subscription, next: () => arrived.take(() => true) }
}

const channel = 'trust.score.updated'
const event = (n: number, on = channel): object => ({
  specversion: '1.0',
  id: `id-${n}`,
  channel: on,
  sequence: String(n).padStart(20, '0'),
  data: { n },
})
const subscribed = (positions: Record<string, string | null> = { [channel]: null }): object => ({
  type: 'subscribed',
  channels: Object.keys(positions),
  patterns: ['trust.*'],
  rejected: [],
  positions,
})

/** Lets the client in and gives what it subscribed to. */
async function admit(visitor: Visitor, positions?: Record<string, string | null>): Promise<Record<string, unknown>> {
  await visitor.told('authenticate')
  visitor.say({ type: 'authenticated' })
  const asked = await visitor.told('subscribe')
  visitor.say(subscribed(positions))
  return asked
}

/** Waits of the socket's own watch; every other wait is one before coming back. */
const watches = new Set([10_000, 30_000])

/** Breaks or closes the socket, and gives how long the client waits before it comes back. */
async function backoffAfter(end: () => void): Promise<number> {
  end()
  return runtime.asked((ms) => !watches.has(ms))
}

async function comesBack(end: () => void): Promise<Visitor> {
  runtime.advance(await backoffAfter(end))
  return server.visitor()
}

describe('a subscription', () => {
  test('authenticates, then subscribes, then gives what comes', async () => {
    const { subscription, next } = subscribe({ conflate: true })
    const visitor = await server.visitor()
    expect(await visitor.told('authenticate')).toEqual({ type: 'authenticate', token: 'access-1' })
    visitor.say({ type: 'authenticated' })
    expect(await visitor.told('subscribe')).toMatchObject({ channels: ['trust.*'], conflate: true })
    visitor.say(subscribed())
    visitor.say(event(1))
    expect(await next()).toMatchObject({ id: 'id-1', data: { n: 1 } })
    expect((await subscription.ready).channels).toEqual([channel])
    expect(subscription.positions).toEqual({ [channel]: 'id-1' })
    subscription.close()
    expect(await subscription.ended).toEqual({ by: 'caller' })
  })

  test('renews its token on the same socket before it runs out, and asks for nothing anew', async () => {
    const { next } = subscribe()
    const visitor = await server.visitor()
    await admit(visitor)
    visitor.say({ type: 'token_expiring', expires_in_ms: 60_000 })
    expect(await visitor.told('authenticate')).toEqual({ type: 'authenticate', token: 'access-2' })
    visitor.say({ type: 'authenticated' })
    visitor.say(event(1))
    await next()
    expect(visitor.frames.map(({ type }) => type)).toEqual(['authenticate', 'subscribe', 'authenticate'])
  })

  test('is told of lost events and lost channels', async () => {
    const told = queue<unknown>()
    subscribe({ onGap: told.put, onUnsubscribed: told.put })
    const visitor = await server.visitor()
    await admit(visitor)
    visitor.say({ type: 'gap', channel, requested_event_id: 'id-0', oldest_event_id: 'id-5', reason: 'expired' })
    visitor.say({ type: 'unsubscribed', channels: [channel], reason: 'permission_lost' })
    expect(await told.take(() => true)).toMatchObject({ oldest_event_id: 'id-5', reason: 'expired' })
    expect(await told.take(() => true)).toMatchObject({ channels: [channel], reason: 'permission_lost' })
  })
})

describe('after a break', () => {
  test('it goes on behind the last event, and an event that comes twice is given once', async () => {
    const { next } = subscribe()
    const first = await server.visitor()
    await admit(first)
    first.say(event(1))
    first.say(event(2))
    await next()
    await next()
    const second = await comesBack(() => first.socket.terminate())
    expect(await admit(second, { [channel]: 'id-3' })).toMatchObject({ resume: { [channel]: 'id-2' } })
    second.say(event(2))
    second.say(event(3))
    expect(await next()).toMatchObject({ id: 'id-3' })
  })

  test('before the first event it begins where it stood, also on a channel that had none', async () => {
    const { subscription } = subscribe()
    const first = await server.visitor()
    await admit(first, { [channel]: 'id-7', 'trust.snapshot.created': null })
    await subscription.ready
    const second = await comesBack(() => first.socket.terminate())
    expect(await admit(second)).toMatchObject({ resume: { [channel]: 'id-7', 'trust.snapshot.created': 'earliest' } })
  })

  test.each([
    ['everything kept', 'earliest' as const, { [channel]: 'earliest' }],
    ['a position of its own', { [channel]: 'id-5' }, { [channel]: 'id-5' }],
  ])('before the first event a subscription from %s still begins there', async (_, resume, again) => {
    const { subscription } = subscribe({ resume })
    const first = await server.visitor()
    expect(await admit(first, { [channel]: 'id-9' })).toMatchObject({ resume })
    await subscription.ready
    const second = await comesBack(() => first.socket.terminate())
    expect(await admit(second)).toMatchObject({ resume: again })
  })

  test('the waits grow, and start small again once it stood', async () => {
    const { next } = subscribe()
    let visitor = await server.visitor()
    for (const expected of [250, 500, 1_000]) {
      const { socket } = visitor
      const ms = await backoffAfter(() => socket.terminate())
      expect(ms).toBe(expected)
      runtime.advance(ms)
      visitor = await server.visitor()
    }
    await admit(visitor)
    visitor.say(event(1))
    await next()
    const { socket } = visitor
    expect(await backoffAfter(() => socket.terminate())).toBe(250)
  })

  test('a server that leaves says when to come back', async () => {
    subscribe()
    const visitor = await server.visitor()
    visitor.say({ type: 'going_away', reconnect_after_ms: 4_321 })
    expect(await backoffAfter(() => visitor.socket.close(1001))).toBe(4_321)
  })

  test('of which nothing tells but silence, it comes back too', async () => {
    const { subscription } = subscribe()
    const visitor = await server.visitor()
    await admit(visitor)
    await subscription.ready
    for (const _ of [1, 2]) {
      await runtime.asked((ms) => ms === 30_000)
      runtime.advance(30_000)
      await visitor.told('ping')
    }
    await runtime.asked((ms) => ms === 30_000)
    expect(await backoffAfter(() => runtime.advance(30_000))).toBe(250)
  })
})

describe('a refused credential', () => {
  test('is renewed once, and the subscription goes on with the new one', async () => {
    const { subscription } = subscribe()
    const first = await server.visitor()
    first.socket.close(4401, 'AUTH-003')
    const second = await server.visitor()
    expect(await second.told('authenticate')).toMatchObject({ token: 'access-2' })
    second.say({ type: 'authenticated' })
    second.say(subscribed())
    await subscription.ready
    expect(refreshes).toBe(1)
  })

  test('that is refused again stops it', async () => {
    const { subscription } = subscribe()
    for (const _ of [1, 2]) (await server.visitor()).socket.close(4401, 'AUTH-002')
    expect(await subscription.ended).toMatchObject({
      by: 'credential',
      error: { message: expect.stringMatching('AUTH-002') },
    })
    await expect(subscription.ready).rejects.toThrow('AUTH-002')
    expect([refreshes, server.visits]).toEqual([1, 2])
  })

  test('whose session has ended stops it without another visit', async () => {
    refresh = problem(401, 'AUTH-002')
    const { subscription } = subscribe()
    ;(await server.visitor()).socket.close(4401, 'AUTH-003')
    expect(await subscription.ended).toMatchObject({ by: 'credential' })
    expect(server.visits).toBe(1)
  })

  test('that cannot be renewed just now is tried again later', async () => {
    refresh = problem(503, 'API-009')
    subscribe()
    const first = await server.visitor()
    const second = await comesBack(() => first.socket.close(4401, 'AUTH-003'))
    refresh = tokens(3)
    second.socket.close(4401, 'AUTH-003')
    expect(await (await server.visitor()).told('authenticate')).toMatchObject({ token: 'access-3' })
  })
})

describe('it stops for good', () => {
  test.each([
    [4400, 'API-021'],
    [4403, 'AUTH-005'],
  ])('when the server closes with %i', async (code, errorCode) => {
    const { subscription } = subscribe()
    ;(await server.visitor()).socket.close(code, errorCode)
    expect(await subscription.ended).toMatchObject({ by: 'server', code, errorCode })
    expect(runtime.waits.filter((ms) => !watches.has(ms))).toEqual([])
  })

  test('when the server refuses the subscription itself', async () => {
    const { subscription } = subscribe()
    const visitor = await server.visitor()
    await visitor.told('authenticate')
    visitor.say({ type: 'authenticated' })
    const { request } = await visitor.told('subscribe')
    visitor.say({
      type: 'error',
      error_code: 'API-023',
      title: 'Too Many',
      detail: 'too many',
      fatal: false,
      reply_to: request,
    })
    expect(await subscription.ended).toMatchObject({ by: 'server', errorCode: 'API-023', detail: 'too many' })
  })

  test('when the handler throws, and that event counts as not seen', async () => {
    const { subscription } = subscribe({}, ({ id }) => {
      if (id === 'id-2') throw new Error('cannot handle this')
    })
    const visitor = await server.visitor()
    await admit(visitor)
    visitor.say(event(1))
    visitor.say(event(2))
    expect(await subscription.ended).toMatchObject({ by: 'handler', error: { message: 'cannot handle this' } })
    expect(subscription.positions).toEqual({ [channel]: 'id-1' })
  })

  test('when the caller aborts, also while it waits to come back', async () => {
    const stop = new AbortController()
    const { subscription } = subscribe({ signal: stop.signal })
    const visitor = await server.visitor()
    const ms = await backoffAfter(() => visitor.socket.terminate())
    stop.abort()
    runtime.advance(ms)
    expect(await subscription.ended).toEqual({ by: 'caller' })
    expect(server.visits).toBe(1)
  })

  test('before it began when nobody is signed in', async () => {
    const client = createClient({ baseUrl: server.baseUrl, WebSocket, runtime })
    const subscription = client.events.subscribe(['*'], () => undefined)
    expect(await subscription.ended).toMatchObject({ by: 'credential' })
    expect(server.visits).toBe(0)
  })
})

test.skipIf('WebSocket' in globalThis)('without a WebSocket it says what to give', () => {
  const client = createClient({ baseUrl: server.baseUrl, apiKey: 'k' })
  expect(() => client.events.subscribe(['*'], () => undefined)).toThrow('`ws`')
})
