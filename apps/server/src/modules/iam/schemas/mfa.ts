import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { factorKinds } from './factor-kinds.ts'
import { AuthenticationResponse } from './webauthn.ts'

export const UserMfa = strictObject({
  enrolled: Type.Boolean(),
  methods: Type.Array(oneOf(...factorKinds)),
  required: Type.Boolean({ description: 'By the tenant, of somebody with these roles' }),
  deadline: nullable(Timestamp),
})
export type UserMfa = Static<typeof UserMfa>

export const Factor = strictObject({
  id: Uuid,
  kind: oneOf(...factorKinds),
  name: Type.String({ maxLength: 100 }),
  synced: nullable(Type.Boolean({ description: 'Of passkeys: whether the key is copied between devices' })),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
})
export type Factor = Static<typeof Factor>

/** For those who may not sign in before they have a second factor: the `challenge` of AUTH-006. */
export const EnrollmentToken = Type.Optional(
  Type.String({ minLength: 1, maxLength: 300, description: 'In the place of a session: `mfa.challenge` of AUTH-006' }),
)
export const FactorName = Type.String({ minLength: 1, maxLength: 100 })
const Totp = Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 })

export const StartTotp = strictObject({ enrollment_token: EnrollmentToken, name: Type.Optional(FactorName) })
export type StartTotp = Static<typeof StartTotp>

export const StartedTotp = strictObject({
  factor_id: Uuid,
  secret_base32: Type.String(),
  otpauth_uri: Type.String(),
  qr_svg: Type.String({ description: 'The URI as a picture' }),
})

export const VerifyTotp = strictObject({ enrollment_token: EnrollmentToken, factor_id: Uuid, code: Totp })
export type VerifyTotp = Static<typeof VerifyTotp>

const RecoveryCodeList = Type.Array(Type.String(), { description: 'Shown once; each opens the account once.' })

export const ActivatedFactor = strictObject({
  factor_id: Uuid,
  status: oneOf('active'),
  recovery_codes: Type.Optional(RecoveryCodeList),
})

export const RecoveryCodes = strictObject({ recovery_codes: RecoveryCodeList })

export const StepUp = strictObject({
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Of accounts without a second factor' }),
  ),
  code: Type.Optional(Type.String({ pattern: '^[0-9]{6}$|^[0-9]{16}$', maxLength: 16 })),
  passkey: Type.Optional(AuthenticationResponse),
})
export type StepUp = Static<typeof StepUp>

export const FreshToken = strictObject({
  access_token: Type.String(),
  token_type: oneOf('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  auth_time: Type.Integer({ description: 'Unix seconds' }),
  amr: Type.Array(Type.String()),
  acr: Type.String(),
})
export type FreshToken = Static<typeof FreshToken>
