import Type, { type Static } from 'typebox'
import { moduleNames, type Permission } from '../../../kernel/access/permissions.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { categories, channels, severities } from '../declared/words.ts'

export const statuses = ['unread', 'read', 'snoozed', 'archived'] as const
export type Status = (typeof statuses)[number]
export const sources = ['system', 'workflow', 'api', 'test'] as const

const Title = Type.String({ minLength: 1, maxLength: 200 })
const Body = Type.String({ maxLength: 4_000 })
const Key = Type.String({ minLength: 1, maxLength: 200 })

export const ResourceLink = strictObject({
  module: oneOf(...moduleNames),
  type: Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z][a-z0-9_]*$' }),
  id: Type.String({ minLength: 1, maxLength: 200 }),
  url: nullable(
    Type.String({
      maxLength: 500,
      pattern: '^/(?:[A-Za-z0-9][^\\\\\\s]*)?$',
      description: 'Path within the console, from the root',
    }),
  ),
})
export type ResourceLink = Static<typeof ResourceLink>

export const NotificationRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  ...{ category: oneOf(...categories), severity: oneOf(...severities), title: Title, body: Body },
  resource: nullable(ResourceLink),
  group_key: nullable(Key),
  dedup_key: nullable(Key),
  count: Type.Integer(),
  source: oneOf(...sources),
  actor_id: nullable(Uuid),
  expires_at: nullable(Timestamp),
})
export type NotificationRow = Static<typeof NotificationRow>

/** One person's copy. */
export const InboxRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, user_id: Uuid, created_at: Timestamp, raised_at: Timestamp, updated_at: Timestamp },
  status: oneOf(...statuses),
  snoozed_until: nullable(Timestamp),
  // Waits for the next daily digest.
  in_digest: Type.Boolean(),
})
export type InboxRow = Static<typeof InboxRow>

const shown = {
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  ...{ category: oneOf(...categories), severity: oneOf(...severities), title: Title, body: Body },
  resource: nullable(ResourceLink),
  group_key: nullable(Key),
  count: Type.Integer({ minimum: 1, description: 'How often it was raised with its `group_key`' }),
  source: oneOf(...sources),
  actor_id: nullable(Uuid),
  expires_at: nullable(Timestamp),
}
/** As its receiver sees it. */
export const InboxItem = strictObject({
  ...shown,
  status: oneOf(...statuses),
  snoozed_until: nullable(Timestamp),
  raised_at: Timestamp,
})
export type InboxItem = Static<typeof InboxItem>

/** As its sender sees it. */
export const Notification = strictObject({
  ...shown,
  recipient_count: Type.Integer({ minimum: 0 }),
  delivery_ids: Type.Array(Uuid),
  deduplicated: Type.Boolean({ description: 'The same `dedup_key` was raised within 24 hours; nothing was sent' }),
})
export type Notification = Static<typeof Notification>

export const Recipients = strictObject({
  user_ids: Type.Optional(Type.Array(Uuid, { maxItems: 500 })),
  roles: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, description: 'Id or name' }), { maxItems: 20 }),
  ),
  permission: Type.Optional(
    Type.Unsafe<Permission>(Type.String({ maxLength: 40, pattern: '^[a-z-]+:(?:read|write|admin)$' })),
  ),
})
export type Recipients = Static<typeof Recipients>

export const NewNotification = strictObject({
  title: Title,
  body: Body,
  severity: oneOf(...severities),
  category: oneOf(...categories),
  recipients: Recipients,
  channels: Type.Optional(
    Type.Array(oneOf(...channels), {
      maxItems: 2,
      description: 'Narrows the channels that the receivers chose; the inbox of a locked category always gets it',
    }),
  ),
  integration_ids: Type.Optional(
    Type.Array(Uuid, { maxItems: 10, description: 'Active integrations that get it as well' }),
  ),
  resource: Type.Optional(ResourceLink),
  group_key: Type.Optional(Key),
  dedup_key: Type.Optional(Key),
  template: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  data: Type.Optional(
    Type.Record(Type.String({ maxLength: 60, pattern: '^[a-z][a-z0-9_]*$' }), Type.String({ maxLength: 1_000 }), {
      maxProperties: 20,
      description: 'Values for `{{ name }}` in title and body',
    }),
  ),
  expires_at: Type.Optional(Timestamp),
})
export type NewNotification = Static<typeof NewNotification>

export const InboxFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(oneOf(...statuses)),
  severity: Type.Optional(oneOf(...severities)),
  category: Type.Optional(oneOf(...categories)),
  resource: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Id of the resource that they are about' }),
  ),
})
export type InboxFilter = Static<typeof InboxFilter>

const TimeOfDay = Type.String({ maxLength: 5, pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' })
export const QuietHoursSchema = strictObject({
  start: TimeOfDay,
  end: TimeOfDay,
  time_zone: Type.String({ minLength: 1, maxLength: 60, description: 'IANA name' }),
})

const Wishes = strictObject({ inbox: Type.Optional(Type.Boolean()), email: Type.Optional(Type.Boolean()) })
export const Matrix = strictObject(
  Object.fromEntries(categories.map((name) => [name, Type.Optional(Wishes)])) as Record<
    (typeof categories)[number],
    ReturnType<typeof Type.Optional<typeof Wishes>>
  >,
)
export type Matrix = Static<typeof Matrix>

export const digests = ['immediate', 'daily'] as const
const Locale = Type.String({ maxLength: 10, pattern: '^[a-z]{2}(?:-[A-Z]{2})?$' })

export const Preferences = strictObject({
  matrix: Matrix,
  quiet_hours: nullable(QuietHoursSchema),
  digest: oneOf(...digests),
  locale: Locale,
})
export type Preferences = Static<typeof Preferences>

export const PreferenceRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  user_id: Uuid,
  ...Preferences.properties,
})
export type PreferenceRow = Static<typeof PreferenceRow>

export const PatchInbox = strictObject({
  mark: Type.Optional(
    strictObject({
      status: oneOf(...statuses),
      ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 500 })),
      up_to_id: Type.Optional(Uuid),
      snoozed_until: Type.Optional(Timestamp),
    }),
  ),
  preferences: Type.Optional(
    strictObject({
      matrix: Type.Optional(Matrix),
      quiet_hours: Type.Optional(nullable(QuietHoursSchema)),
      digest: Type.Optional(oneOf(...digests)),
      locale: Type.Optional(Locale),
    }),
  ),
})
export type PatchInbox = Static<typeof PatchInbox>

const Counts = strictObject({
  total: Type.Integer({ minimum: 0 }),
  critical: Type.Integer({ minimum: 0 }),
  high: Type.Integer({ minimum: 0 }),
})
export type Counts = Static<typeof Counts>

export const InboxChange = strictObject({
  updated: Type.Integer({ minimum: 0 }),
  unread: Counts,
  preferences: Preferences,
})
export type InboxChange = Static<typeof InboxChange>
