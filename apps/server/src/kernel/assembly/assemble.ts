/**
 * Makes the kernel out of its parts and the modules' declarations, in the one order in which each part finds what it
 * needs. It opens no socket and starts no loop: that is the life cycle's, which it fills. Tested through every
 * whole-system suite, which builds the program with this function.
 */
import { version } from '../../version.ts'
import { createGate, gatePort } from '../access/gate.ts'
import { checkpointCheck } from '../audit/checkpoint-health.ts'
import { checkpointPlaces } from '../audit/places.ts'
import { blobSealed } from '../blobs/tables.ts'
import { createSeamedCache } from '../cache/seamed.ts'
import { dutiesOf } from '../config/roles.ts'
import { createDataRegistry } from '../data-registry/data-registry.ts'
import { createHolds } from '../data-registry/holds.ts'
import { createFacts, factsPort } from '../facts/facts.ts'
import { healthPort } from '../health/checks.ts'
import type { Kernel } from '../kernel.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts'
import { createStopping } from '../lifecycle/stopping.ts'
import { fill, type Need } from '../module/ports/port.ts'
import type { Telemetry } from '../observe/otel/port.ts'
import { createTelemetry } from '../observe/otel/telemetry.ts'
import { createSettings, settingValuesPort } from '../settings/settings.ts'
import { createExactVectors } from '../vectors/exact.ts'
import { type AssembleInput, assembleCore, type Core } from './core.ts'
import { kernelName, portsOf } from './kernel-ports.ts'
import { assembleActivities, checkpointedTenants } from './loops.ts'
import { type AssembledModules, assembleModules } from './modules.ts'
import { schemaOf } from './schema.ts'
import { settingsOf } from './settings.ts'

export interface Assembled {
  readonly kernel: Kernel
  readonly modules: AssembledModules
  readonly lifecycle: Lifecycle
  /** Told of the sockets that listen, so that no outbound call leads back to them. */
  readonly ownAddresses: Core['ownAddresses']
  /** Why the process may not take traffic; empty when it may. */
  unready(): Promise<readonly string[]>
}

export function assemble(input: AssembleInput): Assembled {
  const ports = portsOf(input, [
    fill(healthPort, () => checkpointHealth()),
    fill(factsPort, ({ clock }) => createFacts(clock, modules.facts)),
  ])
  const need = ports.needsOf(kernelName)
  const core = assembleCore(input, need)
  const places = checkpointPlaces(input, core)
  const checkpointHealth = () =>
    checkpointCheck({ db: core.db, clock: input.clock, places, tenants: () => checkpointedTenants(core) })
  const { config, clock, random, log } = input
  const node = `${config.host}-${random.hex(6)}`
  const telemetry = createTelemetry({ config, clock, log, node, version })
  const kernel = kernelOf(input, { ...core, node, telemetry, need }, () => modules)
  const modules: AssembledModules = assembleModules(kernel, input.modules, ports.needsOf)
  ports.open((name) => (name === kernelName ? kernel : modules.servicesOf(name)))
  const lifecycle = createLifecycle({ log, clock })
  // The first to start is the last to stop, so that it also sends the telemetry of the others' shutdown.
  if (telemetry !== null) lifecycle.add(telemetry)
  for (const activity of assembleActivities({ input, core, kernel, modules, need, places })) lifecycle.add(activity)
  return { kernel, modules, lifecycle, ownAddresses: core.ownAddresses, unready: () => unready(kernel) }
}

interface Equipped extends Core {
  readonly node: string
  readonly telemetry: Telemetry | null
  readonly need: Need
}

/** The kernel as modules see it. They are made with it, so what it knows of them comes late. */
function kernelOf(input: AssembleInput, core: Equipped, modules: () => AssembledModules): Kernel {
  const { config, clock, random, log, adapters } = input
  const { limits } = adapters
  const { need, faults } = core
  return {
    ...{ config, clock, random, log, limits, faults },
    cache: createSeamedCache(adapters.cache, faults, clock),
    ...servicesOf(core),
    settings: createSettings({ config, stored: need(settingValuesPort) }, settingsOf(input.modules), input.fileValues),
    gate: createGate(need(gatePort)),
    stopping: createStopping({ clock, graceMs: config.shutdownGraceMs }),
    get routes() {
      return modules().routes
    },
    get jobKinds() {
      return new Map(modules().jobs.map(({ declared }) => [declared.kind, declared]))
    },
    ...registryOf(input),
    sealed: [...blobSealed, ...input.modules.flatMap((module) => module.sealed)],
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

/** @throws TypeError for a data declaration that contradicts itself */
function registryOf({ modules, clock, random }: AssembleInput): Pick<Kernel, 'tables' | 'dataRegistry'> {
  const { tables } = schemaOf(modules)
  return { tables, dataRegistry: createDataRegistry(tables, createHolds({ clock, random })) }
}

/** The part of the core that modules get; the rest of it is the kernel's own. */
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
  const { blobs, unpack } = core
  return {
    ...{ db, egress, namedSecrets, liveSecrets, mail, threads, auth, live, tail, chain, metrics, tenants },
    ...{ platformKeys, tenantKeys, signingKeys, peppers, keys, backups, spools, telemetry, node, auditRetention },
    ...{ blobs, unpack, vectors: createExactVectors({ threads }) },
  }
}

async function unready(kernel: Kernel): Promise<readonly string[]> {
  const reasons: string[] = []
  await kernel.db.ping().catch(() => reasons.push('database'))
  if (kernel.live.lastContactMs() > 10_000) reasons.push('change feed')
  if (dutiesOf(kernel.config.role).servesApi && kernel.gate.closed()) reasons.push('maintenance')
  return reasons
}
