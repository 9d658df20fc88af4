import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { Deleted } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import * as schema from '../schemas/roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { roles } from '../tables/roles.ts'
import { listPermissionEntries } from './permissions-catalogue.ts'
import { changeRole, deleteRole } from './role-changes.ts'
import { createRole, listRoles, seeRole } from './roles.ts'

const route = routesOf<IamServices>()

export const roleRoutes = [
  route.get('/permissions', {
    permission: 'iam:read',
    summary: 'The permission catalogue',
    description: 'With a subject, also whether it has each permission, through which role, and if not, why.',
    query: schema.PermissionFilter,
    returns: [200, Type.Array(schema.PermissionEntry)],
    handler: ({ services, tx, query }) => listPermissionEntries(services, tx, query),
  }),
  route.get('/roles', {
    permission: 'iam:read',
    summary: 'List roles',
    query: schema.RoleFilter,
    list: { table: roles, default: '-created_at' },
    returns: [200, schema.Role],
    handler: ({ tx, query, page }) => listRoles(tx, { filter: query, page }),
  }),
  route.post('/roles', {
    permission: 'iam:admin',
    summary: 'Create a custom role',
    body: schema.CreateRole,
    returns: [201, schema.Role],
    audit: 'iam.role.create',
    errors: [apiErrors.conflict, authErrors.stepUp, errors.exceedsRights, errors.unknownPermission],
    handler: ({ services, tx, actor, body }) => createRole(services, tx, { actor, body }),
  }),
  route.get('/roles/{role_id}', {
    permission: 'iam:read',
    summary: 'Get a role',
    returns: [200, schema.Role],
    errors: [apiErrors.notFound],
    handler: ({ tx, params }) => seeRole(tx, params.role_id),
  }),
  route.patch('/roles/{role_id}', {
    permission: 'iam:admin',
    summary: 'Change a custom role, or see what a change would do',
    body: schema.PatchRole,
    returns: [200, schema.ChangedRole],
    audit: 'iam.role.change',
    errors: [
      apiErrors.notFound,
      apiErrors.conflict,
      apiErrors.preconditionFailed,
      authErrors.stepUp,
      errors.exceedsRights,
      errors.lastAdministrator,
      errors.builtinRole,
      errors.unknownPermission,
    ],
    handler: ({ services, tx, actor, params, body, precondition }) =>
      changeRole(services, tx, { actor, id: params.role_id, body, precondition }),
  }),
  route.delete('/roles/{role_id}', {
    permission: 'iam:admin',
    summary: 'Delete a custom role',
    query: schema.DeleteRole,
    returns: [200, Deleted],
    audit: 'iam.role.delete',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.stepUp,
      errors.exceedsRights,
      errors.lastAdministrator,
      errors.builtinRole,
      errors.inUse,
    ],
    handler: ({ services, tx, actor, params, query, precondition }) =>
      deleteRole(services, tx, { actor, id: params.role_id, replaceWith: query.replace_with, precondition }),
  }),
]
