import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'

interface Caller {
  readonly actor: Actor
  readonly request: RequestInfo
}

/** The scope of a transaction a route opens itself, in the caller's tenant or in the one given. */
export function scopeOf({ actor, request }: Caller, tenantId: TenantId = actor.tenantId): TenantScope {
  const { id: requestId, ip, userAgent, traceparent } = request
  return { tenantId, origin: { actor, requestId, ip, userAgent, traceparent, causationDepth: 0, signal: null } }
}

/** Where the settings of a scope are kept. @throws AUTH-004 for the platform's, to all but its operator */
export function tenantOfScope({ actor }: Pick<Caller, 'actor'>, scope: 'platform' | 'tenant' | undefined): TenantId {
  if (scope !== 'platform') return actor.tenantId
  if (!actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  return platformTenant
}
