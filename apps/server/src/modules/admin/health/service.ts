/**
 * Health of the installation, looked at every few seconds and told when it changes, and of each tenant's own part, looked
 * at when asked. Tested in health.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { createLoop } from '../../../kernel/lifecycle/loop.ts'
import type { HealthService } from '../services/health-service.ts'
import type { SettingStore } from '../services/setting-store.ts'
import { healthDegraded, healthRecovered } from './events.ts'
import { createMonitor, type Monitor, type StatusChange } from './monitor.ts'
import { platformChecks } from './platform-checks.ts'

/** Three findings make a failure, so one is known within ten seconds. The embedded database cannot go away by itself. */
const lookEveryMs = { pg: 3000, pglite: 15_000 } as const
/** Tenants whose last findings are remembered. */
const mostTenants = 1000

export function createHealth(kernel: Kernel, settings: SettingStore): HealthService {
  const { clock, log, db } = kernel
  const own = platformChecks(kernel, settings)
  const monitor = createMonitor({
    clock,
    checks: () => [...own, ...kernel.health.platform],
    changed: (change) => kernel.background('health event', announce(kernel, change)),
  })
  const tenants = new Map<TenantId, Monitor>()
  const monitorOf = (tenantId: TenantId): Monitor => {
    const known = tenants.get(tenantId) ?? tenantMonitor(kernel, tenantId)
    tenants.set(tenantId, known)
    const [oldest] = tenants.keys()
    if (tenants.size > mostTenants && oldest !== undefined) tenants.delete(oldest)
    return known
  }
  kernel.health.addForTenants({ name: 'jobs', run: (tenantId) => ownJobs(kernel, tenantId) })
  const everyMs = lookEveryMs[db.kind]
  const loop = createLoop({
    name: 'health',
    clock,
    log,
    everyMs,
    run: async () => {
      await monitor.look(everyMs / 2)
      return false
    },
  })
  return {
    name: 'health',
    platform: (maxAgeMs) => monitor.look(maxAgeMs),
    tenant: (tenantId, maxAgeMs) => monitorOf(tenantId).look(maxAgeMs),
    start: async () => loop.start(),
    stop: () => loop.stop(),
  }
}

function tenantMonitor(kernel: Kernel, tenantId: TenantId): Monitor {
  return createMonitor({
    clock: kernel.clock,
    checks: () =>
      kernel.health.tenant.map((check) => ({ ...check, run: (signal: AbortSignal) => check.run(tenantId, signal) })),
    changed: () => undefined,
  })
}

function announce({ db, node, log }: Kernel, { check, from, to }: StatusChange): Promise<void> {
  const worse = to === 'fail' || (to === 'warn' && from === 'pass')
  if (worse) log.warn({ check, from, to }, 'health has become worse')
  return db.tenant({ tenantId: platformTenant }, (tx) =>
    tx.emit(worse ? healthDegraded : healthRecovered, check, { check, node, from, to }),
  )
}

async function ownJobs({ db }: Kernel, tenantId: TenantId) {
  const [row] = await db.read(
    tenantId,
    sql<{ waiting: number; running: number; dead: number }>`
      select count(*) filter (where status = 'waiting')::int as waiting,
        count(*) filter (where status = 'running')::int as running,
        count(*) filter (where status = 'dead' and finished_at > clock_timestamp() - interval '1 day')::int as dead
      from job`,
  )
  const { waiting = 0, running = 0, dead = 0 } = row ?? {}
  const status = dead > 0 ? ('warn' as const) : ('pass' as const)
  return { status, observed: { waiting, running, dead_last_day: dead } }
}
