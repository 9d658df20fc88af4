/**
 * The tenant's data that the pipeline needs, in memory: providers with their keys, published policies. Promises that a
 * change is seen by the next call on this instance once its transaction has committed, and by every other within a
 * second; one statement loads it. Tested in snapshot.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Provider } from '../providers/provider.ts'
import type { Route } from '../route-model/route.ts'
import type { CacheSettings } from '../schemas/cache.ts'
import type { CompiledPolicy } from './compile.ts'
import type { PublishedPolicy } from './published.ts'

export interface TenantSnapshot {
  readonly providers: readonly Provider[]
  readonly policies: readonly PublishedPolicy[]
  /** Those that are not archived; none when absent. */
  readonly routes?: readonly Route[]
  /** People by the group they are in, of the groups policies are bound to; empty when absent. */
  readonly groups?: ReadonlyMap<string, ReadonlySet<string>>
  /** The tenant's ceilings; the defaults when absent. */
  readonly cache?: CacheSettings
  /** Where the tenant lets its data go; anywhere when null or absent. */
  readonly residency?: readonly string[] | null
  /** Of the tenant: makes hashed values and marks of system texts the same from call to call, and unique to it. */
  readonly markingKey?: Uint8Array
  /** Merged and compiled policies by the ids and priorities of their sources; filled as callers come. */
  readonly compiled: Map<string, CompiledPolicy>
}

export interface TenantSnapshots<T = TenantSnapshot> {
  /** From memory when it is there. */
  get(tenantId: TenantId): T | Promise<T>
  /** The next call reads anew. */
  forget(tenantId: TenantId): void
  /** The same for every tenant. */
  forgetAll(): void
}

export const configurationTopic = 'gateway.configuration'

/** Tenants held at once; the one that was loaded first leaves. */
const mostTenants = 10_000
/** Age after which a snapshot is read again without an announced change, in milliseconds. */
const longestLifeMs = 60_000

interface Held<T> {
  readonly snapshot: T
  readonly loadedMs: number
}

type Load<T> = (tenantId: TenantId) => Promise<T>

export function createTenantSnapshots<T = TenantSnapshot>(
  kernel: Pick<Kernel, 'clock' | 'live'>,
  load: Load<T>,
): TenantSnapshots<T> {
  const held = new Map<TenantId, Held<T>>()
  const loading = new Map<TenantId, Promise<T>>()
  const forget = (tenantId: TenantId): void => {
    held.delete(tenantId)
    // A running read may have begun before the change: its result goes to the waiting callers and is not kept.
    loading.delete(tenantId)
  }
  kernel.live.on(configurationTopic, (_key, _data, tenantId) => forget(tenantId))

  const begin = (tenantId: TenantId): Promise<T> => {
    const reading = load(tenantId).then((snapshot) => {
      if (loading.get(tenantId) === reading) keep(tenantId, snapshot)
      return snapshot
    })
    const done = (): void => {
      if (loading.get(tenantId) === reading) loading.delete(tenantId)
    }
    loading.set(tenantId, reading)
    reading.then(done, done)
    return reading
  }

  const keep = (tenantId: TenantId, snapshot: T): void => {
    held.delete(tenantId)
    held.set(tenantId, { snapshot, loadedMs: kernel.clock.now() })
    const [oldest] = held.keys()
    if (held.size > mostTenants && oldest !== undefined) held.delete(oldest)
  }

  return {
    forget,
    forgetAll: () => {
      held.clear()
      loading.clear()
    },
    get: (tenantId) => {
      const known = held.get(tenantId)
      if (known !== undefined && kernel.clock.now() - known.loadedMs < longestLifeMs) return known.snapshot
      return loading.get(tenantId) ?? begin(tenantId)
    },
  }
}
