import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'

/** The JSON forms of WebAuthn Level 3, section 5.1: what browsers' `toJSON()` gives. Extensions may add members. */
const bytes = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength })
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })
const CredentialId = bytes(1400)

const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: oneOf('public-key'),
  authenticatorAttachment: Type.Optional(oneOf('cross-platform', 'platform')),
  clientExtensionResults: Type.Object({}),
}

export const RegistrationResponse = strictObject({
  ...common,
  response: strictObject({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(65_536),
    authenticatorData: Type.Optional(bytes(16_384)),
    transports: Type.Optional(Transports),
    publicKeyAlgorithm: Type.Optional(Type.Integer({ minimum: -70_000, maximum: 0 })),
    publicKey: Type.Optional(bytes(8192)),
  }),
})
export type RegistrationResponse = Static<typeof RegistrationResponse>

export const AuthenticationResponse = strictObject({
  ...common,
  response: strictObject({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(16_384),
    signature: bytes(4096),
    userHandle: Type.Optional(bytes(128)),
  }),
})
export type AuthenticationResponse = Static<typeof AuthenticationResponse>
