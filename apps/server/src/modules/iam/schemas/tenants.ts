import Type, { type Static } from 'typebox'
import { Region } from '../../../kernel/base/regions.ts'
import {
  Email,
  mergePatch,
  nullable,
  oneOf,
  resource,
  Slug,
  strictObject,
  Timestamp,
  Uuid,
} from '../../../kernel/schema/types.ts'
import { QuotaUsage, QuotaValues } from './quotas.ts'
import { tenantStatuses } from './tenant-states.ts'

/** A tenant's own settings; omitted ones are inherited from the tenants above, which a child may only tighten. */
export const SettingValues = strictObject({
  api_key_max_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, description: 'Longest life of an API key' }),
  ),
  api_key_without_expiry: Type.Optional(
    Type.Boolean({
      description:
        'API keys may be made without an end; not where this tenant or one above bounds their days or says `false`',
    }),
  ),
  session_idle_minutes: Type.Optional(
    Type.Integer({ minimum: 5, maximum: 1440, description: 'A session ends after this long without a refresh' }),
  ),
  session_absolute_hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 720, description: 'A session ends this long after sign-in' }),
  ),
  session_max_per_user: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: 'Sessions of one person; the oldest ends when one more begins',
    }),
  ),
  review_every_days: Type.Optional(
    Type.Integer({
      minimum: 7,
      maximum: 730,
      description: 'A review of all access is opened when none was for so long; never where no tenant sets it',
    }),
  ),
  dormant_warn_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description:
        'Whoever has not used their account for so long is warned; two thirds of `dormant_suspend_days` where only that is set',
    }),
  ),
  dormant_suspend_days: Type.Optional(
    Type.Integer({
      minimum: 7,
      maximum: 3650,
      description: 'An account that nobody has used for so long is suspended; never where no tenant sets it',
    }),
  ),
  policy_four_eyes: Type.Optional(
    Type.Boolean({
      description:
        'A version of a gateway policy is published by somebody other than its author, and two people loosen what is live',
    }),
  ),
  policy_simulation_required: Type.Optional(
    Type.Boolean({ description: 'A version of a gateway policy is simulated within 24 h before it is published' }),
  ),
  vault_second_person: Type.Optional(
    Type.Boolean({ description: 'Values behind placeholders are revealed when two administrators ask for them' }),
  ),
  login_allowed_cidrs: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Networks people can sign in from and renew their sessions from; API keys have their own',
    }),
  ),
  mfa_policy: Type.Optional(
    Type.Unsafe<'off' | 'admins' | 'all'>({
      type: 'string',
      enum: ['off', 'admins', 'all'],
      description: 'Who needs a second factor; default `admins`: all who administer anything',
    }),
  ),
  mfa_allowed_methods: Type.Optional(
    Type.Array(oneOf('totp', 'passkey'), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description: 'Second factors that can be added',
    }),
  ),
  password_min_length: Type.Optional(
    Type.Integer({
      minimum: 15,
      maximum: 128,
      description: 'Fewest characters of a new password that opens an account by itself; default 15',
    }),
  ),
  password_min_length_with_factor: Type.Optional(
    Type.Integer({
      minimum: 8,
      maximum: 128,
      description: 'Fewest characters of a new password of somebody who signs in with a second factor; default 8',
    }),
  ),
  password_blocked_words: Type.Optional(
    Type.Array(Type.String({ minLength: 3, maxLength: 50 }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description:
        'Words (of products, places, people) that a new password may not be made of; name and slug of the tenant always are',
    }),
  ),
  data_residency: Type.Optional(
    Type.Array(Region, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description:
        'Where providers of models may work that data of the tenant is sent to: ISO 3166-1 alpha-2, EU or EEA. One that does not say where it works is asked nothing',
    }),
  ),
  time_zone: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
      maxLength: 64,
      description:
        'IANA name: of people who chose none, and of budgets that name none; the nearest tenant above says, else UTC',
    }),
  ),
})
export type SettingValues = Static<typeof SettingValues>

/** Null takes a setting back: then what the tenants above say holds. */
export const SettingsPatch = mergePatch(SettingValues.properties)
export type SettingsPatch = Static<typeof SettingsPatch>

export const EffectiveSettings = strictObject({
  api_key_max_days: Type.Integer(),
  api_key_without_expiry: Type.Boolean(),
  session_idle_minutes: Type.Integer(),
  session_absolute_hours: Type.Integer(),
  session_max_per_user: Type.Integer(),
  review_every_days: nullable(Type.Integer()),
  dormant_warn_days: nullable(Type.Integer()),
  dormant_suspend_days: nullable(Type.Integer()),
  policy_four_eyes: Type.Boolean(),
  policy_simulation_required: Type.Boolean(),
  vault_second_person: Type.Boolean(),
  login_allowed_cidrs: nullable(Type.Array(Type.String(), { description: 'Null: from anywhere' })),
  mfa_policy: oneOf('off', 'admins', 'all'),
  mfa_allowed_methods: Type.Array(oneOf('totp', 'passkey')),
  password_min_length: Type.Integer(),
  password_min_length_with_factor: Type.Integer(),
  password_blocked_words: Type.Array(Type.String()),
  data_residency: nullable(Type.Array(Type.String(), { description: 'Null: anywhere; empty: nowhere' })),
  time_zone: Type.String(),
})
export type EffectiveSettings = Static<typeof EffectiveSettings>

const name = Type.String({ minLength: 1, maxLength: 200 })

export const TenantItem = resource({
  name,
  slug: Slug,
  parent_id: nullable(Uuid),
  path: Type.Array(Uuid, { maxItems: 5 }),
  status: oneOf(...tenantStatuses),
  status_reason: nullable(Type.String({ maxLength: 500 })),
  deletion_scheduled_for: nullable(Timestamp),
  region: nullable(Type.String({ maxLength: 64 })),
  settings: SettingValues,
  quotas: QuotaValues,
  is_demo: Type.Boolean(),
})
export type TenantItem = Static<typeof TenantItem>

export const Tenant = strictObject({
  ...TenantItem.properties,
  inherited_settings: EffectiveSettings,
  effective_settings: EffectiveSettings,
  usage: QuotaUsage,
})
export type Tenant = Static<typeof Tenant>

export const CreatedTenant = strictObject({
  ...TenantItem.properties,
  administrator_id: Uuid,
  invitation_url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Hand this to the administrator; it is shown once. Absent where mail is configured: it is mailed.',
    }),
  ),
  invitation_expires_at: Timestamp,
})

export const CreateTenant = strictObject({
  name,
  slug: Slug,
  parent_id: Type.Optional(nullable(Uuid)),
  admin_email: Email,
  region: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  settings: Type.Optional(SettingValues),
  quotas: Type.Optional(QuotaValues),
})
export type CreateTenant = Static<typeof CreateTenant>

export const TenantFilter = strictObject({
  status: Type.Optional(oneOf(...tenantStatuses)),
  parent_id: Type.Optional(Uuid),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Prefix of name or slug' })),
})
export type TenantFilter = Static<typeof TenantFilter>
