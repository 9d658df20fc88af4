import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Entitlements = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_.]{0,99}$', maxLength: 100 }),
  Type.Union([Type.Boolean(), Type.Integer(), Type.String({ maxLength: 200 })]),
  { maxProperties: 200, additionalProperties: false, jsonb: true },
)

const claims = {
  license_id: Type.String({ minLength: 1, maxLength: 100 }),
  customer: Type.String({ minLength: 1, maxLength: 200 }),
  plan: Type.String({ minLength: 1, maxLength: 100 }),
  seats: nullable(Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'People; null is no limit' })),
  entitlements: Entitlements,
  not_before: Timestamp,
  expires_at: nullable(Timestamp),
  grace_days: Type.Integer({ minimum: 0, maximum: 365 }),
}

/** Claims that a distributor signs. */
export const LicenseClaims = strictObject(claims)
export type LicenseClaims = Static<typeof LicenseClaims>

export const licenseStatuses = ['active', 'grace', 'expired', 'superseded', 'invalid'] as const

export const License = strictObject({
  id: Uuid,
  ...claims,
  status: oneOf(...licenseStatuses),
  source: oneOf('builtin', 'installed'),
  usage: strictObject({ seats_used: Type.Integer({ minimum: 0 }), over: Type.Boolean() }),
  installed_by: nullable(Uuid),
  created_at: nullable(Timestamp),
})
export type License = Static<typeof License>

export const InstallLicense = strictObject({
  license: Type.String({ minLength: 1, maxLength: 16_384, description: 'JWS in compact form, EdDSA' }),
  dry_run: Type.Optional(Type.Boolean()),
})
export type InstallLicense = Static<typeof InstallLicense>

export const RemovedLicense = strictObject({ id: Uuid, deleted: Type.Boolean(), now_active: Uuid })
