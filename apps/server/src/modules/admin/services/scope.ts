import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'

interface Caller {
  readonly actor: Actor
}

/** Where the settings of a scope are kept. @throws AUTH-004 for the platform's, to all but its operator */
export function tenantOfScope({ actor }: Pick<Caller, 'actor'>, scope: 'platform' | 'tenant' | undefined): TenantId {
  if (scope !== 'platform') return actor.tenantId
  if (!actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  return platformTenant
}
