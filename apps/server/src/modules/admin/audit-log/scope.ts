import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'

/** The tenant whose chain is meant. @throws AUTH-004 when a caller who is no operator asks for the installation's */
export function chainOf(actor: Actor, scope: 'tenant' | 'platform' | undefined): TenantId {
  if (scope !== 'platform') return actor.tenantId
  if (!actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  return platformTenant
}
