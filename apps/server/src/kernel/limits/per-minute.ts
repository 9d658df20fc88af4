import type { TenantId } from '../access/actor.ts'
import type { LimitRule } from './port.ts'

/** So many in any 60 s. */
export const perMinute = (limit: number): LimitRule => ({ limit, windowMs: 60_000 })

/** Where requests are counted against the tenant's quota, whatever their class. */
export const requestQuotaKey = (tenantId: TenantId): string => `{${tenantId}}:quota`
