/** The parts of the kernel that work by themselves, and everything with a life in the order in which it starts. */

import type { TenantId } from '../access/actor.ts'
import { platformTenant } from '../access/platform-tenant.ts'
import { createCheckpointer } from '../audit/checkpoint.ts'
import { type CheckpointPlace, createDelivery } from '../audit/deliver.ts'
import { createSealer } from '../audit/seal.ts'
import { dutiesOf } from '../config/roles.ts'
import { sql } from '../db/sql.ts'
import { createUpkeep } from '../db/upkeep.ts'
import type { BusMessage } from '../events/bus/port.ts'
import { createHandlers } from '../events/handlers/handlers.ts'
import { createRelay } from '../events/relay.ts'
import { createHousekeeping } from '../jobs/housekeeping.ts'
import { createSchedule } from '../jobs/schedule.ts'
import { createWorker } from '../jobs/worker.ts'
import type { Kernel } from '../kernel.ts'
import type { Activity } from '../lifecycle/activity.ts'
import type { Need } from '../module/ports/port.ts'
import { checkpointMadePort, jobDiedPort, tellAll } from '../notices/notices.ts'
import { createFiring } from '../schedules/fire.ts'
import { meetWaits } from '../schedules/waits.ts'
import type { Adapters } from './adapters.ts'
import type { AssembleInput, Core, Wakes } from './core.ts'
import { chores } from './housekeeping.ts'
import type { AssembledModules } from './modules.ts'

interface LoopInput {
  readonly input: AssembleInput
  readonly core: Core
  readonly kernel: Kernel
  readonly modules: AssembledModules
  readonly need: Need
  /** Where checkpoints go beyond the folder. */
  readonly places: readonly CheckpointPlace[]
}

/** Each stops in the reverse order: modules first, adapters last. */
export function assembleActivities(parts: LoopInput): readonly Activity[] {
  const { input, core, modules } = parts
  const { live, tail, auth, keyUses, signingKeys, peppers, tenantKeys, egress, threads, unpack, db } = core
  const { adapters, config } = input
  const { servesApi, runsJobs, movesEvents } = dutiesOf(config.role)
  const events = eventLoops(parts)
  return [
    { name: 'adapters', start: async () => {}, stop: () => closing(egress.close(), adapters.close(), db.close()) },
    threads,
    unpack,
    keyUses,
    { name: 'password peppers', start: () => peppers.start(), stop: async () => peppers.stop() },
    { name: 'signing keys', start: () => signingKeys.ensure(), stop: async () => signingKeys.stop() },
    { name: 'tenant keys', start: () => tenantKeys.start(), stop: async () => tenantKeys.stop() },
    { name: 'change feed', start: () => live.start(), stop: () => live.stop() },
    { name: 'authentication', start: () => auth.start(), stop: async () => auth.stop() },
    ...(servesApi ? [{ name: 'event tail', start: () => tail.start(), stop: () => tail.stop() }] : []),
    { name: 'leases', start: () => takeOver(adapters, db), stop: async () => {} },
    ...(movesEvents ? [...events.activities, ...auditLoops(parts)] : []),
    ...(runsJobs ? jobLoops(parts) : []),
    listening(parts, { log: events.look, changes: () => live.wake() }),
    ...modules.activities,
  ]
}

function loopParts({ input, core, kernel }: LoopInput) {
  const { clock, log } = input
  const { db, meter, pollMs } = core
  return { db, clock, log, meter, pollMs, node: kernel.node, kernel: () => kernel }
}

function eventLoops(parts: LoopInput): { readonly activities: readonly Activity[]; readonly look: () => void } {
  const { core, modules } = parts
  const loop = loopParts(parts)
  const waits = { declaration: meetWaits, services: undefined }
  const handlers = createHandlers({ ...loop, faults: core.faults, handlers: [...registered(modules.handlers), waits] })
  const look = (channels?: readonly string[]): void => {
    core.tail.wake()
    handlers.wake(channels)
  }
  const relay = createRelay({
    ...loop,
    moved: (channels) => {
      look(channels)
      core.hint('ev.log')
    },
  })
  bind(core.wakes, { relay: () => relay.wake() })
  return { activities: [relay, handlers], look }
}

function auditLoops(parts: LoopInput): readonly Activity[] {
  const { input, core, places } = parts
  const loop = loopParts(parts)
  const { random } = input
  const tenants = () => checkpointedTenants(core)
  const delivery = createDelivery({ ...loop, tenants, places })
  const checkpointer = createCheckpointer({
    ...loop,
    random,
    tenants,
    keys: core.signingKeys,
    sink: core.checkpoints,
    made: tellAll(parts.need(checkpointMadePort)),
    kept: () => delivery.wake(),
  })
  const sealer = createSealer({ ...loop, checkpointDue: () => checkpointer.wake() })
  bind(core.wakes, { sealer: () => sealer.wake() })
  return [sealer, checkpointer, delivery]
}

/** The installation's own chain, of key rotations for instance, has no tenant and is checkpointed all the same. */
export const checkpointedTenants = async ({ tenants }: Pick<Core, 'tenants'>): Promise<readonly TenantId[]> => [
  platformTenant,
  ...(await tenants()),
]

function jobLoops(parts: LoopInput): readonly Activity[] {
  const { input, core, modules } = parts
  const { clock, random } = input
  const loop = loopParts(parts)
  const died = tellAll(parts.need(jobDiedPort))
  const worker = createWorker({
    ...loop,
    random,
    faults: core.faults,
    changes: core.live,
    jobs: registered(modules.jobs),
    died,
  })
  const schedule = createSchedule({
    ...loop,
    random,
    tenants: core.tenants,
    jobs: modules.jobs.map((job) => job.declared),
    enqueued: () => worker.wake(clock.now()),
  })
  const firing = createFiring({ ...loop, random, enqueued: () => worker.wake(clock.now()) })
  const events = input.modules.flatMap((module) => module.emits)
  const housekeeping = createHousekeeping({
    ...loop,
    chores: chores({
      ...{ db: core.db, clock, events, blobStore: core.blobStore },
      ...{ settings: parts.kernel.settings, tables: parts.kernel.tables },
    }),
  })
  bind(core.wakes, { worker: (runAt) => worker.wake(runAt) })
  const upkeep = createUpkeep({ ...loop, driver: input.adapters.driver })
  return [worker, schedule, firing, housekeeping, upkeep]
}

function bind(wakes: Wakes, loops: Partial<Wakes>): void {
  Object.assign(wakes, loops)
}

function registered<T>(owned: readonly { readonly declared: T; readonly services: unknown }[]) {
  return owned.map(({ declared, services }) => ({ declaration: declared, services }))
}

/** A message of the bus only says that looking now is worthwhile. */
function listening(
  { input, core }: LoopInput,
  heard: { readonly log: () => void; readonly changes: () => void },
): Activity {
  const ends: (() => Promise<void>)[] = []
  const { bus } = input.adapters
  const others = (act: () => void) => (message: BusMessage) => {
    if (core.foreign(message)) act()
  }
  return {
    name: 'bus',
    start: async () => {
      ends.push(await bus.subscribe('ev', others(heard.log)), await bus.subscribe('ctl', others(heard.changes)))
    },
    stop: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}

/**
 * The embedded database belongs to one process, so leases found at its start are those of a process that is gone: without
 * this, a killed installation would wait for them to run out.
 */
async function takeOver(adapters: Adapters, db: Core['db']): Promise<void> {
  if (adapters.driver.kind !== 'pglite') return
  await db.system('leases of a process that is gone', async (tx) => {
    await tx.execute(sql`update handler_position set owner = null, lease_until = null where owner is not null`)
    await tx.execute(sql`update job set lease_until = clock_timestamp() where status = 'running'`)
  })
}

async function closing(...closings: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(closings)
}
