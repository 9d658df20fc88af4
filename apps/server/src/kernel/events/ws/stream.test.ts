import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Actor, TenantId } from '../../auth/actor.ts'
import { permissionSet } from '../../auth/permissions.ts'
import { systemClock } from '../../clock.ts'
import { sql } from '../../db/sql.ts'
import { authErrors } from '../../http/errors.ts'
import { createLiveFeed, type LocalLiveFeed } from '../../live/feed.ts'
import { openWorld, tenantA, tenantB, until, type World } from '../../testing/event-world.ts'
import { defineEvent } from '../catalogue.ts'
import { createRelay, type Relay } from '../relay.ts'
import { createTail, type EventTail } from '../tail.ts'
import type { StreamLimits } from './limits.ts'
import { openStream, type Stream } from './stream.ts'

const score = defineEvent({
  channel: 'trust.score.updated',
  type: 'ScoreUpdated',
  summary: 'The trust score changed.',
  schema: Type.Object({ score: Type.Number(), padding: Type.Optional(Type.String()) }),
  conflatable: true,
})
const request = defineEvent({
  channel: 'gateway.request.completed',
  type: 'RequestCompleted',
  summary: 'A request ended.',
  schema: Type.Object({ n: Type.Integer(), padding: Type.Optional(Type.String()) }),
})
const killSwitch = defineEvent({
  channel: 'aegis.kill_switch.activated',
  type: 'KillSwitchActivated',
  summary: 'A kill switch was activated.',
  schema: Type.Object({ n: Type.Integer() }),
  readers: ['aegis', 'gateway'],
})
const notification = defineEvent({
  channel: 'platform.notification.created',
  type: 'NotificationCreated',
  summary: 'Somebody is told something.',
  schema: Type.Object({ recipient_user_ids: Type.Array(Type.String()) }),
})

const users = { ann: '0190c000-0000-7000-8000-000000000001', ben: '0190c000-0000-7000-8000-000000000002' }

function actorOf(userId: string, permissions: readonly string[], extra: Partial<Actor> = {}): Actor {
  return {
    kind: 'user',
    userId,
    tenantId: tenantA,
    homeTenantId: tenantA,
    role: 'viewer',
    roles: ['viewer'],
    permissions: permissionSet(permissions),
    operator: false,
    sessionId: 's',
    keyId: null,
    authTime: null,
    amr: [],
    rateLimitPerMinute: null,
    tenantStatus: 'active',
    ...extra,
  }
}

interface Credential {
  actor: Actor
  expiresAt: number | null
  revoked?: boolean
}

let world: World
let live: LocalLiveFeed
let tail: EventTail
let relay: Relay
const tokens = new Map<string, Credential>()

/** The identity side, reduced to a table of tokens. */
const auth = {
  authenticateToken: async (token: string) => {
    const found = tokens.get(token)
    if (found === undefined || found.revoked === true) throw authErrors.invalid()
    if (found.expiresAt !== null && found.expiresAt * 1_000 <= world.clock.now()) throw authErrors.expired()
    return { actor: found.actor, expiresAt: found.expiresAt }
  },
  refresh: async (actor: Actor) => {
    const found = [...tokens.values()].find((each) => each.actor.userId === actor.userId)
    return found === undefined || found.revoked === true ? null : found.actor
  },
}

let http: Server
let stream: Stream
let address: string

async function serve(limits: Partial<StreamLimits> = {}): Promise<void> {
  const counts = new Map<string, number>()
  const decision = (key: string, limit: number) => {
    const allowed = (counts.get(key) ?? 0) < limit
    return { allowed, limit, remaining: 0, resetAtMs: 0, retryAfterMs: allowed ? 0 : 1_000 }
  }
  http = createServer()
  stream = openStream({
    ...world,
    auth,
    live,
    tail,
    limits,
    limiter: {
      peek: (key, rule) => decision(key, rule.limit),
      take: (key, rule) => {
        const made = decision(key, rule.limit)
        counts.set(key, (counts.get(key) ?? 0) + 1)
        return made
      },
    },
    events: [score, request, killSwitch, notification],
    tenants: async () => [tenantA, tenantB],
    background: (_, work) => void work.catch((error: unknown) => world.log.error({ err: error }, String(error))),
    allowedOrigins: ['https://console.example'],
    publicUrl: 'https://parapet.example',
    vendor: 'parapet',
  })
  stream.attach(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  address = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`
}

type Frame = Readonly<Record<string, unknown>> & { readonly data?: Readonly<Record<string, unknown>> }

interface Client {
  readonly frames: Frame[]
  readonly events: Frame[]
  closed: { code: number; reason: string } | null
  readonly socket: WebSocket
  say(message: unknown): void
  /** The first control frame of the type, once it is there. */
  told(type: string): Promise<Frame>
}

const clients: Client[] = []

async function connect(
  options: { path?: string; headers?: Record<string, string>; protocol?: string } = {},
): Promise<Client> {
  const socket = new WebSocket(
    options.path === undefined ? address : `${address}${options.path}`,
    options.protocol ?? [],
    {
      headers: options.headers ?? {},
    },
  )
  const frames: Frame[] = []
  const events: Frame[] = []
  const client: Client = {
    frames,
    events,
    closed: null,
    socket,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    told: async (type) => {
      await until(() => frames.some((frame) => frame.type === type))
      return frames.find((frame) => frame.type === type) ?? {}
    },
  }
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString()) as Frame
    if (frame.specversion !== undefined && !String(frame.type).includes('.stream.')) events.push(frame)
    else frames.push(frame)
  })
  socket.on('close', (code, reason) => {
    client.closed = { code, reason: reason.toString() }
  })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  clients.push(client)
  return client
}

async function signedIn(token: string, subscribe?: Record<string, unknown>): Promise<Client> {
  const client = await connect()
  client.say({ type: 'authenticate', token })
  await client.told('authenticated')
  if (subscribe !== undefined) {
    client.say({ type: 'subscribe', ...subscribe })
    await client.told('subscribed')
  }
  return client
}

const emit = (numbers: readonly number[], tenantId: TenantId = tenantA): Promise<void> =>
  world.db.tenant({ tenantId }, async (tx) => {
    for (const n of numbers) await tx.emit(request, `request-${n}`, { n })
  })
const numbersOf = (client: Client): unknown[] => client.events.map((event) => event.data?.n)
const inSeconds = (seconds: number): number => Math.floor(world.clock.now() / 1_000) + seconds

beforeAll(async () => {
  world = await openWorld()
  live = createLiveFeed(world)
  tail = createTail(world)
  // Its pauses are real ones: other suites' transactions on the same server hold it back now and then.
  relay = createRelay({ ...world, clock: systemClock(), moved: () => tail.wake() })
  world.committed.event = () => relay.wake()
  world.committed.change = live.committed
  await live.start()
  await tail.start()
  await relay.start()
})
beforeEach(async () => {
  tokens.clear()
  tokens.set('ann', {
    actor: actorOf(users.ann, ['gateway:read', 'trust:read', 'platform:read']),
    expiresAt: inSeconds(3_600),
  })
  tokens.set('ben', { actor: actorOf(users.ben, ['trust:read', 'platform:read']), expiresAt: null })
  await serve()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate()
  const closing = stream.close()
  const ticking = setInterval(() => world.clock.advance(50), 1)
  await closing
  clearInterval(ticking)
  await new Promise<void>((resolve) => http.close(() => resolve()))
})
afterAll(async () => {
  await relay.stop()
  await tail.stop()
  await live.stop()
  await world.close()
})

describe('a client that knows only authenticate and subscribe', () => {
  test('reads CloudEvents of the channels it asked for', async () => {
    const client = await signedIn('ann', { channels: ['gateway.request.completed'] })
    await emit([1])
    await until(() => client.events.length === 1)
    const [event] = client.events
    expect(event).toMatchObject({
      specversion: '1.0',
      type: 'com.parapet.gateway.RequestCompleted',
      source: 'https://parapet.example/api/v1/gateway',
      subject: 'request-1',
      channel: 'gateway.request.completed',
      datacontenttype: 'application/json',
      causationdepth: 0,
      data: { n: 1, tenant_id: tenantA },
    })
    expect(event?.sequence).toMatch(/^\d{20}$/)
  })

  test('is told who it is and what it may do', async () => {
    const client = await connect()
    client.say({ type: 'authenticate', token: 'ann', request: 'r1' })
    expect(await client.told('authenticated')).toMatchObject({
      tenant_id: tenantA,
      user_id: users.ann,
      permissions: ['gateway:read', 'trust:read', 'platform:read'],
      expires_at: new Date(inSeconds(3_600) * 1_000).toISOString(),
      reply_to: 'r1',
      limits: { max_channels: 100, max_message_bytes: 65_536, messages_per_second: 10 },
    })
  })
})

describe('who gets which events', () => {
  test('events of another tenant never arrive', async () => {
    const client = await signedIn('ann', { channels: ['*'] })
    await emit([1], tenantB)
    await emit([2])
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([2])
  })

  test('channels without permission and unknown channels are refused by name, the others are given', async () => {
    const client = await signedIn('ben', {
      channels: [
        'trust.*',
        'gateway.request.completed',
        'gateway.*',
        'risk.nothing.here',
        'aegis.kill_switch.activated',
      ],
    })
    const told = await client.told('subscribed')
    expect(told.channels).toEqual(['trust.score.updated'])
    expect(told.patterns).toEqual(['trust.*'])
    expect(told.rejected).toMatchObject([
      { channel: 'gateway.request.completed', error_code: 'AUTH-004' },
      { channel: 'gateway.*', error_code: 'AUTH-004' },
      { channel: 'risk.nothing.here', error_code: 'API-022' },
      { channel: 'aegis.kill_switch.activated', error_code: 'AUTH-004' },
    ])
  })

  test('the kill switch reaches everyone who may read the gateway', async () => {
    const client = await signedIn('ann', { channels: ['aegis.kill_switch.activated'] })
    expect((await client.told('subscribed')).channels).toEqual(['aegis.kill_switch.activated'])
  })

  test('a notification reaches its receivers only, each without the others', async () => {
    const [ann, ben] = await Promise.all(['ann', 'ben'].map((token) => signedIn(token, { channels: ['platform.*'] })))
    await world.db.tenant({ tenantId: tenantA }, async (tx) => {
      await tx.emit(notification, 'n-1', { recipient_user_ids: [users.ben] })
      await tx.emit(notification, 'n-2', { recipient_user_ids: [users.ann, users.ben] })
    })
    await until(() => ann?.events.length === 1 && ben?.events.length === 2)
    expect(ann?.events.map((event) => event.data?.recipient_user_ids)).toEqual([[users.ann]])
    expect(ben?.events.map((event) => event.data?.recipient_user_ids)).toEqual([[users.ben], [users.ben]])
  })

  test('an operator follows another tenant, which its audit log shows; anyone else is refused', async () => {
    tokens.set('op', { actor: actorOf(users.ben, ['gateway:read'], { operator: true }), expiresAt: null })
    const client = await signedIn('op', { channels: ['gateway.*'], tenant_id: tenantB })
    await emit([1])
    await emit([2], tenantB)
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([2])
    const entries = await world.db.read(
      tenantB,
      sql<{ action: string; home_tenant_id: string }>`select action, home_tenant_id from audit_entry`,
    )
    expect(entries).toEqual([{ action: 'stream.subscribe', home_tenant_id: tenantA }])
    const stranger = await signedIn('ann')
    stranger.say({ type: 'subscribe', channels: ['gateway.*'], tenant_id: tenantB })
    expect(await stranger.told('error')).toMatchObject({ error_code: 'AUTH-005', fatal: false })
  })
})

describe('resume', () => {
  test('continues behind the last event seen, without hole or double, and then goes on live', async () => {
    const before = await signedIn('ann', { channels: ['gateway.request.completed'] })
    await emit([1, 2, 3])
    await until(() => before.events.length === 3)
    await emit(Array.from({ length: 1_200 }, (_, index) => index + 4))
    const after = await signedIn('ann', {
      channels: ['gateway.request.completed'],
      resume: String(before.events[1]?.id),
    })
    await emit([2_000])
    await until(() => numbersOf(after).includes(2_000))
    expect(numbersOf(after)).toEqual([3, ...Array.from({ length: 1_200 }, (_, index) => index + 4), 2_000])
    expect(await after.told('replay_started')).toMatchObject({ channel: request.channel, from: before.events[1]?.id })
    await after.told('replay_completed')
  })

  test('tells a gap when the position is not kept, and delivers from the oldest kept event', async () => {
    await emit([1, 2, 3])
    await until(async () => {
      const rows = await world.db.read(tenantA, sql<{ n: number }>`select count(*)::int as n from outbox`)
      return rows[0]?.n === 0
    })
    await world.db.system('test', (tx) =>
      tx.execute(
        sql`delete from event_log where data ->> 'n' <> '3' or sequence < (select max(sequence) from event_log)`,
      ),
    )
    const gone = `${(world.clock.now() - 30 * 86_400_000)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
    const client = await signedIn('ann', { channels: ['gateway.request.completed'], resume: gone })
    expect(await client.told('gap')).toMatchObject({ requested_event_id: gone, reason: 'expired' })
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([3])
  })

  test('a position that is no event id is refused', async () => {
    const client = await signedIn('ann')
    client.say({ type: 'subscribe', channels: ['gateway.*'], resume: 'yesterday' })
    expect(await client.told('error')).toMatchObject({ error_code: 'API-024', fatal: false })
  })

  test('a durable name continues where its client stopped, and the newest connection takes it over', async () => {
    const first = await signedIn('ann', { channels: ['gateway.request.completed'], durable: 'siem' })
    await emit([1, 2, 3])
    await until(() => first.events.length === 3)
    first.say({ type: 'ack', positions: { [request.channel]: first.events[1]?.id } })
    await first.told('acknowledged')
    const second = await signedIn('ann', { channels: ['gateway.request.completed'], durable: 'siem' })
    await until(() => second.events.length === 1)
    expect(numbersOf(second)).toEqual([3])
    await first.told('going_away')
    await until(() => first.closed !== null)
    expect(first.closed?.code).toBe(1001)
  })
})

describe('expiry and revocation', () => {
  test('nothing is delivered from the moment the token ends', async () => {
    tokens.set('short', { actor: actorOf(users.ann, ['gateway:read']), expiresAt: inSeconds(20) })
    const client = await signedIn('short', { channels: ['gateway.*'] })
    world.clock.advance(1_000)
    expect(await client.told('token_expiring')).toMatchObject({ expires_in_ms: expect.any(Number) })
    world.clock.advance(15_000)
    await emit([1])
    await until(() => client.events.length === 1)
    world.clock.advance(4_000)
    await emit([2])
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4401, reason: 'AUTH-003' })
    expect(numbersOf(client)).toEqual([1])
  })

  test('a fresh token of the same person keeps the subscriptions; another identity ends the connection', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    tokens.set('ann-2', { actor: actorOf(users.ann, ['gateway:read']), expiresAt: inSeconds(7_200) })
    client.say({ type: 'authenticate', token: 'ann-2' })
    await until(() => client.frames.filter((frame) => frame.type === 'authenticated').length === 2)
    await emit([41])
    await until(() => numbersOf(client).includes(41))
    client.say({ type: 'authenticate', token: 'ben' })
    await until(() => client.closed !== null)
    expect(client.closed?.code).toBe(4403)
  })

  test('a revocation closes the connection at once', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    const credential = tokens.get('ann')
    if (credential !== undefined) credential.revoked = true
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.revoked', users.ann, { scope: 'user' }))
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4401, reason: 'AUTH-002' })
  })

  test('a lost permission takes the channel away, a suspended tenant the connection', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*', 'trust.*'] })
    tokens.set('ann', { actor: actorOf(users.ann, ['trust:read']), expiresAt: null })
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.rights', users.ann))
    expect(await client.told('unsubscribed')).toMatchObject({
      channels: ['gateway.request.completed'],
      reason: 'permission_lost',
    })
    tokens.set('ann', { actor: actorOf(users.ann, ['trust:read'], { tenantStatus: 'suspended' }), expiresAt: null })
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.rights', users.ann))
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4403, reason: 'AUTH-016' })
  })
})

describe('what ends a connection', () => {
  test.each([
    ['a bad token', { type: 'authenticate', token: 'nobody' }, 4401, 'AUTH-002'],
    ['no token', { type: 'authenticate' }, 4401, 'AUTH-001'],
  ])('%s', async (_name, message, code, reason) => {
    const client = await connect()
    client.say(message)
    expect(await client.told('error')).toMatchObject({ error_code: reason, fatal: true })
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code, reason })
  })

  test('the third violation', async () => {
    const client = await connect()
    client.say({ type: 'subscribe', channels: ['*'] })
    expect(await client.told('error')).toMatchObject({ error_code: 'API-025', fatal: false })
    client.say('{')
    client.say({ type: 'dance' })
    await until(() => client.closed !== null)
    expect(client.frames.map((frame) => frame.error_code)).toEqual(['API-025', 'API-021', 'API-020'])
    expect(client.closed).toEqual({ code: 4400, reason: 'API-020' })
  })

  test('a binary frame, a frame over 64 KiB, too many frames', async () => {
    const [binary, large, fast] = [await signedIn('ann'), await signedIn('ann'), await signedIn('ann')]
    binary.socket.send(Buffer.from('{}'))
    large.say({ type: 'ping', id: 'x'.repeat(65_600) })
    for (let n = 0; n < 40; n += 1) fast.say({ type: 'ping' })
    await until(() => binary.closed !== null && large.closed !== null && fast.closed !== null)
    expect([binary, large, fast].map((client) => client.closed?.code)).toEqual([4400, 1009, 4429])
  })

  test('silence: before authentication, without pongs, without a subscription', async () => {
    const stranger = await connect()
    world.clock.advance(10_000)
    await until(() => stranger.closed !== null)
    expect(stranger.closed?.code).toBe(4408)
    const idle = await signedIn('ben')
    const deaf = await signedIn('ben', { channels: ['trust.*'] })
    deaf.socket.pong = () => undefined
    idle.socket.pong = () => undefined
    world.clock.advance(76_000)
    await until(() => deaf.closed !== null)
    expect(deaf.closed?.code).toBe(4440)
  })

  test('going away says when to come back', async () => {
    const client = await signedIn('ann')
    const closing = stream.close()
    expect(await client.told('going_away')).toMatchObject({ reconnect_after_ms: expect.any(Number) })
    await until(() => client.closed !== null)
    world.clock.advance(1_000)
    await closing
    expect(client.closed?.code).toBe(1001)
  })

  test('a filter and more than 100 channels are refused without ending it', async () => {
    const client = await signedIn('ann')
    client.say({ type: 'subscribe', channels: ['*'], filter: 'event.data.n > 1', request: 7 })
    client.say({ type: 'subscribe', channels: Array.from({ length: 101 }, (_, n) => `a.b.c${n}`) })
    await until(() => client.frames.filter((frame) => frame.type === 'error').length === 2)
    const errors = client.frames.filter((frame) => frame.type === 'error')
    expect(errors).toMatchObject([{ error_code: 'API-021', reply_to: 7 }, { error_code: 'API-023' }])
    expect(client.closed).toBeNull()
  })
})

describe('the door', () => {
  const refused = async (options: Parameters<typeof connect>[0]): Promise<string> => {
    const error = await connect(options).catch((reason: unknown) => reason)
    return error instanceof Error ? error.message : 'connected'
  }
  test('a token in the address is refused', async () => {
    expect(await refused({ path: '?access_token=x' })).toContain('400')
  })
  test('a foreign origin is refused, an allowed one and the own are not', async () => {
    expect(await refused({ headers: { origin: 'https://evil.example' } })).toContain('403')
    expect(await refused({ headers: { origin: 'https://console.example' } })).toBe('connected')
    expect(await refused({ headers: { origin: 'https://parapet.example' } })).toBe('connected')
  })
  test('another path is not found', async () => {
    expect(await refused({ path: '/other' })).toContain('404')
  })
  test('a credential in a header counts as authenticate', async () => {
    const client = await connect({ headers: { authorization: 'Bearer ann' } })
    await client.told('authenticated')
  })
  test('with the CloudEvents subprotocol every frame is a CloudEvent', async () => {
    const client = await connect({ protocol: 'cloudevents.json', headers: { 'x-api-key': 'ann' } })
    const frame = await client.told('com.parapet.stream.Authenticated')
    expect(client.socket.protocol).toBe('cloudevents.json')
    expect(frame).toMatchObject({
      specversion: '1.0',
      source: 'https://parapet.example/ws',
      data: { type: 'authenticated' },
    })
  })
})
