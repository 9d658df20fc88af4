import { apiErrors, authErrors } from '../../../../kernel/errors/errors.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../../kernel/module/route.ts'
import { errors } from '../../errors/errors.ts'
import * as schema from '../../schemas/sso.ts'
import { SsoTest, TestSsoConnection } from '../../schemas/sso-trials.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { changeConnection } from '../connections/changes.ts'
import { checkConnection } from '../connections/check.ts'
import { createConnection, listConnections } from '../connections/connections.ts'
import { deleteConnection } from '../connections/removal.ts'
import { connectionView } from '../connections/views.ts'
import { readTrial, startTrial } from '../sign-in/trial.ts'
import { ssoConnections } from '../tables.ts'

const route = routesOf<IamServices>()

export const ssoRoutes = [
  route.get('/sso-connections', {
    permission: 'iam:read',
    summary: 'List single sign-on connections with their health',
    query: schema.SsoConnectionFilter,
    list: { table: ssoConnections, default: '-created_at' },
    returns: [200, schema.SsoConnection],
    handler: ({ kernel, tx, query, page }) => listConnections(kernel, tx, { filter: query, page }),
  }),
  route.post('/sso-connections', {
    permission: 'iam:admin',
    summary: 'Create a single sign-on connection as a draft',
    description: 'The answer holds what to tell the identity provider, and the TXT record that proves each domain.',
    body: schema.CreateSsoConnection,
    returns: [201, schema.SsoConnection],
    audit: 'iam.sso_connection.create',
    ownTransactions: true,
    errors: [authErrors.stepUp, errors.exceedsRights, errors.ssoRefused, errors.domainNotProven],
    handler: ({ services, actor, request, body }) => createConnection(services, { actor, request, body }),
  }),
  route.get('/sso-connections/{connection_id}', {
    permission: 'iam:read',
    summary: 'Get a single sign-on connection',
    returns: [200, schema.SsoConnection],
    errors: [apiErrors.notFound],
    handler: async ({ kernel, tx, params }) => {
      const row = await ssoConnections.need(tx, params.connection_id)
      return new Versioned(connectionView(kernel, row), row.version)
    },
  }),
  route.patch('/sso-connections/{connection_id}', {
    permission: 'iam:admin',
    summary: 'Change, verify a domain of, activate or disable a single sign-on connection',
    description:
      'Whoever activates it, or changes it while it is active, bounds with their own rights whom it lets in.',
    body: schema.PatchSsoConnection,
    returns: [200, schema.SsoConnection],
    audit: 'iam.sso_connection.change',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.stepUp,
      errors.exceedsRights,
      errors.illegalMove,
      errors.ssoRefused,
      errors.domainNotProven,
    ],
    handler: ({ services, actor, request, params, body, precondition }) =>
      changeConnection(services, { actor, request, id: params.connection_id, body, precondition }),
  }),
  route.delete('/sso-connections/{connection_id}', {
    permission: 'iam:admin',
    summary: 'Delete a single sign-on connection',
    description: 'Says how many users would have no way in, and refuses unless `force` is given.',
    query: schema.DeleteSsoConnection,
    returns: [200, schema.DeletedSsoConnection],
    audit: 'iam.sso_connection.delete',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.stepUp,
      errors.lastAdministrator,
      errors.inUse,
    ],
    handler: ({ services, tx, actor, params, query, precondition }) =>
      deleteConnection(services, tx, { actor, id: params.connection_id, force: query.force ?? false, precondition }),
  }),
  route.post('/sso-connections/{connection_id}/test', {
    permission: 'iam:admin',
    summary: 'Try a single sign-on connection without signing anybody in',
    description:
      'With `login` the answer has an address to sign in at, once, as anybody. Nothing of that sign-in is applied: asked ' +
      'again with its `trial_id`, the administrator who began it sees within the hour what the provider said, who the ' +
      'person would be here and with which roles, or why nobody.',
    body: TestSsoConnection,
    returns: [200, SsoTest],
    audit: 'iam.sso_connection.test',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.notFound],
    handler: async ({ services, actor, request, params, body }) => {
      const { kernel } = services
      const { mode = 'metadata', trial_id: trialId } = body
      if (trialId !== undefined && mode !== 'login') throw onlyOfLogins()
      const scope = { tenantId: actor.tenantId, origin: originOf(request, actor) }
      const row = await kernel.db.tenant(scope, (tx) => ssoConnections.need(tx, params.connection_id))
      if (trialId !== undefined) return readTrial(services, { actor, connectionId: row.id, trialId })
      const result = await (mode === 'login'
        ? startTrial(services, { actor, connection: row, request })
        : checkConnection(services, row))
      await kernel.db.tenant(scope, (tx) =>
        tx.audit('iam.sso_connection.test', { target: `sso_connection:${row.id}`, after: { passed: result.passed } }),
      )
      return result
    },
  }),
]

function onlyOfLogins() {
  const detail = 'A trial is one of a login.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/trial_id' }])
}
