import type { TenantId } from '../../../kernel/access/actor.ts'

/** An id out of this module's tenant table, or one that is about to become a row there. */
export function tenantIdOf(id: string): TenantId {
  return id as TenantId
}

/** The form of an id in a header, which no schema has checked. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
