/**
 * Makes the kernel out of its parts and the modules' declarations, in the one order in which each part finds what it
 * needs. It opens no socket and starts no loop: that is the life cycle's, which it fills. Tested through every
 * whole-system suite, which builds the program with this function.
 */
import { version } from '../../version.ts'
import { createGate } from '../access/gate.ts'
import { createSeatLimits } from '../access/seats.ts'
import { createBoundedBlobs, createStorageLimits } from '../blobs/bounded.ts'
import { createHealthChecks } from '../health/checks.ts'
import type { Kernel } from '../kernel.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts'
import { createStopping } from '../lifecycle/stopping.ts'
import { createNotices } from '../notices/notices.ts'
import type { Telemetry } from '../observe/otel/port.ts'
import { createTelemetry } from '../observe/otel/telemetry.ts'
import { createSettings } from '../settings/settings.ts'
import { type AssembleInput, assembleCore, type Core } from './core.ts'
import { assembleActivities } from './loops.ts'
import { type AssembledModules, assembleModules } from './modules.ts'
import { schemaOf } from './schema.ts'
import { settingsOf } from './settings.ts'

export interface Assembled {
  readonly kernel: Kernel
  readonly modules: AssembledModules
  readonly lifecycle: Lifecycle
  /** Why the process may not take traffic; empty when it may. */
  unready(): Promise<readonly string[]>
}

export function assemble(input: AssembleInput): Assembled {
  const core = assembleCore(input)
  const { config, clock, random, log } = input
  const node = `${config.host}-${random.hex(6)}`
  const telemetry = createTelemetry({ config, clock, log, node, version })
  const kernel = kernelOf(input, { ...core, node, telemetry }, () => modules)
  const modules: AssembledModules = assembleModules(kernel, input.modules)
  const lifecycle = createLifecycle({ log, clock })
  // The first to start is the last to stop: what the others do until their end is sent too.
  if (telemetry !== null) lifecycle.add(telemetry)
  for (const activity of assembleActivities({ input, core, kernel, modules })) lifecycle.add(activity)
  return { kernel, modules, lifecycle, unready: () => unready(kernel) }
}

interface Equipped extends Core {
  readonly node: string
  readonly telemetry: Telemetry | null
}

/** The kernel as modules see it. They are made with it, so what it knows of them comes late. */
function kernelOf(input: AssembleInput, core: Equipped, modules: () => AssembledModules): Kernel {
  const { config, clock, random, log, adapters } = input
  const { limits, cache } = adapters
  const storage = createStorageLimits()
  return {
    ...{ config, clock, random, log, limits, cache, storage },
    blobs: createBoundedBlobs(adapters.blobs, storage),
    ...servicesOf(core),
    settings: createSettings(config, settingsOf(input.modules), input.fileValues),
    gate: createGate(),
    stopping: createStopping({ clock, graceMs: config.shutdownGraceMs }),
    health: createHealthChecks(),
    seats: createSeatLimits(),
    notices: createNotices(),
    get routes() {
      return modules().routes
    },
    get jobKinds() {
      return new Map(modules().jobs.map(({ declared }) => [declared.kind, declared]))
    },
    tables: schemaOf(input.modules).tables,
    sealed: input.modules.flatMap((module) => module.sealed),
    trustReports: (tx, at) => modules().trustReports(tx, at),
    seedTenant: (tx) => modules().seedTenant(tx),
    background: (name, work) => {
      work.catch((error: unknown) => {
        core.meter.count('background_failures_total')
        log.error({ work: name, err: error }, 'background work failed')
      })
    },
  }
}

/** What modules get of the core; the rest of it is the kernel's own. */
function servicesOf({
  db,
  egress,
  namedSecrets,
  liveSecrets,
  mail,
  threads,
  auth,
  live,
  tail,
  chain,
  metrics,
  tenants,
  ...core
}: Equipped) {
  const { platformKeys, tenantKeys, signingKeys, peppers, keys, backups, spools, telemetry, node, auditRetention } =
    core
  return {
    ...{ db, egress, namedSecrets, liveSecrets, mail, threads, auth, live, tail, chain, metrics, tenants },
    ...{ platformKeys, tenantKeys, signingKeys, peppers, keys, backups, spools, telemetry, node, auditRetention },
  }
}

async function unready(kernel: Kernel): Promise<readonly string[]> {
  const reasons: string[] = []
  await kernel.db.ping().catch(() => reasons.push('database'))
  if (kernel.live.lastContactMs() > 10_000) reasons.push('change feed')
  if (kernel.gate.closed()) reasons.push('maintenance')
  return reasons
}
