import Type from 'typebox'
import { builtinRoleNames } from '../../../kernel/access/actor.ts'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { stamps } from './stamps.ts'

export const roles = table({
  name: 'iam_role',
  inTenantCopies: true,
  noun: 'role',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    name: Type.String(),
    name_key: Type.String(),
    description: nullable(Type.String()),
    /** Empty for built-in roles: theirs are in rights/builtin-roles.ts. */
    permissions: Type.Array(Type.String()),
    builtin: nullable(oneOf(...builtinRoleNames)),
    assignable_by_scim: Type.Boolean(),
    /** The person who reviews access through this role. */
    owner_id: nullable(Uuid),
    ...stamps,
  }),
  data: { category: 'authorization', subject: ['owner_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const userRoles = table({
  name: 'iam_user_role',
  inTenantCopies: true,
  key: ['user_id', 'role_id'],
  row: Type.Object({
    tenant_id: Uuid,
    user_id: Uuid,
    role_id: Uuid,
    /** 0 is the primary role. */
    position: Type.Integer(),
    granted_by: nullable(Uuid),
    granted_at: Timestamp,
    /** By whose word: a person's, or that of a directory's groups. */
    source: oneOf('direct', 'scim', 'sso'),
  }),
  data: { category: 'authorization', subject: ['user_id', 'granted_by'], retention: 'tenant', erasure: 'delete' },
})
