import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { seeUserInDetail } from '../accounts/views.ts'
import { eraseUser } from '../erasure/erase.ts'
import { errors } from '../errors/errors.ts'
import { importUsers } from '../import/import.ts'
import { CreateUsers, importBodyLimit, UserImportReport } from '../import/schema.ts'
import { findRoles } from '../lookups/lookups.ts'
import { resetCredentials } from '../reset/reset-credentials.ts'
import { nameKey } from '../roles/roles.ts'
import type { CreatedUser } from '../schemas/users.ts'
import * as schema from '../schemas/users.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { changeUser, deactivateUser } from './changes.ts'
import { createUser, listUsers } from './users.ts'

const route = routesOf<IamServices>()

export const userRoutes = [
  route.get('/users', {
    permission: 'iam:read',
    summary: 'List users',
    query: schema.UserFilter,
    list: { table: users, default: '-created_at' },
    returns: [200, schema.User],
    handler: ({ tx, query, page }) => listUsers(tx, { filter: query, page }),
  }),
  route.post('/users', {
    permission: 'iam:write',
    summary: 'Create a user, or import many',
    description:
      'Invites a person (default), creates one with a first password, or creates a service account. An address whose ' +
      'invitation was never accepted and has ended (it ran out, or the account was deactivated) can be invited again: ' +
      'the same account takes the roles and the profile of this request, and every earlier link of it is dead. ' +
      'An `import` stands alone in the body: it takes over up to 10,000 people of a table or a Keycloak realm export in ' +
      'one transaction, with a report on each; `dry_run` gives the report alone.',
    body: CreateUsers,
    bodyLimit: importBodyLimit,
    returns: [201, Type.Union([schema.CreatedUser, UserImportReport])],
    audit: 'iam.user.create',
    errors: [
      apiErrors.validation,
      errors.emailInUse,
      errors.passwordRefused,
      errors.exceedsRights,
      errors.quotaReached,
      errors.importRefused,
      authErrors.stepUp,
    ],
    handler: async ({ services, tx, actor, body }) => {
      const { import: wish, role_ids: ids, role, ...one } = body
      if (wish === undefined) {
        const role_ids = await wantedRoles(tx, { ids, role })
        return new Answer<Created>(await createUser(services, tx, { actor, body: { ...one, role_ids } }))
      }
      if (ids !== undefined || role !== undefined || Object.keys(one).length > 0)
        throw wrong('/import', 'An import stands alone.')
      const report = await importUsers(services, tx, { actor, wish })
      return new Answer<Created>(report, { location: '/api/v1/iam/users' })
    },
  }),
  route.get('/users/{user_id}', {
    permission: 'iam:read',
    summary: 'Get a user',
    returns: [200, schema.UserDetail],
    errors: [apiErrors.notFound],
    handler: ({ kernel, tx, params }) => seeUserInDetail(tx, params.user_id, kernel.clock.iso()),
  }),
  route.patch('/users/{user_id}', {
    permission: 'iam:write',
    rateClass: 'stop',
    summary: 'Change a user',
    description: 'Oneself, or anybody whose rights are within one’s own, whatever is changed.',
    body: schema.PatchUser,
    returns: [200, schema.UserDetail],
    audit: 'iam.user.change',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.forbidden,
      authErrors.stepUp,
      errors.emailInUse,
      errors.exceedsRights,
      errors.illegalMove,
      errors.lastAdministrator,
      errors.quotaReached,
      errors.managedByDirectory,
    ],
    handler: ({ services, tx, actor, params, body, precondition }) =>
      changeUser(services, tx, { actor, id: params.user_id, body, precondition }),
  }),
  route.delete('/users/{user_id}', {
    permission: 'iam:admin',
    rateClass: 'stop',
    summary: 'Deactivate or erase a user',
    description:
      'Deactivating ends sessions and keys and keeps the account; open reviews go to who opened them, or with the roles ' +
      'the person answered for to `transfer_to`. Erasing is for an account that was deactivated, needs ' +
      'fresh authentication and cannot be undone: nothing that says who the person was stays in any table, and the audit ' +
      'log still verifies. The address can be used by a new account. Erasing again gives the same answer.',
    query: schema.DeleteUser,
    returns: [200, schema.DeletedUser],
    audit: 'iam.user.deactivate',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      errors.exceedsRights,
      errors.illegalMove,
      errors.lastAdministrator,
      authErrors.stepUp,
    ],
    handler: ({ services, tx, actor, params, query, precondition }) => {
      const ask = { actor, id: params.user_id, precondition, transferTo: query.transfer_to }
      return query.mode === 'erase' ? eraseUser(services, tx, ask) : deactivateUser(services, tx, ask)
    },
  }),
  route.post('/users/{user_id}/reset-credentials', {
    permission: 'iam:admin',
    rateClass: 'stop',
    summary: 'Reset what somebody signs in with',
    description: 'Needs fresh authentication, and a person whose rights are within one’s own.',
    body: schema.ResetCredentials,
    returns: [200, schema.ResetDone],
    audit: 'iam.user.reset_credentials',
    errors: [apiErrors.notFound, authErrors.stepUp, errors.exceedsRights, errors.illegalMove],
    handler: ({ services, tx, actor, params, body }) =>
      resetCredentials(services, tx, { actor, id: params.user_id, body }),
  }),
]

type Created = CreatedUser | UserImportReport

function wrong(pointer: string, detail: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}

/** @throws API-001 where not exactly one of ids and a known name is given */
async function wantedRoles(
  tx: Tx,
  { ids, role }: { readonly ids: string[] | undefined; readonly role: string | undefined },
): Promise<string[]> {
  if (ids !== undefined && role !== undefined) throw wrong('/role', 'Give role_ids or the name of a role, not both.')
  if (ids !== undefined) return ids
  if (role === undefined) throw wrong('/role_ids', 'A user needs at least one role.')
  const [found] = (await findRoles(tx, [role])).filter(({ name }) => nameKey(name) === nameKey(role))
  if (found === undefined) throw wrong('/role', 'There is no role of this name.')
  return [found.id]
}
