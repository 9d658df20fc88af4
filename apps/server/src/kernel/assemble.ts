/**
 * Makes the kernel out of its parts and the modules' declarations, in the one order in which each part finds what it
 * needs. It opens no socket and starts no loop: that is the life cycle's, which it fills. Tested through every
 * whole-system suite, which builds the program with this function.
 */
import { join } from 'node:path'
import type { Adapters } from './adapters.ts'
import { type AssembledModules, assembleModules } from './assemble-modules.ts'
import { createCheckpointer, createFolderSink } from './audit/checkpoint.ts'
import { createSealer } from './audit/seal.ts'
import { createChainVerifier } from './audit/verify.ts'
import type { TenantId } from './auth/actor.ts'
import { createAuth } from './auth/authenticate.ts'
import type { Config } from './config/load.ts'
import { createTenantKeys } from './crypto/keys.ts'
import { createPlatformKeys } from './crypto/platform-keys.ts'
import type { Random } from './crypto/random.ts'
import { createSigningKeys } from './crypto/signing.ts'
import { createDatabase } from './db/database.ts'
import type { Database } from './db/port.ts'
import { sql } from './db/sql.ts'
import { createEgress } from './egress/fetch.ts'
import { createHandlers } from './events/handlers.ts'
import { createRecorders } from './events/recorders.ts'
import { createRelay } from './events/relay.ts'
import { createTail } from './events/tail.ts'
import { chores } from './housekeeping.ts'
import { createHousekeeping } from './jobs/housekeeping.ts'
import { createMeter } from './jobs/meter.ts'
import { createSchedule } from './jobs/schedule.ts'
import { createWorker } from './jobs/worker.ts'
import type { Clock, Kernel } from './kernel.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { type Change, createLiveFeed } from './live/feed.ts'
import type { Activity, Module } from './module.ts'
import type { Logger } from './observe/log.ts'
import { createMetrics } from './observe/metrics.ts'

export interface AssembleInput {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly adapters: Adapters
  /** The key-encryption key: 32 bytes. */
  readonly kek: Uint8Array
  readonly modules: readonly Module[]
  /** Validates every event against its schema; on in tests. */
  readonly checkEvents: boolean
}

export interface Assembled {
  readonly kernel: Kernel
  readonly modules: AssembledModules
  readonly lifecycle: Lifecycle
  /** Why the process may not take traffic; empty when it may. */
  unready(): Promise<readonly string[]>
}

export function assemble(input: AssembleInput): Assembled {
  const { config, clock, random, log, adapters } = input
  const metrics = createMetrics()
  const meter = createMeter(metrics)
  const platformKeys = createPlatformKeys(input.kek)
  const node = `${config.host}-${random.hex(6)}`
  const hint = (subject: string): void => {
    void adapters.bus.publish({ subject, id: random.uuid(), body: new Uint8Array() })
  }

  // Nobody else writes to the embedded database, so what wakes a loop is always in this process and looking is only a net.
  const alone = adapters.driver.kind === 'pglite'
  const pollMs = alone ? 5_000 : 1_000
  // The readers are made after the database whose commits wake them.
  const committed = {
    event: (): void => relay.wake(),
    job: (runAt: number): void => worker.wake(runAt),
    audit: (): void => sealer.wake(),
    change: (change: Change): void => {
      live.committed(change)
      hint('ctl.change')
    },
  }
  const recorders = createRecorders({
    clock,
    random,
    digest: (value) => platformKeys.mac('audit-digest', value),
    check: input.checkEvents,
    committed,
  })
  const db = createDatabase({
    driver: adapters.driver,
    recorders,
    appended: () => {
      relay.wake()
      sealer.wake()
    },
  })
  const live = createLiveFeed({ db, clock, log, pollMs: alone ? 2_000 : 1_000 })
  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} failed`)
  const tenantKeys = createTenantKeys({ db, kek: input.kek, clock, random, changes: live })
  const signingKeys = createSigningKeys({
    db,
    kek: input.kek,
    clock,
    random,
    changes: live,
    failed: failed('reading signing keys'),
  })
  const auth = createAuth({
    db,
    clock,
    random,
    keys: signingKeys,
    platformKeys,
    changes: live,
    publicUrl: config.publicUrl,
    failed: failed('reading revocations'),
  })
  const tail = createTail({ db, clock, log, pollMs })
  const chain = createChainVerifier({ db, clock, keys: signingKeys })
  const egress = createEgress({ allowedPrivate: config.privateUpstreams, ports: [], now: clock.monotonic })
  const tenants = (): Promise<readonly TenantId[]> => tenantsWithKeys(db)

  const kernel: Kernel = {
    config,
    clock,
    random,
    db,
    egress,
    platformKeys,
    tenantKeys,
    signingKeys,
    auth,
    live,
    tail,
    chain,
    log,
    metrics,
    node,
    tenants,
    limits: adapters.limits,
    cache: adapters.cache,
    blobs: adapters.blobs,
    get routes() {
      return modules.routes
    },
    trustReports: (tx, at) => modules.trustReports(tx, at),
    seedTenant: (tx) => modules.seedTenant(tx),
    background: (name, work) => {
      work.catch((error: unknown) => {
        meter.count('background_failures_total')
        log.error({ work: name, err: error }, 'background work failed')
      })
    },
  }
  const modules = assembleModules(kernel, input.modules)
  const registered = <T>(owned: readonly { readonly declared: T; readonly services: unknown }[]) =>
    owned.map(({ declared, services }) => ({ declaration: declared, services }))
  const loop = { db, clock, log, meter, node, pollMs, kernel: () => kernel }
  const handlers = createHandlers({ ...loop, handlers: registered(modules.handlers) })
  const worker = createWorker({ ...loop, random, jobs: registered(modules.jobs) })
  const schedule = createSchedule({
    db,
    clock,
    random,
    log,
    tenants,
    jobs: modules.jobs.map((job) => job.declared),
    enqueued: () => worker.wake(clock.now()),
  })
  const relay = createRelay({
    ...loop,
    moved: () => {
      tail.wake()
      handlers.wake()
      hint('ev.log')
    },
  })
  const checkpointer = createCheckpointer({
    ...loop,
    random,
    tenants,
    keys: signingKeys,
    sinks: [createFolderSink(join(config.dataDir, 'checkpoints'))],
  })
  const sealer = createSealer({ ...loop, checkpointDue: () => checkpointer.wake() })
  const housekeeping = createHousekeeping({
    clock,
    log,
    meter,
    chores: chores({ db, clock, events: input.modules.flatMap((module) => module.emits) }),
  })

  const lifecycle = createLifecycle({ log, clock })
  const activities: readonly Activity[] = [
    { name: 'adapters', start: async () => {}, stop: () => closing(egress.close(), adapters.close(), db.close()) },
    { name: 'signing keys', start: () => signingKeys.ensure(), stop: async () => signingKeys.stop() },
    { name: 'tenant keys', start: () => tenantKeys.start(), stop: async () => tenantKeys.stop() },
    { name: 'change feed', start: () => live.start(), stop: () => live.stop() },
    { name: 'authentication', start: () => auth.start(), stop: async () => auth.stop() },
    { name: 'event tail', start: () => tail.start(), stop: () => tail.stop() },
    relay,
    sealer,
    checkpointer,
    handlers,
    worker,
    schedule,
    housekeeping,
    listening(adapters, { log: () => relayed(), changes: () => live.wake() }),
    ...modules.activities,
  ]
  const relayed = (): void => {
    tail.wake()
    handlers.wake()
  }
  for (const activity of activities) lifecycle.add(activity)
  return { kernel, modules, lifecycle, unready: () => unready(kernel) }
}

/** What the bus says is only that looking now is worth it. */
function listening(adapters: Adapters, heard: { readonly log: () => void; readonly changes: () => void }): Activity {
  const ends: (() => Promise<void>)[] = []
  return {
    name: 'bus',
    start: async () => {
      ends.push(await adapters.bus.subscribe('ev', heard.log), await adapters.bus.subscribe('ctl', heard.changes))
    },
    stop: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}

async function closing(...closings: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(closings)
}

/** A tenant has a data key from its first moment to its deletion, so the keys are the list of tenants. */
async function tenantsWithKeys(db: Database): Promise<readonly TenantId[]> {
  const rows = await db.system('list tenants', (tx) =>
    tx.query(sql<{ tenant_id: TenantId }>`select distinct tenant_id from tenant_data_key`),
  )
  return rows.map((row) => row.tenant_id)
}

async function unready(kernel: Kernel): Promise<readonly string[]> {
  const reasons: string[] = []
  await kernel.db.ping().catch(() => reasons.push('database'))
  if (kernel.live.lastContactMs() > 10_000) reasons.push('change feed')
  return reasons
}
