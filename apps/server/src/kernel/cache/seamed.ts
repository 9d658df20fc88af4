import type { Clock } from '../base/clock.ts'
import { type FaultHook, type Faults, InjectedFault, passSeam } from '../faults/seams.ts'
import type { Cache } from './port.ts'

/** A cache behind the seam `cache`. A cache out of reach is a miss, and throws where it could not be sure. */
export function createSeamedCache(cache: Cache, { seams }: Faults, clock: Pick<Clock, 'after'>): Cache {
  const passed = (hook: FaultHook, tenantId: string, target: string) =>
    passSeam(hook, { seam: 'cache', tenantId, target, clock })
  return {
    get: (tenant, key) => {
      const hook = seams.cache
      if (hook === undefined) return cache.get(tenant, key)
      return passed(hook, tenant, 'get').then(() => cache.get(tenant, key), asMiss)
    },
    set: (tenant, key, value, ttlMs) => {
      const hook = seams.cache
      if (hook === undefined) return cache.set(tenant, key, value, ttlMs)
      return passed(hook, tenant, 'set').then(() => cache.set(tenant, key, value, ttlMs), asMiss)
    },
    delete: (tenant, key) => {
      const hook = seams.cache
      if (hook === undefined) return cache.delete(tenant, key)
      return passed(hook, tenant, 'delete').then(() => cache.delete(tenant, key))
    },
    purge: (tenant, prefix) => {
      const hook = seams.cache
      if (hook === undefined) return cache.purge(tenant, prefix)
      return passed(hook, tenant, 'purge').then(() => cache.purge(tenant, prefix))
    },
    close: () => cache.close(),
  }
}

function asMiss(error: unknown): undefined {
  if (!(error instanceof InjectedFault)) throw error
}
