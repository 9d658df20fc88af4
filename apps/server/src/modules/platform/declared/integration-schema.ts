import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const integrationKinds = [
  'email_smtp',
  'webhook',
  'slack',
  'teams',
  'pagerduty',
  'jira',
  'splunk_hec',
  'syslog',
  'ocsf_http',
  'openlineage',
  'postgres',
  's3',
] as const
export type IntegrationKind = (typeof integrationKinds)[number]
export const integrationStatuses = ['draft', 'active', 'paused', 'disabled', 'archived'] as const

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(?:.*\\S)?$' })
const Members = Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), { maxProperties: 40 })
const Pattern = Type.String({ minLength: 1, maxLength: 100, pattern: '^(?:\\*|[a-z][a-z0-9_.]*(?:\\.\\*)?)$' })
const Patterns = Type.Array(Pattern, { maxItems: 50, description: 'Channels, and patterns that end in `.*`, or `*`' })
const Filter = Type.String({ minLength: 1, maxLength: 2_000, description: 'CEL over `event`' })

const definition = {
  name: Name,
  kind: oneOf(...integrationKinds),
  status: oneOf(...integrationStatuses),
  config: Members,
  events: Patterns,
  filter: nullable(Filter),
  ordered: Type.Boolean(),
}

export const IntegrationRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...definition,
  sealed: nullable(Type.Unsafe<Uint8Array>({})),
  has_credentials: Type.Boolean(),
  previous_secret_until: nullable(Timestamp),
  failing_since: nullable(Timestamp),
  // Until then nothing is sent: the receiver asked for a pause, or failed several times in a row.
  paused_until: nullable(Timestamp),
  failures: Type.Integer(),
  last_success_at: nullable(Timestamp),
  last_error: nullable(Type.String()),
  disabled_reason: nullable(Type.String()),
})
export type IntegrationRow = Static<typeof IntegrationRow>

export const VersionRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, integration_id: Uuid, number: Type.Integer() },
  ...definition,
  created_by: nullable(Uuid),
  // The credentials or the signing secret were set anew with it.
  secrets_changed: Type.Boolean(),
})
export type VersionRow = Static<typeof VersionRow>

const Health = strictObject({
  success_rate_24h: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  last_success_at: nullable(Timestamp),
  last_error: nullable(Type.String({ maxLength: 500 })),
  failing_since: nullable(Timestamp),
  disabled_reason: nullable(Type.String({ maxLength: 500 })),
})

const Version = strictObject({
  number: Type.Integer({ minimum: 1 }),
  status: oneOf(...integrationStatuses),
  config: Members,
  events: Patterns,
  filter: nullable(Filter),
  ordered: Type.Boolean(),
  secrets_changed: Type.Boolean(),
  created_by: nullable(Uuid),
  created_at: Timestamp,
})

export const Integration = resource({
  version: Type.Integer({ minimum: 1 }),
  ...definition,
  has_credentials: Type.Boolean(),
  previous_secret_until: nullable(Timestamp),
  health: Health,
  versions: Type.Optional(Type.Array(Version)),
})
export type Integration = Static<typeof Integration>

export const MadeIntegration = strictObject({
  ...Integration.properties,
  secret: Type.Optional(
    Type.String({ maxLength: 200, description: 'Signing secret of a webhook; shown in this answer alone' }),
  ),
})
export type MadeIntegration = Static<typeof MadeIntegration>

export const NewIntegration = strictObject({
  name: Name,
  kind: oneOf(...integrationKinds),
  config: Type.Optional(Members),
  credentials: Type.Optional(Members),
  events: Type.Optional(Patterns),
  filter: Type.Optional(nullable(Filter)),
  ordered: Type.Optional(Type.Boolean()),
  status: Type.Optional(oneOf('draft', 'active', 'paused', 'archived')),
  rotate_secret: Type.Optional(Type.Boolean()),
  overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 168 })),
  expected_version: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
})
export type NewIntegration = Static<typeof NewIntegration>

export const IntegrationFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...integrationKinds)),
  status: Type.Optional(oneOf(...integrationStatuses)),
  versions: Type.Optional(Type.Boolean()),
  catalog: Type.Optional(Type.Boolean({ description: 'Every kind with its schemas, in `meta.catalog`' })),
})
export type IntegrationFilter = Static<typeof IntegrationFilter>

/** Which owner wants to hear of which channels. */
export const SubscriptionRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid },
  owner: oneOf('integration', 'workflow'),
  owner_id: Uuid,
  // For `like`, with escapes.
  pattern: Type.String(),
})
export type SubscriptionRow = Static<typeof SubscriptionRow>
