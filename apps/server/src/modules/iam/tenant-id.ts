import type { TenantId } from '../../kernel/auth/actor.ts'

/** An id out of this module's tenant table, or one that is about to become a row there. */
export function tenantIdOf(id: string): TenantId {
  return id as TenantId
}
