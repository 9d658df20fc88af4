import Type, { type Static } from 'typebox'
import { Email, nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Factor, UserMfa } from './mfa.ts'
import { RegistrationResponse } from './webauthn.ts'

/** Wider than the policy allows, so that a refusal is the policy's, with its reasons. */
export const NewPassword = Type.String({ minLength: 1, maxLength: 1024 })
const Secret = Type.String({ minLength: 1, maxLength: 256 })

export const Login = strictObject({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  mfa_code: Type.Optional(
    Type.String({
      pattern: '^[0-9]{6}$|^[0-9]{16}$',
      maxLength: 16,
      description: 'Of accounts with a second factor; others need none.',
    }),
  ),
})
export type Login = Static<typeof Login>

export const Refresh = strictObject({
  refresh_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'Only the console, whose cookie holds it, leaves it out.',
    }),
  ),
})
export type Refresh = Static<typeof Refresh>

export const TokenSet = strictObject({
  access_token: Type.String(),
  refresh_token: Type.String({ description: 'Empty where a cookie holds it.' }),
  token_type: oneOf('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  user: strictObject({ id: Uuid, email: Type.String(), role: Type.String(), tenant_id: Uuid }),
})
export type TokenSet = Static<typeof TokenSet>

export const Logout = strictObject({ everywhere: Type.Optional(Type.Boolean()) })
export const LoggedOut = strictObject({
  sessions_ended: Type.Integer(),
  api_keys_ended: Type.Integer({ description: 'Made in these sessions, where all of them ended' }),
  end_session_url: nullable(
    Type.String({ description: 'Of a session from an OpenID provider: where the browser ends its session there' }),
  ),
})

export const ChangePassword = strictObject({
  current_password: Type.String({ minLength: 1, maxLength: 1024 }),
  new_password: NewPassword,
  revoke_other_sessions: Type.Optional(Type.Boolean({ description: 'Default true' })),
  revoke_api_keys_since: Type.Optional({
    ...Timestamp,
    description: 'Ends one’s own API keys made from this moment on',
  }),
})
export type ChangePassword = Static<typeof ChangePassword>

export const PasswordChanged = strictObject({
  password_changed_at: Timestamp,
  sessions_ended: Type.Integer(),
  api_keys_ended: Type.Integer(),
})

const Locale = Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$', maxLength: 45, description: 'BCP 47' })
const TimeZone = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$', maxLength: 64, description: 'IANA name' })

export const PatchMe = strictObject({
  display_name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  locale: Type.Optional(nullable(Locale)),
  time_zone: Type.Optional(nullable(TimeZone)),
  email: Type.Optional(Email),
})
export type PatchMe = Static<typeof PatchMe>

export const ConfirmEmail = strictObject({ token: Secret })
export type ConfirmEmail = Static<typeof ConfirmEmail>
export const ConfirmedEmail = strictObject({ id: Uuid, email: Type.String() })

export const ForgotPassword = strictObject({ email: Email })
export type ForgotPassword = Static<typeof ForgotPassword>

/** The same for every address. */
export const ForgottenPassword = strictObject({ accepted: Type.Literal(true) })

export const ResetPassword = strictObject({ token: Secret, new_password: NewPassword })
export type ResetPassword = Static<typeof ResetPassword>

export const AcceptInvitation = strictObject({
  token: Secret,
  password: Type.Optional(NewPassword),
  credential: Type.Optional(RegistrationResponse),
  display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type AcceptInvitation = Static<typeof AcceptInvitation>

export const AcceptedInvitation = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  email: Type.String(),
  role: Type.String(),
  status: oneOf('active'),
  recovery_codes: Type.Optional(Type.Array(Type.String(), { description: 'With a passkey; shown once' })),
})

export const Bootstrap = strictObject({
  setup_token: Secret,
  tenant: strictObject({ name: Type.String({ minLength: 1, maxLength: 200 }), slug: Slug }),
  admin: strictObject({
    email: Email,
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    password: NewPassword,
  }),
})
export type Bootstrap = Static<typeof Bootstrap>

export const Bootstrapped = strictObject({
  tenant: strictObject({ id: Uuid, name: Type.String(), slug: Slug }),
  user: strictObject({ id: Uuid, email: Type.String(), role: Type.String(), tenant_id: Uuid }),
})
export type Bootstrapped = Static<typeof Bootstrapped>

const MyTenant = strictObject({
  id: Uuid,
  name: Type.String(),
  slug: Slug,
  status: oneOf('active', 'suspended', 'pending_deletion'),
})

export const Me = strictObject({
  user: strictObject({
    id: Uuid,
    type: oneOf('human', 'service'),
    email: nullable(Type.String()),
    display_name: nullable(Type.String()),
    locale: nullable(Type.String()),
    time_zone: nullable(Type.String()),
    must_change_password: Type.Boolean(),
  }),
  tenant: MyTenant,
  home_tenant_id: Uuid,
  tenants: Type.Array(MyTenant, {
    description: 'Others the caller may act in through X-Tenant-ID: of operators the first hundred by name',
  }),
  operator: Type.Boolean({ description: 'May act in other tenants through X-Tenant-ID' }),
  role: Type.String(),
  roles: Type.Array(Type.String()),
  permissions: Type.Array(Type.String(), { description: 'Implied ones included' }),
  session_id: nullable(Uuid),
  api_key_id: nullable(Uuid),
  auth_time: nullable(Type.Integer({ description: 'Unix seconds' })),
  amr: Type.Array(Type.String()),
  mfa: UserMfa,
  factors: Type.Array(Factor),
  recovery_codes_left: Type.Integer(),
  time_zone: Type.String({ description: 'Their own, else the one of their tenant' }),
  access_reviews: Type.Array(
    strictObject({ id: Uuid, name: Type.String(), due_at: Timestamp, undecided: Type.Integer() }),
    { description: 'Open ones that wait for the caller’s decisions, the first due first' },
  ),
})
export type Me = Static<typeof Me>
