import type { TenantId } from './actor.ts'

/** People a tenant may have: null is no limit, which holds until somebody says otherwise. Adding people asks it, nothing else does. */
export interface SeatLimits {
  limit(tenantId: TenantId): number | null
  fill(limit: (tenantId: TenantId) => number | null): void
}

export function createSeatLimits(): SeatLimits {
  let limit: (tenantId: TenantId) => number | null = () => null
  return {
    limit: (tenantId) => limit(tenantId),
    fill: (given) => {
      limit = given
    },
  }
}
