import type { TenantId } from '../../access/actor.ts'
import type { GateCall } from '../../access/gate.ts'
import { progressEvent, progressTopic } from '../../jobs/progress.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import type { Connection } from './connection.ts'
import { takenOverTopic } from './durable.ts'
import { closeCodes } from './limits.ts'
import type { StreamParts } from './stream.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Wire } from './wire.ts'

export interface Hub {
  readonly connections: Iterable<Connection>
  readonly closing: boolean
  add(connection: Connection, wire: Wire): void
  remove(connection: Connection): void
  /** Gives the tenant's events to these subscriptions until the answer is called. */
  readonly follow: (tenantId: TenantId, subscriptions: Subscriptions) => () => void
  close(): Promise<void>
}

/** Revocations may be missed when the live feed is silent this long; identities are then asked for one by one. */
const blindMs = 5_000

/** Milliseconds given to clients to answer the closing handshake. */
const goodbyeMs = 1_000

type HubParts = Pick<StreamParts, 'tail' | 'live' | 'gate' | 'clock' | 'random' | 'log' | 'meter' | 'background'>

/** A connection as the gate sees it: it reads, as a GET does. */
export const gateCall = (ip: string): GateCall => ({ module: 'platform', method: 'GET', path: '/ws', ip })

/** All connections of this process and their shared state. */
export function createHub(parts: HubParts): Hub {
  const connections = new Map<Connection, Wire>()
  const followers = new Map<TenantId, Set<Subscriptions>>()
  let closing = false
  const ends = [
    parts.tail.subscribe({ tenants: () => followers.keys(), read: (events) => deliver(followers, events) }),
    ...onRevocation(parts, connections),
    parts.live.on(progressTopic, (jobId, data, tenantId) => tellProgress(parts, followers, { jobId, data, tenantId })),
    parts.live.on(takenOverTopic, (id, data) => takeOver(connections, id, data.connection_id)),
  ]
  const timer = parts.clock.every(1_000, () => {
    const now = parts.clock.now()
    parts.meter.gauge('stream_connections', connections.size)
    const blind = parts.live.lastContactMs() > blindMs
    for (const connection of connections.keys()) {
      const problem = parts.gate.refuse(gateCall(connection.ip))
      if (problem !== null) {
        connection.fatal(problem, closeCodes.overCapacity)
        continue
      }
      connection.tick(now)
      if (blind) parts.background('stream recheck', recheck(parts, connection))
    }
  })
  return {
    get connections() {
      return connections.keys()
    },
    get closing() {
      return closing
    },
    add: (connection, wire) => void connections.set(connection, wire),
    remove: (connection) => void connections.delete(connection),
    follow: (tenantId, subscriptions) => {
      const set = followers.get(tenantId) ?? new Set()
      followers.set(tenantId, set.add(subscriptions))
      return () => {
        set.delete(subscriptions)
        if (set.size === 0 && followers.get(tenantId) === set) followers.delete(tenantId)
      }
    },
    close: async () => {
      closing = true
      timer.stop()
      for (const end of ends) end()
      for (const connection of connections.keys()) connection.goingAway()
      await emptied(parts, connections)
      for (const wire of connections.values()) wire.terminate()
    },
  }
}

function deliver(followers: ReadonlyMap<string, ReadonlySet<Subscriptions>>, events: readonly LoggedEvent[]): void {
  for (const event of events) {
    const interested = followers.get(event.tenantId)
    if (interested === undefined) continue
    for (const subscriptions of interested) subscriptions.offer(event)
  }
}

function tellProgress(
  { random, clock }: HubParts,
  followers: ReadonlyMap<string, ReadonlySet<Subscriptions>>,
  told: Parameters<typeof progressEvent>[0],
): void {
  const interested = followers.get(told.tenantId)
  if (interested === undefined) return
  const event = progressEvent(told, { id: random.uuid(), time: clock.iso() })
  for (const subscriptions of interested) subscriptions.offer(event)
}

/** Any revocation or change of rights that may concern a connection makes it prove its identity again. */
function onRevocation(parts: HubParts, connections: ReadonlyMap<Connection, Wire>): (() => void)[] {
  const recheckAll = (concerns: (connection: Connection) => boolean): void => {
    for (const connection of connections.keys()) {
      if (concerns(connection)) parts.background('stream recheck', recheck(parts, connection))
    }
  }
  const ofTenant = (tenantId: TenantId) => (connection: Connection) => {
    const actor = connection.identity?.actor
    return actor?.tenantId === tenantId || actor?.homeTenantId === tenantId
  }
  return [
    parts.live.on('auth.revoked', (_key, data, tenantId) =>
      recheckAll(data.scope === 'platform' ? () => true : ofTenant(tenantId)),
    ),
    parts.live.on('auth.rights', (_key, _data, tenantId) => recheckAll(ofTenant(tenantId))),
  ]
}

/** A client that cannot be checked is not served: after three tries within two seconds the client is sent elsewhere. */
async function recheck(parts: HubParts, connection: Connection, tries = 3): Promise<void> {
  try {
    await connection.recheck()
  } catch (error) {
    if (tries > 1) {
      await new Promise<void>((resolve) => parts.clock.after(500, resolve))
      return recheck(parts, connection, tries - 1)
    }
    parts.log.warn({ err: error, connection: connection.id }, 'an identity could not be checked again')
    connection.end(closeCodes.overCapacity, 'API-009')
  }
}

function takeOver(connections: ReadonlyMap<Connection, Wire>, durableId: string, newest: unknown): void {
  for (const connection of connections.keys()) {
    if (connection.subscriptions.durableId === durableId && connection.id !== newest) connection.goingAway()
  }
}

async function emptied(parts: HubParts, connections: ReadonlyMap<Connection, Wire>): Promise<void> {
  let waited = 0
  while (connections.size > 0 && waited < goodbyeMs) {
    await new Promise<void>((resolve) => parts.clock.after(50, resolve))
    waited += 50
  }
}
