/**
 * Health of the installation, looked at every few seconds and told when it changes, and of each tenant's own part, looked
 * at when asked. Tested in health.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { HealthCheck, TenantCheck } from '../../../kernel/health/checks.ts'
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

/** The checks that other parts of the program fill in. */
interface FilledChecks {
  readonly platform: () => readonly HealthCheck[]
  readonly tenant: () => readonly TenantCheck[]
}

export function createHealth(kernel: Kernel, settings: SettingStore, filled: FilledChecks): HealthService {
  const { clock, log, db } = kernel
  const own = platformChecks(kernel, settings)
  const monitor = createMonitor({
    clock,
    checks: () => [...own, ...filled.platform()],
    changed: (change) => kernel.background('health event', announce(kernel, change)),
  })
  const tenants = new Map<TenantId, Monitor>()
  const monitorOf = (tenantId: TenantId): Monitor => {
    const known = tenants.get(tenantId) ?? tenantMonitor(kernel, tenantId, filled.tenant)
    tenants.set(tenantId, known)
    const [oldest] = tenants.keys()
    if (tenants.size > mostTenants && oldest !== undefined) tenants.delete(oldest)
    return known
  }
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

function tenantMonitor({ clock }: Kernel, tenantId: TenantId, filled: FilledChecks['tenant']): Monitor {
  return createMonitor({
    clock,
    checks: () => filled().map((check) => ({ ...check, run: (signal: AbortSignal) => check.run(tenantId, signal) })),
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
