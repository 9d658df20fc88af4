/**
 * Makes the kernel out of its parts and the modules' declarations, in the one order in which each part finds what it
 * needs. It opens no socket and starts no loop: that is the life cycle's, which it fills. Tested through every
 * whole-system suite, which builds the program with this function.
 */
import { type AssembleInput, assembleCore, type Core } from './assemble-core.ts'
import { assembleActivities } from './assemble-loops.ts'
import { type AssembledModules, assembleModules } from './assemble-modules.ts'
import type { Kernel } from './kernel.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'

export interface Assembled {
  readonly kernel: Kernel
  readonly modules: AssembledModules
  readonly lifecycle: Lifecycle
  /** Why the process may not take traffic; empty when it may. */
  unready(): Promise<readonly string[]>
}

export function assemble(input: AssembleInput): Assembled {
  const core = assembleCore(input)
  const kernel = kernelOf(input, core, () => modules)
  const modules: AssembledModules = assembleModules(kernel, input.modules)
  const lifecycle = createLifecycle({ log: input.log, clock: input.clock })
  for (const activity of assembleActivities({ input, core, kernel, modules })) lifecycle.add(activity)
  return { kernel, modules, lifecycle, unready: () => unready(kernel) }
}

/** The kernel as modules see it. They are made with it, so what it knows of them comes late. */
function kernelOf(input: AssembleInput, core: Core, modules: () => AssembledModules): Kernel {
  const { config, clock, random, log, adapters } = input
  const { db, egress, threads, platformKeys, tenantKeys, signingKeys, auth, live, tail, chain, metrics, tenants } = core
  const { limits, cache, blobs } = adapters
  return {
    ...{ config, clock, random, log, db, egress, threads, limits, cache, blobs },
    ...{ platformKeys, tenantKeys, signingKeys, auth, live, tail, chain, metrics, tenants },
    node: `${config.host}-${random.hex(6)}`,
    get routes() {
      return modules().routes
    },
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

async function unready(kernel: Kernel): Promise<readonly string[]> {
  const reasons: string[] = []
  await kernel.db.ping().catch(() => reasons.push('database'))
  if (kernel.live.lastContactMs() > 10_000) reasons.push('change feed')
  return reasons
}
