/**
 * The flags of each tenant in memory, compiled, so that an evaluation costs no wait and no statement. Promises that a
 * change counts here with its commit and on every other instance within a second; the first evaluation of a tenant
 * reads. Tested in flags.test.ts.
 */
import type { TenantId } from '../../../kernel/auth/actor.ts'
import { createFreshCache } from '../../../kernel/auth/fresh-cache.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SettingStore } from '../config/store.ts'
import { compileFlags, type FlagSet, type Segments } from './engine/evaluate.ts'
import type { FlagRow } from './schemas.ts'
import { flagSegments } from './settings.ts'
import { flags } from './tables.ts'

export const flagsTopic = 'admin.flags'

export interface HeldFlags {
  readonly set: FlagSet
  readonly rows: ReadonlyMap<string, FlagRow>
}

export interface FlagStore {
  /** From memory when it is there. */
  get(tenantId: TenantId): HeldFlags | Promise<HeldFlags>
}

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
  kernel.live.on(flagsTopic, (_key, _data, tenantId) => cache.drop(tenantId))
  settings.onChange((tenantId) => cache.drop(tenantId))
  return {
    get: (tenantId) => cache.get(tenantId) ?? (cache.fetch(tenantId) as Promise<HeldFlags>),
  }
}

async function load({ db, settings }: Kernel, tenantId: TenantId): Promise<HeldFlags> {
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
