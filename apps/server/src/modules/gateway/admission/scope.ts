import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'

/** The scope of a transaction a route opens itself. */
export function scopeOf({ actor, request }: { readonly actor: Actor; readonly request: RequestInfo }): TenantScope {
  const { id: requestId, ip, userAgent, traceparent } = request
  return {
    tenantId: actor.tenantId,
    origin: { actor, requestId, ip, userAgent, traceparent, causationDepth: 0, signal: null },
  }
}
