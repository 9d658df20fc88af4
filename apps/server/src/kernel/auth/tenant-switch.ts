import type { Actor, TenantId } from '../access/actor.ts'
import { apiErrors, authErrors } from '../errors/errors.ts'
import type { Subjects } from './subjects.ts'
import { isUuid } from './token-checks.ts'

type Source = Pick<Subjects, 'source'>

/** An operator acts in the named tenant; for everybody else the header may only repeat their own. @throws AUTH-005, API-013 */
export function inTenant(subjects: Source, actor: Actor, header: string): Actor | Promise<Actor> {
  const named = header.toLowerCase()
  if (named === actor.homeTenantId) return actor
  if (!actor.operator || !isUuid(named)) throw authErrors.tenantMismatch()
  return switched(subjects, actor, named as TenantId)
}

async function switched(subjects: Source, actor: Actor, tenantId: TenantId): Promise<Actor> {
  const above = await subjects.source().tenantsAbove(tenantId)
  if (above === null) throw apiErrors.notFound({ what: 'tenant' })
  const tenantsAbove = above.map(({ id }) => ({ id, requestsPerMinute: null }))
  return Object.freeze({ ...actor, tenantId, tenantRequestsPerMinute: null, tenantsAbove })
}
