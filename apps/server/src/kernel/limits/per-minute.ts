import type { LimitRule } from './port.ts'

/** So many in any 60 s. */
export const perMinute = (limit: number): LimitRule => ({ limit, windowMs: 60_000 })

/** Limits below it are not divided: a share of them would be no use to anybody. */
const smallestDivided = 20

/** One caller may use three quarters of a limit that many share, so that no caller uses it up alone. */
export const fairShare = (limit: number): number => (limit < smallestDivided ? limit : Math.ceil((limit * 3) / 4))

/** Key of the tenant's quota, which counts requests of every class. */
export const requestQuotaKey = (tenantId: string): string => `{${tenantId}}:quota`
