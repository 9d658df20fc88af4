import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { OutgoingMessage } from './message.ts'

export const deliveryKinds = ['event', 'notification', 'report', 'test', 'replay'] as const
export const deliveryStatuses = ['pending', 'delivering', 'retrying', 'delivered', 'dead', 'cancelled'] as const

export const Attempt = strictObject({
  n: Type.Integer({ minimum: 1 }),
  started_at: Timestamp,
  latency_ms: Type.Number({ minimum: 0 }),
  http_status: nullable(Type.Integer({ minimum: 100, maximum: 599 })),
  error: nullable(Type.String({ maxLength: 500 })),
  response_excerpt: Type.String({ maxLength: 1_024 }),
})
export type Attempt = Static<typeof Attempt>

const fields = {
  integration_id: nullable(Uuid),
  // Of a mail to a person.
  user_id: nullable(Uuid),
  kind: oneOf(...deliveryKinds),
  message_id: Type.String({ maxLength: 60 }),
  channel: Type.String({ maxLength: 100 }),
  event_id: nullable(Uuid),
  notification_id: nullable(Uuid),
  status: oneOf(...deliveryStatuses),
  attempts: Type.Array(Attempt, { maxItems: 100 }),
  next_attempt_at: nullable(Timestamp),
}

export const DeliveryRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  // Attempts since it was made or replayed last.
  tries: Type.Integer(),
  // Null when its 30 days are over.
  message: nullable(OutgoingMessage),
})
export type DeliveryRow = Static<typeof DeliveryRow>

export const Delivery = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  replayable: Type.Boolean({ description: 'Its message is still kept' }),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the channel' })),
  status: Type.Optional(oneOf(...deliveryStatuses)),
  kind: Type.Optional(oneOf(...deliveryKinds)),
  event_id: Type.Optional(Uuid),
  channel: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  since: Type.Optional(Timestamp),
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const NewDelivery = strictObject({
  kind: oneOf('test', 'replay'),
  sample_channel: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'With `test`: the newest event of this channel is sent' }),
  ),
  title: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'With `test`: title of the message; default a sentence' }),
  ),
  delivery_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 500 })),
  since: Type.Optional(Timestamp),
  all_dead: Type.Optional(Type.Boolean()),
})
export type NewDelivery = Static<typeof NewDelivery>

export const Queued = strictObject({ queued: Type.Integer({ minimum: 1 }) })
