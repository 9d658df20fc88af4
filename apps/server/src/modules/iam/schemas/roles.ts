import Type, { type Static } from 'typebox'
import { moduleNames } from '../../../kernel/access/permissions.ts'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Only the form: a name that is not in the catalogue is a refusal of its own. */
export const PermissionName = Type.String({ pattern: '^[a-z][a-z-]{0,30}:[a-z]{1,20}$', maxLength: 52 })

const fields = {
  name: Type.String({ pattern: '^\\S(.*\\S)?$', minLength: 1, maxLength: 64 }),
  description: Type.String({ maxLength: 500 }),
  permissions: Type.Array(PermissionName, { minItems: 1, maxItems: 36, uniqueItems: true }),
}

const owner = Type.Union([Uuid, Type.Null()], {
  description: 'Who decides in reviews with the rule `role_owner`; an active person',
})

export const Role = resource({
  name: Type.String({ maxLength: 64 }),
  description: nullable(fields.description),
  permissions: Type.Array(Type.String({ maxLength: 52 })),
  builtin: Type.Boolean(),
  assignable_by_scim: Type.Boolean({ description: 'A directory’s group of this name gives the role' }),
  owner_id: nullable(Uuid),
  user_count: Type.Integer(),
  holders: strictObject(
    { direct: Type.Integer(), sso: Type.Integer(), scim: Type.Integer() },
    { description: 'Of these users, how many have it from an administrator, an identity provider, a directory' },
  ),
})
export type Role = Static<typeof Role>

export const CreateRole = strictObject({
  name: fields.name,
  permissions: fields.permissions,
  description: Type.Optional(nullable(fields.description)),
  assignable_by_scim: Type.Optional(Type.Boolean()),
  owner_id: Type.Optional(owner),
})
export type CreateRole = Static<typeof CreateRole>

export const PatchRole = strictObject({
  name: Type.Optional(fields.name),
  permissions: Type.Optional(fields.permissions),
  description: Type.Optional(nullable(fields.description)),
  assignable_by_scim: Type.Optional(
    Type.Boolean({ description: 'This and the owner can be changed of built-in roles' }),
  ),
  owner_id: Type.Optional(owner),
  dry_run: Type.Optional(Type.Boolean({ description: 'Shows the impact and changes nothing.' })),
})
export type PatchRole = Static<typeof PatchRole>

const Names = Type.Array(Type.String({ maxLength: 52 }))

export const ChangedRole = strictObject({
  ...Role.properties,
  impact: Type.Optional(
    strictObject(
      {
        users: Type.Integer({ description: 'Holders of the role' }),
        keys: Type.Integer({ description: "Holders' API keys that are not revoked or expired" }),
        gains: Names,
        loses: Names,
      },
      { description: 'Of a dry run' },
    ),
  ),
})
export type ChangedRole = Static<typeof ChangedRole>

export const RoleFilter = strictObject({
  builtin: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Prefix of the name' })),
})
export type RoleFilter = Static<typeof RoleFilter>

export const DeleteRole = strictObject({ replace_with: Type.Optional(Uuid) })

export const PermissionFilter = strictObject({
  module: Type.Optional(oneOf(...moduleNames)),
  permission: Type.Optional(PermissionName),
  subject_type: Type.Optional(oneOf('user', 'api_key')),
  subject_id: Type.Optional(Uuid),
})
export type PermissionFilter = Static<typeof PermissionFilter>

export const PermissionEntry = strictObject({
  permission: Type.String({ maxLength: 52 }),
  text: Type.String(),
  implies: Names,
  routes: Type.Array(strictObject({ method: Type.String(), path: Type.String() })),
  granted: Type.Optional(Type.Boolean()),
  reason: Type.Optional(
    oneOf(
      'granted',
      'no_role_grants_it',
      'not_in_key_scopes',
      'subject_not_active',
      'key_not_active',
      'password_change_needed',
    ),
  ),
  via: Type.Optional(
    Type.Array(
      strictObject({
        role_id: Uuid,
        role: Type.String(),
        permission: Type.String({ description: 'The permission of the role that implies this one' }),
        granted_at: Timestamp,
        granted_by: nullable(Uuid),
        source: oneOf('direct', 'scim', 'sso'),
        groups: Type.Array(strictObject({ id: Uuid, name: Type.String() }), {
          description: 'Of a directory: those that give the role to this person',
        }),
      }),
    ),
  ),
  to_grant: Type.Optional(
    Type.Array(
      strictObject({
        change: oneOf('activate_subject', 'replace_key', 'change_password', 'assign_role', 'widen_key_scopes'),
        role_id: Type.Optional(Uuid),
        role: Type.Optional(Type.String()),
        permission: Type.Optional(Type.String()),
      }),
      { description: 'What stands in the way; of several roles one is enough, all else has to change' },
    ),
  ),
})
export type PermissionEntry = Static<typeof PermissionEntry>
