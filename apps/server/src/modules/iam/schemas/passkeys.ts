import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { EnrollmentToken, FactorName } from './mfa.ts'
import { AuthenticationResponse, RegistrationResponse } from './webauthn.ts'

export const RegistrationOptionsAsk = strictObject({
  enrollment_token: EnrollmentToken,
  invitation_token: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'To accept an invitation with a passkey' }),
  ),
})
export type RegistrationOptionsAsk = Static<typeof RegistrationOptionsAsk>

export const RegisterPasskey = strictObject({
  enrollment_token: EnrollmentToken,
  name: Type.Optional(FactorName),
  credential: RegistrationResponse,
})
export type RegisterPasskey = Static<typeof RegisterPasskey>

export const AuthenticationOptionsAsk = strictObject({
  challenge: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: '`mfa.challenge` of AUTH-006: names the passkeys to ask for',
    }),
  ),
})
export type AuthenticationOptionsAsk = Static<typeof AuthenticationOptionsAsk>

export const PasskeyLogin = strictObject({ credential: AuthenticationResponse })
export type PasskeyLogin = Static<typeof PasskeyLogin>

const Descriptor = strictObject({
  id: Type.String(),
  type: oneOf('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})

export const RegistrationOptions = strictObject({
  rp: strictObject({ id: Type.String(), name: Type.String() }),
  user: strictObject({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(strictObject({ alg: Type.Integer(), type: oneOf('public-key') })),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: strictObject({
    residentKey: oneOf('required'),
    requireResidentKey: Type.Boolean(),
    userVerification: oneOf('required'),
  }),
  attestation: oneOf('none'),
})

export const AuthenticationOptions = strictObject({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  userVerification: oneOf('required'),
  allowCredentials: Type.Array(Descriptor),
})
