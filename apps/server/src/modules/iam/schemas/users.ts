import Type, { type Static } from 'typebox'
import { Email, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { NewPassword } from './auth.ts'
import { factorKinds } from './factor-kinds.ts'
import { Factor, UserMfa } from './mfa.ts'
import { managers, userStatuses, userTypes } from './user-states.ts'

const profile = {
  display_name: Type.String({ minLength: 1, maxLength: 200 }),
  locale: Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$', maxLength: 45, description: 'BCP 47' }),
  time_zone: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$', maxLength: 64, description: 'IANA name' }),
  department: Type.String({ minLength: 1, maxLength: 100 }),
  manager_id: Uuid,
  expires_at: Timestamp,
}

const optionalProfile = {
  display_name: Type.Optional(nullable(profile.display_name)),
  locale: Type.Optional(nullable(profile.locale)),
  time_zone: Type.Optional(nullable(profile.time_zone)),
  department: Type.Optional(nullable(profile.department)),
  manager_id: Type.Optional(nullable(profile.manager_id)),
  expires_at: Type.Optional(nullable(profile.expires_at)),
}

const RoleIds = Type.Array(Uuid, {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: 'The first is the primary role',
})

export const User = resource({
  email: nullable(Type.String({ maxLength: 254 })),
  type: oneOf(...userTypes),
  display_name: nullable(profile.display_name),
  role_ids: Type.Array(Uuid),
  role: Type.String({ description: 'Name of the primary role' }),
  status: oneOf(...userStatuses),
  status_reason: nullable(Type.String({ maxLength: 500 })),
  locale: nullable(Type.String({ maxLength: 45 })),
  time_zone: nullable(Type.String({ maxLength: 64 })),
  department: nullable(profile.department),
  manager_id: nullable(Uuid),
  managed_by: oneOf(...managers),
  external_id: nullable(Type.String({ maxLength: 1024, description: 'Id in the directory' })),
  expires_at: nullable(Timestamp),
  must_change_password: Type.Boolean(),
  /** Expiry of a first password that was not changed yet. */
  password_expires_at: nullable(Timestamp),
  mfa: UserMfa,
  last_login_at: nullable(Timestamp),
  last_active_at: nullable(Timestamp),
  password_changed_at: nullable(Timestamp),
})
export type User = Static<typeof User>

export const UserDetail = strictObject({
  ...User.properties,
  factors: Type.Array(Factor),
  active_sessions: Type.Integer(),
  active_api_keys: Type.Integer(),
  review: strictObject(
    {
      undecided: Type.Integer({ description: 'Roles and keys that an open review still asks about' }),
      last_decided_at: nullable(Timestamp),
    },
    { description: 'How this access stands in access reviews' },
  ),
})
export type UserDetail = Static<typeof UserDetail>

export const CreatedUser = strictObject({
  ...User.properties,
  invitation_url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Where no mail is configured: hand this to the person; it is shown once.',
    }),
  ),
  invitation_expires_at: Type.Optional(Timestamp),
})
export type CreatedUser = Static<typeof CreatedUser>

export const CreateUser = strictObject({
  type: Type.Optional(oneOf(...userTypes)),
  email: Type.Optional(Email),
  role_ids: RoleIds,
  delivery: Type.Optional(oneOf('invite', 'password', 'none')),
  password: Type.Optional(NewPassword),
  ...optionalProfile,
})
export type CreateUser = Static<typeof CreateUser>

export const PatchUser = strictObject({
  ...optionalProfile,
  email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 254,
      description:
        'Of somebody else; needs fresh authentication. The old address is told; a waiting invitation goes to the new one, and its earlier link is dead',
    }),
  ),
  role_ids: Type.Optional(RoleIds),
  status: Type.Optional(oneOf('active', 'suspended', 'deactivated')),
  status_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
})
export type PatchUser = Static<typeof PatchUser>

export const UserFilter = strictObject({
  status: Type.Optional(oneOf(...userStatuses)),
  type: Type.Optional(oneOf(...userTypes)),
  role_id: Type.Optional(Uuid),
  managed_by: Type.Optional(oneOf(...managers)),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Prefix of e-mail or name' })),
  last_active_before: Type.Optional(Timestamp),
  mfa_enrolled: Type.Optional(Type.Boolean()),
})
export type UserFilter = Static<typeof UserFilter>

const removals = ['deactivate', 'erase'] as const

export const DeleteUser = strictObject({
  mode: Type.Optional(oneOf(...removals)),
  transfer_to: Type.Optional(
    Type.String({
      format: 'uuid',
      maxLength: 36,
      description:
        'The active person who gets the open reviews and the ownership of roles; with `erase` the keys, which are dead, too',
    }),
  ),
})
export const DeletedUser = strictObject({ id: Uuid, deleted: Type.Boolean(), mode: oneOf(...removals) })

/** Each is done when it is asked for; nothing else is. */
export const ResetCredentials = strictObject({
  password: Type.Optional(Type.Boolean({ description: 'The password must be changed at the next sign-in' })),
  factors: Type.Optional(
    Type.Array(oneOf(...factorKinds), { minItems: 1, maxItems: 2, uniqueItems: true, description: 'Kinds to remove' }),
  ),
  sessions: Type.Optional(Type.Boolean({ description: 'End all of them' })),
  invitation: Type.Optional(Type.Boolean({ description: 'Send the invitation again; the earlier link is dead' })),
  unlock: Type.Optional(Type.Boolean({ description: 'Let an account in again that failed sign-ins have locked' })),
})
export type ResetCredentials = Static<typeof ResetCredentials>

export const ResetDone = strictObject({
  id: Uuid,
  password: Type.Boolean(),
  factors_removed: Type.Integer(),
  sessions_ended: Type.Integer(),
  unlocked: Type.Boolean(),
  invitation_url: CreatedUser.properties.invitation_url,
  invitation_expires_at: Type.Optional(Timestamp),
})
export type ResetDone = Static<typeof ResetDone>
