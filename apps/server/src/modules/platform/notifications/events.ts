import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { categories, severities } from '../declared/words.ts'
import { ResourceLink, sources } from './schema.ts'

/** The socket tells each receiver of their own id alone. */
export const notificationCreated = defineEvent({
  channel: 'platform.notification.created',
  type: 'NotificationCreated',
  summary: 'A notification was raised; told to its receivers alone.',
  schema: strictObject({
    notification_id: Uuid,
    category: oneOf(...categories),
    severity: oneOf(...severities),
    title: Type.String({ maxLength: 200 }),
    resource: nullable(ResourceLink),
    recipient_user_ids: Type.Array(Uuid, { maxItems: 1_000 }),
    group_key: nullable(Type.String({ maxLength: 200 })),
    count: Type.Integer({ minimum: 1 }),
    source: oneOf(...sources),
  }),
})
