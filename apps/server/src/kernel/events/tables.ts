/**
 * Tables of the event path: `outbox` is written by the causing transaction, the relay moves its rows to `event_log` and
 * numbers them there, and handlers and durable subscriptions keep their places. They promise order per tenant and
 * channel; the bus is no part of that. Tested through relay.test.ts and handlers.test.ts.
 */
import { Type } from 'typebox'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const payload = Type.Record(Type.String(), Type.Unknown(), { jsonb: true })
const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const eventColumns = {
  tenant_id: uuid,
  id: uuid,
  channel: Type.String(),
  type: Type.String(),
  subject: Type.String(),
  time: instant,
  data: payload,
  traceparent: nullable(Type.String()),
  causation_depth: Type.Integer({ minimum: 0 }),
}

const eventData = { category: 'event', subject: [], erasure: 'none' } as const

export const relayTurn = 'parapet.event-relay'

export const outbox = table({
  name: 'outbox',
  row: Type.Object({ ...eventColumns, xid: Type.String() }),
  system: true,
  append: true,
  movesIn: relayTurn,
  data: { ...eventData, retention: 'P1D' },
})

export const eventLog = table({
  name: 'event_log',
  row: Type.Object({
    ...eventColumns,
    position: Type.Integer(),
    sequence: Type.Integer(),
    logged_at: instant,
  }),
  system: true,
  data: { ...eventData, retention: 'P90D' },
})

export const eventPosition = table({
  name: 'event_position',
  row: Type.Object({ tenant_id: uuid, channel: Type.String(), sequence: Type.Integer() }),
  system: true,
  key: ['channel'],
  data: { ...eventData, retention: 'tenant' },
})

export const eventHead = table({
  name: 'event_head',
  row: Type.Object({ id: Type.Integer(), position: Type.Integer() }),
  scope: 'platform',
  data: { ...eventData, retention: 'tenant' },
})

/** How far a handler has come with a tenant; `prior` is where it stood before its newest transaction. */
export const handledThrough = table({
  name: 'handled_through',
  row: Type.Object({
    tenant_id: uuid,
    handler: Type.String(),
    position: Type.Integer(),
    prior: nullable(Type.Integer()),
  }),
  system: true,
  key: ['handler'],
  data: { ...eventData, retention: 'tenant' },
})

export const handlerBacklog = table({
  name: 'handler_backlog',
  row: Type.Object({
    tenant_id: uuid,
    handler: Type.String(),
    id: uuid,
    position: Type.Integer(),
    attempts: Type.Integer({ minimum: 0 }),
    next_at: instant,
    parked: Type.Boolean(),
    error: nullable(Type.String()),
  }),
  system: true,
  key: ['handler', 'id'],
  data: { ...eventData, retention: 'P90D' },
})

export const handlerPosition = table({
  name: 'handler_position',
  row: Type.Object({
    name: Type.String(),
    position: Type.Integer(),
    owner: nullable(Type.String()),
    lease_until: nullable(instant),
  }),
  scope: 'platform',
  key: ['name'],
  data: { ...eventData, retention: 'tenant' },
})

export const durableSubscription = table({
  name: 'durable_subscription',
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    user_id: uuid,
    name: Type.String(),
    positions: Type.Record(Type.String(), Type.Integer(), { jsonb: true }),
    acknowledges: Type.Boolean(),
    updated_at: instant,
  }),
  system: true,
  data: { category: 'account', subject: ['user_id'], retention: 'P7D', erasure: 'delete' },
})

export const eventTables = [
  outbox,
  eventLog,
  eventPosition,
  eventHead,
  handledThrough,
  handlerBacklog,
  handlerPosition,
  durableSubscription,
] as const
