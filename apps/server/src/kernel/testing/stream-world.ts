// Exported bindings are live: tests see the world that `useStream` opened.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { WebSocket } from 'ws'
import type { Actor, TenantId } from '../access/actor.ts'
import type { Gate } from '../access/gate.ts'
import { permissionSet } from '../access/permissions.ts'
import { systemClock } from '../base/clock.ts'
import { authErrors } from '../errors/errors.ts'
import { defineEvent } from '../events/catalogue/catalogue.ts'
import { createRelay, type Relay } from '../events/relay.ts'
import { createTail, type EventTail } from '../events/tail.ts'
import type { StreamLimits } from '../events/ws/limits.ts'
import { openStream, type Stream } from '../events/ws/stream.ts'
import { createLiveFeed, type LocalLiveFeed } from '../live/feed.ts'
import { openWorld, tenantA, tenantB, until, type World } from './event-world.ts'

const score = defineEvent({
  channel: 'trust.score.updated',
  type: 'ScoreUpdated',
  summary: 'The trust score changed.',
  schema: Type.Object({ score: Type.Number(), padding: Type.Optional(Type.String()) }),
  conflatable: true,
})
export const request = defineEvent({
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
export const notification = defineEvent({
  channel: 'platform.notification.created',
  type: 'NotificationCreated',
  summary: 'Somebody is told something.',
  schema: Type.Object({ recipient_user_ids: Type.Array(Type.String()) }),
})

export const users = { ann: '0190c000-0000-7000-8000-000000000001', ben: '0190c000-0000-7000-8000-000000000002' }

export function actorOf(userId: string, permissions: readonly string[], extra: Partial<Actor> = {}): Actor {
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
    tenantRequestsPerMinute: null,
    tenantStatus: 'active',
    ...extra,
  }
}

interface Credential {
  actor: Actor
  expiresAt: number | null
  revoked?: boolean
}

export let world: World
let live: LocalLiveFeed
let tail: EventTail
let relay: Relay
export const tokens = new Map<string, Credential>()

/** Holds authentications of a token until so many wait, and lets them go at once. */
export const crowd = {
  token: '',
  size: 0,
  waiting: [] as (() => void)[],
  together: async (token: string): Promise<void> => {
    if (token !== crowd.token) return
    await new Promise<void>((resolve) => {
      crowd.waiting.push(resolve)
      if (crowd.waiting.length === crowd.size) for (const go of crowd.waiting.splice(0)) go()
    })
  },
}

/** The identity side, reduced to a table of tokens. */
const auth = {
  authenticateToken: async (token: string) => {
    const found = tokens.get(token)
    await crowd.together(token)
    if (found === undefined || found.revoked === true) throw authErrors.invalid()
    if (found.expiresAt !== null && found.expiresAt * 1_000 <= world.clock.now()) throw authErrors.expired()
    return { actor: found.actor, expiresAt: found.expiresAt }
  },
  refresh: async (actor: Actor) => {
    const found = [...tokens.values()].find((each) => each.actor.userId === actor.userId)
    return found === undefined || found.revoked === true ? null : found.actor
  },
}

/** Refuses no one until a test says so. */
export const gate: { refuse: Gate['refuse'] } = { refuse: () => null }

export let http: Server
export let stream: Stream
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
    gate,
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

export interface Client {
  readonly frames: Frame[]
  readonly events: Frame[]
  closed: { code: number; reason: string } | null
  readonly socket: WebSocket
  say(message: unknown): void
  /** The first control frame of the type, once it is there. */
  told(type: string): Promise<Frame>
}

const clients: Client[] = []

export async function connect(
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

export async function signedIn(token: string, subscribe?: Record<string, unknown>): Promise<Client> {
  const client = await connect()
  client.say({ type: 'authenticate', token })
  await client.told('authenticated')
  if (subscribe !== undefined) {
    client.say({ type: 'subscribe', ...subscribe })
    await client.told('subscribed')
  }
  return client
}

export const emit = (numbers: readonly number[], tenantId: TenantId = tenantA): Promise<void> =>
  world.db.tenant({ tenantId }, async (tx) => {
    for (const n of numbers) await tx.emit(request, `request-${n}`, { n })
  })
export const numbersOf = (client: Client): unknown[] => client.events.map((event) => event.data?.n)
export const inSeconds = (seconds: number): number => Math.floor(world.clock.now() / 1_000) + seconds

/** Serves the stream on a free port for each test of the file. */
export function useStream(limits: Partial<StreamLimits> = {}): void {
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
    await serve(limits)
  })
  afterEach(async () => {
    gate.refuse = () => null
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
}
