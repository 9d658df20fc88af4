import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const TestSsoConnection = strictObject({
  mode: Type.Optional(oneOf('metadata', 'login')),
  trial_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'With `login`: asks what came of a trial of one’s own' }),
  ),
})
export type TestSsoConnection = Static<typeof TestSsoConnection>

/** The provider's claims about a person, and the account they would have here. None of it is stored. */
export const TrialPerson = strictObject({
  subject: Type.String(),
  email: nullable(Type.String()),
  email_verified: Type.Boolean(),
  name: nullable(Type.String()),
  groups: Type.Array(Type.String()),
  acr: nullable(Type.String()),
  amr: Type.Array(Type.String()),
  two_factors: Type.Boolean({ description: 'Whether that counts as two factors here' }),
  user: nullable(
    strictObject({
      outcome: oneOf('signed_in', 'linked', 'created'),
      id: nullable(Uuid),
      email: nullable(Type.String()),
      roles_before: Type.Array(Type.String()),
      roles: Type.Array(Type.String()),
    }),
  ),
})
export type TrialPerson = Static<typeof TrialPerson>

export const SsoTrial = strictObject({
  id: Uuid,
  status: oneOf('waiting', 'completed', 'expired'),
  expires_at: Timestamp,
  login_url: Type.Optional(Type.String({ description: 'To be opened in a browser; in the answer that began it' })),
  person: Type.Optional(TrialPerson),
})
export type SsoTrial = Static<typeof SsoTrial>

export const SsoTest = strictObject({
  passed: Type.Boolean(),
  steps: Type.Array(strictObject({ step: Type.String(), passed: Type.Boolean(), detail: Type.String() })),
  trial: Type.Optional(SsoTrial),
})
export type SsoTest = Static<typeof SsoTest>
