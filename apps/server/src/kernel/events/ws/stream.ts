/**
 * The stream `/ws`: takes over upgrades, hands each event of the tail to the connections that follow its tenant, and
 * reacts to revocations and changes of rights within two seconds. It owns the connections and one timer; nothing here
 * waits for a socket. Tested in stream.test.ts with real sockets.
 */

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { TenantId } from '../../access/actor.ts'
import type { Gate } from '../../access/gate.ts'
import type { AuthKernel } from '../../auth/port.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../crypto/random.ts'
import type { Database } from '../../db/port.ts'
import type { LoopLog } from '../../lifecycle/loop.ts'
import type { Limiter } from '../../limits/port.ts'
import type { LiveFeed } from '../../live/feed.ts'
import type { Meter } from '../../observe/meter.ts'
import type { EventDefinition } from '../catalogue/catalogue.ts'
import { createEventEncoder, type EnvelopeSettings } from '../catalogue/cloudevents.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import type { EventTail } from '../tail.ts'
import { type Admission, createAdmission } from './admission.ts'
import { type Catalogue, catalogueOf } from './channels.ts'
import { Connection } from './connection.ts'
import { cloudEventWriter, writePlainly } from './frames.ts'
import { createHub, gateCall, type Hub } from './hub.ts'
import { closeCodes, defaultLimits, type StreamLimits } from './limits.ts'
import { asksForWebSocket, serveWithoutUpgrade } from './other-upgrade.ts'
import { createSlots } from './slots.ts'
import type { Subscriptions } from './subscriptions.ts'
import { judgeUpgrade, refuseUpgrade } from './upgrade.ts'
import { type Socket, Wire } from './wire.ts'

export interface StreamParts extends EnvelopeSettings {
  readonly auth: Pick<AuthKernel, 'authenticateToken' | 'refresh'>
  readonly db: Pick<Database, 'tenant'>
  readonly tail: Pick<EventTail, 'subscribe' | 'settled'>
  readonly live: Pick<LiveFeed, 'on' | 'lastContactMs'>
  readonly limiter: Pick<Limiter, 'take' | 'peek'>
  /** Asked for each new connection, and for the open ones every second. */
  readonly gate: Pick<Gate, 'refuse'>
  readonly clock: Clock
  readonly random: Random
  readonly log: LoopLog
  readonly meter: Meter
  readonly events: readonly EventDefinition[]
  readonly tenants: () => Promise<readonly TenantId[]>
  readonly background: (name: string, work: Promise<unknown>) => void
  readonly allowedOrigins: readonly string[]
  /** The client's address; default the socket's. */
  readonly clientIp?: (request: IncomingMessage) => string
  readonly limits?: Partial<StreamLimits>
}

/** Parts of the process that one connection uses. */
export interface StreamKernel extends Pick<StreamParts, 'auth' | 'db' | 'clock' | 'random' | 'log' | 'background'> {
  readonly limits: StreamLimits
  readonly catalogue: Catalogue
  readonly admission: Admission
  readonly encode: (event: LoggedEvent, conflated: number) => Uint8Array
  readonly follow: (tenantId: TenantId, subscriptions: Subscriptions) => () => void
  /** Resolves when no look at the log is under way that began before. */
  readonly settled: () => Promise<void>
  readonly keptSince: (channel: string) => number
  readonly readSlot: <T>(read: () => Promise<T>) => Promise<T>
}

export interface Stream {
  attach(server: Server): void
  /** Says goodbye to every client and ends; clients come back elsewhere after a random pause. */
  close(): Promise<void>
}

const dayMs = 86_400_000

export function openStream(parts: StreamParts): Stream {
  const limits = { ...defaultLimits, ...parts.limits }
  const catalogue = catalogueOf(parts.events)
  const hub = createHub(parts)
  const kernel: StreamKernel = {
    ...parts,
    limits,
    catalogue,
    admission: createAdmission({ ...parts, limits, connections: () => hub.connections }),
    encode: createEventEncoder(parts),
    follow: hub.follow,
    settled: () => parts.tail.settled(),
    keptSince: (channel) => parts.clock.now() - (catalogue.get(channel)?.retentionDays ?? 7) * dayMs,
    readSlot: createSlots(8),
  }
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(cloudEventsProtocol) ? cloudEventsProtocol : false),
  })
  function upgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!asksForWebSocket(request)) {
      serveWithoutUpgrade(this, request, { socket, head })
      return
    }
    const work = takeUpgrade({ parts, kernel, hub, server }, { request, socket, head })
    parts.background('stream upgrade', work)
  }
  const attached: Server[] = []
  return {
    attach: (to) => {
      to.on('upgrade', upgrade)
      attached.push(to)
    },
    close: async () => {
      for (const from of attached.splice(0)) from.off('upgrade', upgrade)
      await hub.close()
      server.close()
    },
  }
}

const cloudEventsProtocol = 'cloudevents.json'

interface Door {
  readonly parts: StreamParts
  readonly kernel: StreamKernel
  readonly hub: Hub
  readonly server: WebSocketServer
}

interface Knock {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

async function takeUpgrade(door: Door, { request, socket, head }: Knock): Promise<void> {
  const { parts, kernel, server } = door
  // A client that goes away in between must not bring the process down.
  socket.on('error', () => socket.destroy())
  const { random, clock, publicUrl } = parts
  const facts = { random, clock, publicUrl, path: (request.url ?? '').split('?')[0] ?? '' }
  const verdict = judgeUpgrade(request, parts)
  if ('status' in verdict) return refuseUpgrade(socket, verdict.status, facts)
  const ip = parts.clientIp?.(request) ?? request.socket.remoteAddress ?? ''
  const problem = parts.gate.refuse(gateCall(ip))
  if (problem !== null) return refuseUpgrade(socket, problem, facts)
  if (verdict.token === undefined && !(await kernel.admission.mayConnect(ip))) return refuseUpgrade(socket, 429, facts)
  if (door.hub.closing) return refuseUpgrade(socket, 503, facts)
  server.handleUpgrade(request, socket, head, (ws) => open(door, ws, { ip, token: verdict.token }))
}

function open(door: Door, ws: WebSocket, arrival: { readonly ip: string; readonly token: string | undefined }): void {
  const { kernel, parts, hub } = door
  const wire = new Wire(socketOf(ws), kernel.limits, () => parts.clock.now())
  const write = ws.protocol === cloudEventsProtocol ? cloudEventWriter(parts) : writePlainly
  const connection = new Connection({ kernel, wire, write, ip: arrival.ip, id: parts.random.uuid() })
  hub.add(connection, wire)
  ws.on('message', (data, isBinary) => {
    if (isBinary) connection.end(closeCodes.protocol, 'API-021')
    else connection.receive(data.toString())
  })
  ws.on('pong', () => connection.pong())
  ws.on('error', (error) => parts.log.warn({ err: error, connection: connection.id }, 'a stream socket failed'))
  ws.on('close', () => {
    wire.closed()
    connection.subscriptions.close()
    hub.remove(connection)
  })
  if (arrival.token !== undefined) connection.present(arrival.token)
}

function socketOf(ws: WebSocket): Socket {
  return {
    send: (data, done) => ws.send(data, { binary: false }, () => done()),
    ping: () => ws.ping(),
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
    buffered: () => ws.bufferedAmount,
  }
}
