/**
 * The flags of each tenant in memory, compiled, so that an evaluation costs no wait and no statement; below its own are
 * those of the platform. Promises that a change counts here with its commit and on every other instance within a
 * second; the first evaluation of a tenant reads. Tested in flags.test.ts and platform-flags.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { createFreshCache } from '../../../kernel/auth/fresh-cache.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { FlagStore, HeldFlags } from '../services/flag-store.ts'
import type { SettingStore } from '../services/setting-store.ts'
import { compileFlags, layered, type Segments } from './engine/evaluate.ts'
import type { FlagRow } from './schemas/flags.ts'
import { flagSegments } from './settings.ts'
import { flags } from './tables.ts'

export const flagsTopic = 'admin.flags'

const mostTenants = 10_000
/** A net under the change feed. */
const longestLifeMs = 600_000

export function createFlagStore(kernel: Kernel, settings: Pick<SettingStore, 'onChange'>): FlagStore {
  const cache = createFreshCache<HeldFlags>({
    capacity: mostTenants,
    maxAgeMs: longestLifeMs,
    now: kernel.clock.now,
    load: (tenantId) => load(kernel, tenantId as TenantId),
  })
  const listeners = new Map<TenantId, Set<() => void>>()
  const moved = (tenantId: TenantId): void => {
    if (tenantId === platformTenant) cache.dropWhere(() => true)
    else cache.drop(tenantId)
    const hearing = tenantId === platformTenant ? [...listeners.values()] : [listeners.get(tenantId) ?? []]
    for (const ofTenant of hearing) for (const changed of ofTenant) changed()
  }
  kernel.live.on(flagsTopic, (_key, _data, tenantId) => moved(tenantId))
  settings.onChange(moved)
  return {
    onChange: (tenantId, changed) => {
      const ofTenant = listeners.get(tenantId) ?? new Set()
      listeners.set(tenantId, ofTenant.add(changed))
      return () => {
        ofTenant.delete(changed)
        if (ofTenant.size === 0 && listeners.get(tenantId) === ofTenant) listeners.delete(tenantId)
      }
    },
    get: (tenantId) => cache.get(tenantId) ?? (cache.fetch(tenantId) as Promise<HeldFlags>),
  }
}

async function load(kernel: Kernel, tenantId: TenantId): Promise<HeldFlags> {
  const own = await loadOwn(kernel, tenantId)
  if (tenantId === platformTenant) return own
  const below = await loadOwn(kernel, platformTenant)
  return { set: layered(own.set, below.set), rows: new Map([...below.rows, ...own.rows]) }
}

async function loadOwn({ db, settings }: Kernel, tenantId: TenantId): Promise<HeldFlags> {
  const rows = await db.read(
    tenantId,
    sql<FlagRow>`select ${flags.columns} from admin_flag where status in ('enabled', 'disabled') order by key`,
  )
  return {
    set: compileFlags(rows, segmentsOf(settings, tenantId)),
    rows: new Map(rows.map((row) => [row.key, row])),
  }
}

export function segmentsOf(settings: Kernel['settings'], tenantId: TenantId): Segments {
  const named = settings.get(flagSegments, tenantId)
  return Object.fromEntries(Object.entries(named).map(([name, { constraints }]) => [name, constraints]))
}
