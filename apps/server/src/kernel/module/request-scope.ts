import type { Actor, TenantId } from '../access/actor.ts'
import type { Origin, TenantScope } from '../db/port.ts'
import type { RequestInfo } from './route-context.ts'

/** The origin of transactions that a route opens itself. */
export function originOf(request: RequestInfo, actor: Actor | null): Origin {
  const { id: requestId, ip, userAgent, traceparent } = request
  return { actor, requestId, ip, userAgent, traceparent, causationDepth: 0, signal: null }
}

/** The scope of a transaction that a route opens itself, in the caller's tenant or in the one given. */
export function scopeOf(
  { actor, request }: { readonly actor: Actor; readonly request: RequestInfo },
  tenantId: TenantId = actor.tenantId,
): TenantScope {
  return { tenantId, origin: originOf(request, actor) }
}
