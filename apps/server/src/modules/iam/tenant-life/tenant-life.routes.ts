import Type from 'typebox'
import type { Actor } from '../../../kernel/access/actor.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import { Answer, type RequestInfo, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import { Tenant } from '../schemas/tenants.ts'
import type { IamServices } from '../services/iam-services.ts'
import { tenants } from '../tables/tenants.ts'
import { seeTenant } from '../tenants/tenants.ts'
import { changeTenant } from './change.ts'
import { scheduleDeletion } from './deletion.ts'
import { downloadTable } from './download.ts'
import { createTenantExport } from './export.ts'
import * as schema from './schema.ts'
import { tenantExports } from './tables.ts'

const route = routesOf<IamServices>()

const pathOf = (tenantId: string, id: string): string => `/api/v1/iam/tenants/${tenantId}/exports/${id}`

/** Only exported from within: the tenants above administer a tenant and do not own its data. @throws API-013 */
function assertOwn(actor: Actor, tenantId: string): void {
  if (tenantId !== actor.tenantId) throw apiErrors.notFound({ what: tenants.noun })
}

interface Call {
  readonly actor: Actor
  readonly request: RequestInfo
}
const askOf = ({ actor, request }: Call, id: string) => ({ actor, id, origin: originOf(request, actor) })

export const tenantLifeRoutes = [
  route.patch('/tenants/{tenant_id}', {
    permission: 'iam:admin',
    rateClass: 'stop',
    summary: 'Change a tenant; suspend it, let it go on, or cancel its deletion',
    description:
      'Settings and quotas that are given replace those of the same name, null takes one back. Quotas and suspension are decided by the tenant above or an operator.',
    body: schema.PatchTenant,
    returns: [200, Tenant],
    audit: 'iam.tenant.change',
    ownTransactions: true,
    whileSuspended: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      errors.illegalMove,
      errors.quotaReached,
      errors.hierarchy,
    ],
    handler: async (context) => {
      const { services, actor, params, body, precondition } = context
      await changeTenant(services, { ...askOf(context, params.tenant_id), body, precondition })
      return seeTenant(services, { actor, id: params.tenant_id })
    },
  }),
  route.delete('/tenants/{tenant_id}', {
    permission: 'iam:admin',
    summary: 'Schedule the deletion of a tenant',
    description:
      'Until the grace is over the tenant can be read and exported, and the deletion cancelled by making it active. Then its keys are destroyed and its rows removed. A legal hold of its audit log (`audit.legal_hold`), or the platform’s, refuses the deletion, and one set in the meantime puts it off.',
    query: schema.DeleteTenant,
    returns: [200, schema.ScheduledDeletion],
    audit: 'iam.tenant.delete',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.stepUp,
      errors.illegalMove,
      errors.hierarchy,
      errors.legalHold,
    ],
    handler: (context) => {
      const { services, params, query } = context
      return scheduleDeletion(services, {
        ...askOf(context, params.tenant_id),
        query,
        precondition: context.precondition,
      })
    },
  }),
  route.post('/tenants/{tenant_id}/export', {
    permission: 'iam:admin',
    summary: 'Export the data of one’s own tenant',
    description:
      'Made in the background; `Location` tells of its progress. Secrets are left out. The files are kept for seven days.',
    body: schema.CreateTenantExport,
    returns: [201, schema.TenantExport],
    audit: 'iam.tenant.export',
    rateClass: 'expensive',
    whileSuspended: true,
    errors: [apiErrors.notFound],
    handler: async ({ services, tx, actor, params, body }) => {
      assertOwn(actor, params.tenant_id)
      const made = await createTenantExport(services, tx, { actor, body })
      return new Answer(made, { location: pathOf(params.tenant_id, made.id) })
    },
  }),
  route.get('/tenants/{tenant_id}/exports/{tenant_export_id}', {
    permission: 'iam:admin',
    summary: 'Read how far an export is, and its signed manifest',
    returns: [200, schema.TenantExport],
    errors: [apiErrors.notFound],
    handler: async ({ tx, actor, params }) => {
      assertOwn(actor, params.tenant_id)
      return tenantExports.need(tx, params.tenant_export_id)
    },
  }),
  route.get('/tenants/{tenant_id}/exports/{tenant_export_id}/content', {
    permission: 'iam:admin',
    summary: 'Download an export, or one table of it',
    query: schema.ContentQuery,
    returns: [200, Type.String({ contentMediaType: 'application/octet-stream' })],
    files: ['application/x-ndjson'],
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.notFound, apiErrors.conflict],
    handler: (context) => {
      const { kernel, actor, params, query, request } = context
      assertOwn(actor, params.tenant_id)
      const scope = { tenantId: actor.tenantId, origin: originOf(request, actor) }
      return downloadTable(kernel, scope, { id: params.tenant_export_id, table: query.table })
    },
  }),
]
