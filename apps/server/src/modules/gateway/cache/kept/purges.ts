/** Time of the last purge of each tenant, as far as this instance was notified. Tested in purge.test.ts. */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'

/** Sent to every instance after a purge of answers. */
export const purgeTopic = 'gateway.cache.purge'
/** Tenants whose last purge is remembered. */
const mostPurges = 10_000

export interface Purges {
  /** Whether the tenant purged at or after that time, in Unix milliseconds. */
  covers(tenantId: TenantId, at: number): boolean
}

export function createPurges({ live, clock }: Pick<Kernel, 'live' | 'clock'>): Purges {
  const purges = new Map<TenantId, number>()
  live.on(purgeTopic, (_key, _data, tenantId) => {
    purges.delete(tenantId)
    purges.set(tenantId, clock.now())
    const [oldest] = purges.keys()
    if (purges.size > mostPurges && oldest !== undefined) purges.delete(oldest)
  })
  return { covers: (tenantId, at) => at <= (purges.get(tenantId) ?? 0) }
}
