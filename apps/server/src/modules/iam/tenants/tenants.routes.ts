import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import * as schema from '../schemas/tenants.ts'
import type { IamServices } from '../services/iam-services.ts'
import { tenants } from '../tables/tenants.ts'
import { createTenant, listTenants, seeTenant } from './tenants.ts'

const route = routesOf<IamServices>()

export const tenantRoutes = [
  route.get('/tenants', {
    permission: 'iam:read',
    summary: 'List one’s own tenant and those below it',
    query: schema.TenantFilter,
    list: { table: tenants, default: '-created_at' },
    returns: [200, schema.TenantItem],
    handler: ({ tx, actor, query, page }) => listTenants(tx, { actor, filter: query, page }),
  }),
  route.post('/tenants', {
    permission: 'iam:admin',
    summary: 'Create a tenant below one’s own and invite its administrator',
    body: schema.CreateTenant,
    returns: [201, schema.CreatedTenant],
    audit: 'iam.tenant.create',
    ownTransactions: true,
    errors: [apiErrors.conflict, authErrors.stepUp, errors.exceedsRights, errors.quotaReached, errors.hierarchy],
    handler: ({ services, actor, body, request }) => createTenant(services, { actor, body, request }),
  }),
  route.get('/tenants/{tenant_id}', {
    permission: 'iam:read',
    summary: 'Get a tenant with its settings, quotas and their use',
    returns: [200, schema.Tenant],
    ownTransactions: true,
    errors: [apiErrors.notFound],
    handler: ({ services, actor, params }) => seeTenant(services, { actor, id: params.tenant_id }),
  }),
]
