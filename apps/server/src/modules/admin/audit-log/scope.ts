import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'

/** Whose chain is meant. @throws AUTH-004 when the installation's is asked for by who does not operate it */
export function chainOf(actor: Actor, scope: 'tenant' | 'platform' | undefined): TenantId {
  if (scope !== 'platform') return actor.tenantId
  if (!actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  return platformTenant
}
