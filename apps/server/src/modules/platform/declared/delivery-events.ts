import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { deliveryKinds } from './delivery-schema.ts'

export const deliveryDeadLettered = defineEvent({
  channel: 'platform.delivery.dead_lettered',
  type: 'DeliveryDeadLettered',
  summary: 'The last attempt of a delivery failed.',
  schema: strictObject({
    delivery_id: Uuid,
    integration_id: nullable(Uuid),
    kind: oneOf(...deliveryKinds),
    attempts: Type.Integer({ minimum: 1 }),
    last_error: nullable(Type.String({ maxLength: 500 })),
    event_id: nullable(Uuid),
  }),
  retentionDays: 30,
})

export const integrationDisabled = defineEvent({
  channel: 'platform.integration.disabled',
  type: 'IntegrationDisabled',
  summary: 'An integration was switched off: its receiver wants nothing more (410), or failed for five days.',
  schema: strictObject({
    integration_id: Uuid,
    name: Type.String({ maxLength: 100 }),
    reason: Type.String({ maxLength: 500 }),
  }),
  retentionDays: 90,
})
