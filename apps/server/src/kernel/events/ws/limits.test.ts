import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { tenantA, tenantB, until } from '../../testing/event-world.ts'
import {
  actorOf,
  type Client,
  connect,
  crowd,
  http,
  inSeconds,
  numbersOf,
  request,
  signedIn,
  tokens,
  users,
  useStream,
  world,
} from '../../testing/stream-world.ts'
import { defaultLimits } from './limits.ts'

// Lower than by default where a test would need a thousand sockets, or more channels than there are.
useStream({ connectionsPerTenant: 25, channelsPerConnection: 3 })

/** One user after the other of the same tenant. */
function tokenOf(n: number): string {
  const id = `0190c000-0000-7000-8000-${String(n).padStart(12, '0')}`
  tokens.set(`user-${n}`, { actor: actorOf(id, ['gateway:read']), expiresAt: inSeconds(3_600) })
  return `user-${n}`
}

const closing = async (client: Client): Promise<Client['closed']> => {
  await until(() => client.closed !== null)
  return client.closed
}

/** Answers no ping, as a client behind a dead link. */
function deaf(client: Client): void {
  client.socket.pong = () => undefined
}

test('C23 the limits are those that were reviewed', () => {
  expect(defaultLimits).toEqual({
    connectionsPerTenant: 1_000,
    connectionsPerUser: 20,
    upgradesPerAddressPerMinute: 100,
    failedAuthenticationsPerAddressPerMinute: 10,
    channelsPerConnection: 100,
    messageBytes: 64 * 1024,
    messagesPerSecond: 10,
    messageBurst: 30,
    authenticateWithinMs: 10_000,
    pingEveryMs: 25_000,
    idleMs: 300_000,
    warnBeforeExpiryMs: 60_000,
    unsentBytes: 1024 * 1024,
    unsentFrames: 1_000,
    conflateBeyondBytes: 64 * 1024,
    laggingMs: 60_000,
    laggingEvents: 10_000,
    pageSize: 500,
    violations: 3,
  })
})

describe('C23 too many sockets', () => {
  test('of one user: the twenty-first is sent away, the others stay, and one that leaves makes room', async () => {
    const open: Client[] = []
    for (let n = 0; n < 20; n += 1) open.push(await signedIn('ann'))
    const refused = await connect()
    refused.say({ type: 'authenticate', token: 'ann' })
    expect(await closing(refused)).toEqual({ code: 1013, reason: 'API-023' })
    expect(open.filter(({ closed }) => closed !== null)).toEqual([])
    await signedIn('ben')
    open[0]?.socket.close()
    await until(() => open[0]?.closed !== null)
    await signedIn('ann')
  })

  test('of one user that all ask at once: exactly twenty are let in', async () => {
    // Twenty of twenty-five, so that the tenant's bound says nothing here.
    const clients: Client[] = []
    for (let n = 0; n < 24; n += 1) clients.push(await connect())
    Object.assign(crowd, { token: 'ann', size: clients.length })
    for (const client of clients) client.say({ type: 'authenticate', token: 'ann' })
    await until(() => crowd.waiting.length === 0 && clients.every(({ frames }) => frames.length > 0))
    const admitted = clients.filter(({ frames }) => frames.some(({ type }) => type === 'authenticated'))
    crowd.token = ''
    expect(admitted).toHaveLength(20)
  })

  test('of one tenant: a user with none is sent away, and another tenant is not concerned', async () => {
    for (let n = 0; n < 25; n += 1) await signedIn(tokenOf(n))
    const refused = await connect()
    refused.say({ type: 'authenticate', token: 'ben' })
    expect(await closing(refused)).toEqual({ code: 1013, reason: 'API-023' })
    const actor = actorOf(users.ben, ['gateway:read'], { tenantId: tenantB, homeTenantId: tenantB })
    tokens.set('other', { actor, expiresAt: inSeconds(3_600) })
    await signedIn('other')
  })

  test('opened by one address without a credential within a minute', async () => {
    for (let n = 0; n < 100; n += 1) (await connect()).socket.close()
    await expect(connect()).rejects.toThrow('429')
    await connect({ headers: { authorization: 'Bearer ann' } })
  })

  test('with a wrong token from one address: then a right one is refused as well', async () => {
    for (let n = 0; n < 10; n += 1) {
      const client = await connect()
      client.say({ type: 'authenticate', token: `guess-${n}` })
      expect(await closing(client)).toEqual({ code: 4401, reason: 'AUTH-002' })
    }
    const right = await connect()
    right.say({ type: 'authenticate', token: 'ann' })
    expect(await closing(right)).toEqual({ code: 4401, reason: 'AUTH-008' })
  })
})

describe('C23 frames', () => {
  test('of 64 KiB are read and of one byte more are not', async () => {
    const [fits, over] = [await signedIn('ann'), await signedIn('ann')]
    const frame = (bytes: number): string => {
      const empty = JSON.stringify({ type: 'ping', pad: '' })
      return JSON.stringify({ type: 'ping', pad: 'x'.repeat(bytes - empty.length) })
    }
    fits.say(frame(65_536))
    over.say(frame(65_537))
    await fits.told('pong')
    expect((await closing(over))?.code).toBe(1009)
  })

  test('are never compressed, whatever a client offers', async () => {
    const client = await signedIn('ann')
    expect(client.socket.extensions).toBe('')
  })

  test('may come as fast as the burst allows and no faster', async () => {
    const client = await signedIn('ann')
    for (let n = 0; n < 29; n += 1) client.say({ type: 'ping' })
    await until(() => client.frames.filter(({ type }) => type === 'pong').length === 29)
    expect(client.closed).toBeNull()
    client.say({ type: 'ping' })
    expect(await closing(client)).toEqual({ code: 4429, reason: 'API-007' })
  })
})

describe('C23 channels', () => {
  test('have one bound for a connection, however many messages ask for them', async () => {
    const client = await signedIn('ann')
    client.say({ type: 'subscribe', channels: ['gateway.*', 'trust.*'], request: 1 })
    client.say({ type: 'subscribe', channels: ['gateway.request.*', 'trust.*', 'no.such.channel'], request: 2 })
    client.say({ type: 'subscribe', channels: ['trust.score.*'], request: 3 })
    client.say({ type: 'unsubscribe', channels: ['trust.*'], request: 4 })
    client.say({ type: 'subscribe', channels: ['trust.score.*'], request: 5 })
    await until(() => client.frames.some(({ reply_to }) => reply_to === 5))
    const told = client.frames.filter(({ reply_to }) => reply_to !== undefined)
    expect(told).toMatchObject([
      { type: 'subscribed' },
      { type: 'subscribed' },
      { type: 'error', error_code: 'API-023', fatal: false },
      { type: 'unsubscribed' },
      { type: 'subscribed' },
    ])
  })
})

describe('C23 pings', () => {
  test('may be missed twice, and not a third time', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    deaf(client)
    let pings = 0
    client.socket.on('ping', () => {
      pings += 1
    })
    for (const missed of [1, 2]) {
      world.clock.advance(25_000)
      await until(() => pings === missed)
      expect(client.closed).toBeNull()
    }
    world.clock.advance(25_000)
    expect(await closing(client)).toEqual({ code: 4440, reason: '' })
  })

  test('that are answered keep a connection for ever', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    let pings = 0
    client.socket.on('ping', () => {
      pings += 1
    })
    for (let turn = 1; turn <= 6; turn += 1) {
      world.clock.advance(25_000)
      await until(() => pings === turn)
      client.say({ type: 'ping' })
      await until(() => client.frames.filter(({ type }) => type === 'pong').length === turn)
    }
    expect(client.closed).toBeNull()
  })
})

describe('C23 a reader that takes nothing', () => {
  const events = 10_000

  test('holds back at most 1 MiB of 10,000 events, delays nobody, and gets them all in the end', async () => {
    const taken: Socket[] = []
    http.on('connection', (socket) => taken.push(socket))
    const slow = await signedIn('ann', { channels: [request.channel] })
    const fast = await signedIn(tokenOf(1), { channels: [request.channel] })
    const behind = (): number => taken[0]?.writableLength ?? 0
    slow.socket.pause()
    let most = 0
    const look = setInterval(() => {
      most = Math.max(most, behind())
    }, 1)
    const padding = 'x'.repeat(2_000)
    for (let first = 1; first <= events; first += 500)
      await world.db.tenant({ tenantId: tenantA }, async (tx) => {
        for (let n = first; n < first + 500; n += 1) await tx.emit(request, `request-${n}`, { n, padding })
      })
    await expect.poll(() => fast.events.length, { timeout: 60_000 }).toBe(events)
    clearInterval(look)
    expect(slow.closed).toBeNull()
    expect(slow.events.length).toBeLessThan(events / 2)
    expect(Math.max(most, behind())).toBeLessThan(defaultLimits.unsentBytes + 65_536)
    slow.socket.resume()
    await expect.poll(() => slow.events.length, { timeout: 60_000 }).toBe(events)
    const every = Array.from({ length: events }, (_, index) => index + 1)
    expect([numbersOf(slow), numbersOf(fast)]).toEqual([every, every])
  })
})
