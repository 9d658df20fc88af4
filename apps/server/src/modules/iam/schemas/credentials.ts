import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { PermissionName } from './roles.ts'

export const sessionStatuses = ['active', 'revoked', 'expired'] as const

export const Session = resource({
  user_id: Uuid,
  current: Type.Boolean(),
  ip: nullable(Type.String()),
  ip_country: nullable(
    Type.String({
      maxLength: 2,
      description: 'ISO 3166-1 alpha-2 of the address, where the operator brought a file of countries',
    }),
  ),
  user_agent: nullable(Type.String()),
  device_id: nullable(
    Type.String({ maxLength: 64, description: 'The same for all sessions of this account that one browser opened' }),
  ),
  amr: Type.Array(Type.String()),
  acr: Type.String(),
  auth_time: Timestamp,
  created_via: Type.String({ maxLength: 64, description: '`password`, `passkey` or `sso:` and the connection' }),
  last_seen_at: Timestamp,
  idle_expires_at: Timestamp,
  expires_at: Timestamp,
  status: oneOf(...sessionStatuses),
  revoked_by: nullable(Uuid),
  revoked_reason: nullable(Type.String()),
})
export type Session = Static<typeof Session>

export const SessionFilter = strictObject({
  user_id: Type.Optional(Uuid),
  ip: Type.Optional(Type.String({ minLength: 2, maxLength: 45 })),
  ip_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2 })),
  status: Type.Optional(oneOf(...sessionStatuses)),
  created_before: Type.Optional(Timestamp),
})
export type SessionFilter = Static<typeof SessionFilter>

export const EndedSession = strictObject({
  id: Uuid,
  deleted: Type.Boolean(),
  effective_within_ms: Type.Integer({ description: 'On every node' }),
})

export const keyStatuses = ['active', 'rotating', 'revoked', 'expired'] as const

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(PermissionName, { minItems: 1, maxItems: 36, uniqueItems: true }),
  allowed_cidrs: Type.Array(Type.String({ minLength: 2, maxLength: 49 }), { maxItems: 20, uniqueItems: true }),
  rate_limit_per_minute: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
}

const Ending = (description: string) => Type.Union([Timestamp, Type.Null()], { description })

export const keyKinds = ['api', 'scim'] as const

const keyFields = {
  name: fields.name,
  kind: oneOf(...keyKinds),
  sso_connection_id: nullable(Uuid),
  owner_id: Uuid,
  created_by: Uuid,
  prefix: Type.String({ description: 'The public start of the key' }),
  scopes: Type.Array(Type.String()),
  allowed_cidrs: Type.Array(Type.String()),
  rate_limit_per_minute: nullable(Type.Integer()),
  expires_at: Ending('Null: it has no end'),
  status: oneOf(...keyStatuses),
  last_used_at: nullable(Timestamp),
  last_used_ip: nullable(Type.String()),
  parent_id: nullable(Uuid),
  replaces_id: nullable(Uuid),
  replaced_by_id: nullable(Uuid),
  revoked_at: nullable(Timestamp),
  revoked_reason: nullable(Type.String()),
}

export const ApiKey = resource(keyFields)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyDetail = strictObject({
  ...ApiKey.properties,
  usage: Type.Array(strictObject({ day: Type.String(), requests: Type.Integer() }), {
    description: 'Last 30 days, UTC',
  }),
})
export type ApiKeyDetail = Static<typeof ApiKeyDetail>

export const CreatedApiKey = strictObject({
  ...ApiKey.properties,
  secret: Type.String({ description: 'The whole key; it is shown once.' }),
})

export const CreateApiKey = strictObject({
  name: Type.Optional(fields.name),
  kind: Type.Optional(oneOf(...keyKinds)),
  sso_connection_id: Type.Optional(
    Type.String({
      format: 'uuid',
      maxLength: 36,
      description:
        'Of the kind `scim`: the connection of the same directory. Its people then have addresses in the domains the connection has proven, and the key ends with it.',
    }),
  ),
  scopes: Type.Optional(fields.scopes),
  owner_id: Type.Optional(Uuid),
  expires_at: Type.Optional(
    Ending('90 days from now where it is left out; null for no end, where the tenant allows that'),
  ),
  allowed_cidrs: Type.Optional(fields.allowed_cidrs),
  rate_limit_per_minute: Type.Optional(nullable(fields.rate_limit_per_minute)),
  replaces_id: Type.Optional(Uuid),
  overlap_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 168, description: 'How long the replaced key lives on; default 24' }),
  ),
})
export type CreateApiKey = Static<typeof CreateApiKey>

export const PatchApiKey = strictObject({
  name: Type.Optional(fields.name),
  scopes: Type.Optional(fields.scopes),
  expires_at: Type.Optional(Ending('Null for no end, where the tenant allows that')),
  allowed_cidrs: Type.Optional(fields.allowed_cidrs),
  rate_limit_per_minute: Type.Optional(nullable(fields.rate_limit_per_minute)),
})
export type PatchApiKey = Static<typeof PatchApiKey>

export const ApiKeyFilter = strictObject({
  owner_id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...keyKinds)),
  sso_connection_id: Type.Optional(Uuid),
  status: Type.Optional(oneOf(...keyStatuses)),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the name, or of the key from `ppt_` on' }),
  ),
  unused_since: Type.Optional(Timestamp),
  expires_before: Type.Optional(Timestamp),
})
export type ApiKeyFilter = Static<typeof ApiKeyFilter>
