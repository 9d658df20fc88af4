/**
 * The parts of the kernel that answer when asked: keys, database, authentication, the change feed, the event log's tail.
 * Loops that work by themselves are assemble-loops.ts.
 */

import { join } from 'node:path'
import type { TenantId } from '../access/actor.ts'
import { type CheckpointFolder, createFolderSink } from '../audit/checkpoint-sinks.ts'
import { type AuditRetention, createAuditRetention } from '../audit/cut.ts'
import { type ChainVerifier, createChainVerifier } from '../audit/verify.ts'
import type { RunningAuth } from '../auth/authenticate.ts'
import { identityPort } from '../auth/port.ts'
import type { Backups } from '../backup/backups.ts'
import type { Clock } from '../base/clock.ts'
import type { BlobStore, Blobs } from '../blobs/port.ts'
import type { Config } from '../config/load.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import type { Schema } from '../db/schema/prepare.ts'
import type { Egress } from '../egress/fetch.ts'
import { operatorEgress } from '../egress/operator-egress.ts'
import type { BusMessage } from '../events/bus/port.ts'
import { createTail, type EventTail } from '../events/tail.ts'
import { createFaults, type Faults } from '../faults/seams.ts'
import type { Kernel } from '../kernel.ts'
import type { KeyAdministration } from '../keys/administration.ts'
import type { KekProvider } from '../keys/kek/load.ts'
import type { KeyUses } from '../keys/key-uses.ts'
import type { TenantKeyStore } from '../keys/keys.ts'
import type { PepperStore } from '../keys/peppers.ts'
import { createPlatformKeys } from '../keys/platform-keys.ts'
import type { PlatformKeys } from '../keys/port.ts'
import type { SigningKeyStore } from '../keys/signing.ts'
import { tenantsWithKeys } from '../keys/tenants.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLiveFeed, type LocalLiveFeed } from '../live/feed.ts'
import type { Mailer } from '../mail/port.ts'
import { createMailer } from '../mail/smtp.ts'
import type { Module } from '../module/module.ts'
import type { Need, PortFilling } from '../module/ports/port.ts'
import { createNamedSecrets, type NamedSecrets } from '../named-secrets/named-secrets.ts'
import { createOwnAddresses, type OwnAddresses } from '../net/own-addresses.ts'
import { createLiveSecrets, type LiveSecrets } from '../observe/live-secrets.ts'
import type { Logger } from '../observe/log.ts'
import { createMeter, type Meter } from '../observe/meter.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import type { FileValues } from '../settings/file.ts'
import { createSpools, type Spools } from '../spool/spools.ts'
import { createThreads, type Threads } from '../threads/threads.ts'
import type { Unpack } from '../unpack/port.ts'
import { unpackEntry } from '../unpack/thread-entry.ts'
import { createUnpack } from '../unpack/unpack.ts'
import type { Adapters } from './adapters.ts'
import { assembleBlobs } from './blobs.ts'
import { backupsOf, openDatabase } from './core-database.ts'
import { identityParts } from './identity.ts'
import { kernelTasks } from './kernel-tasks.ts'

export interface AssembleInput {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly adapters: Adapters
  /** The key-encryption key: 32 bytes. */
  readonly kek: Uint8Array
  /** The one that replaces it, where one is set. */
  readonly nextKek?: Uint8Array | null
  /** Provider that keeps the first key; default: the caller keeps it. */
  readonly kekProvider?: Pick<KekProvider, 'relock'>
  /** Of the database, for backups. */
  readonly schema: Schema
  /** Secrets known to the log; default a list of its own, which no log reads. */
  readonly liveSecrets?: LiveSecrets
  /** Root of the installation's keys; the key-encryption key until that was replaced once. */
  readonly root?: Uint8Array
  readonly modules: readonly Module[]
  /** Values of the settings file; default none. */
  readonly fileValues?: FileValues
  /** The file threads start with: it serves the modules' tasks. */
  readonly threadEntry: URL
  /** Fillings by the program's starter: the health of parts opened earlier, for instance. */
  readonly fills?: readonly PortFilling<Kernel>[]
  /** Validates every event against its schema; on in tests. */
  readonly checkEvents: boolean
}

/**
 * Loops that a commit wakes. The loops are made after the database whose commits wake them, and are put in here then.
 */
export interface Wakes {
  relay(): void
  sealer(): void
  worker(runAt: number): void
}

export interface Core {
  readonly metrics: Metrics
  readonly meter: Meter
  readonly db: Database
  readonly faults: Faults
  readonly live: LocalLiveFeed
  readonly tail: EventTail
  readonly platformKeys: PlatformKeys
  readonly keyUses: KeyUses
  readonly tenantKeys: TenantKeyStore
  readonly signingKeys: SigningKeyStore
  readonly peppers: PepperStore
  readonly keys: KeyAdministration
  readonly backups: Backups
  readonly spools: Spools
  readonly auth: RunningAuth
  readonly chain: ChainVerifier
  readonly checkpoints: CheckpointFolder
  readonly auditRetention: AuditRetention
  readonly egress: Egress
  /** Told of the sockets that listen. */
  readonly ownAddresses: OwnAddresses
  readonly blobs: Blobs
  readonly blobStore: BlobStore
  readonly namedSecrets: NamedSecrets
  readonly liveSecrets: LiveSecrets
  readonly mail: Mailer
  readonly threads: Threads & Activity
  readonly unpack: Unpack & Activity
  readonly wakes: Wakes
  /** Milliseconds between polls. */
  readonly pollMs: number
  /** Tells other instances that looking now is worth it. */
  hint(subject: 'ev.log' | 'ctl.change'): void
  /** Whether a hint came from another instance: this one knew before it told. */
  foreign(message: Pick<BusMessage, 'body'>): boolean
  tenants(): Promise<readonly TenantId[]>
}

export function assembleCore(input: AssembleInput, need: Need): Core {
  const { config, clock, random, log, adapters, liveSecrets = createLiveSecrets() } = input
  const metrics = createMetrics()
  const platformKeys = createPlatformKeys(input.root ?? input.kek)
  const wakes = sleeping()
  const sender = Buffer.from(random.uuid())
  const hint = hintFrom(sender, input)
  // No other process writes to the embedded database, so every wake comes from this process; polling is a safety net.
  const alone = adapters.driver.kind === 'pglite'
  const pollMs = alone ? 5_000 : 1_000
  const faults = createFaults()
  const db = openDatabase(input, { platformKeys, wakes, faults, changed: (change) => announce(change) })
  const live = createLiveFeed({ db, clock, log, pollMs: alone ? 2_000 : 1_000 })
  const announce: LocalLiveFeed['committed'] = (change) => {
    live.committed(change)
    hint('ctl.change')
  }
  const trust = identityParts(input, { db, live, platformKeys, identity: need(identityPort) })
  const { egress, ownAddresses } = wayOut(input)
  const checkpoints = createFolderSink(config.checkpointDir ?? join(config.dataDir, 'checkpoints'))
  const chain = createChainVerifier({ db, clock, keys: trust.signingKeys, outside: checkpoints.read })
  return {
    metrics,
    meter: createMeter(metrics),
    ...{ db, faults, live },
    tail: createTail({ db, clock, log, pollMs }),
    platformKeys,
    ...trust,
    chain,
    checkpoints,
    auditRetention: createAuditRetention({ db, clock, random, keys: trust.signingKeys, chain, folder: checkpoints }),
    backups: backupsOf(input, { keys: trust.signingKeys, chain, egress, platformKeys, replaced: () => live.wake() }),
    spools: createSpools({ folder: join(config.dataDir, 'spool'), platformKeys, random }),
    ...{ egress, ownAddresses, liveSecrets },
    ...assembleBlobs(input, { db, egress, keys: trust.tenantKeys, need, faults }),
    namedSecrets: createNamedSecrets({ egress, clock, config, liveSecrets }),
    mail: createMailer(config),
    ...{ threads: threadsOf(input, metrics), unpack: createUnpack({ entry: unpackEntry, clock }) },
    wakes,
    pollMs,
    hint,
    foreign: ({ body }) => !sender.equals(body),
    tenants: () => tenantsWithKeys(db),
  }
}

function wayOut({ config, clock }: AssembleInput): Pick<Core, 'egress' | 'ownAddresses'> {
  const ownAddresses = createOwnAddresses(config.publicUrl)
  return { egress: operatorEgress(config, clock, ownAddresses), ownAddresses }
}

function hintFrom(sender: Uint8Array, { random, adapters }: AssembleInput): Core['hint'] {
  return (subject) => {
    void adapters.bus.publish({ subject, id: random.uuid(), body: sender })
  }
}

function threadsOf({ config, clock, threadEntry, modules }: AssembleInput, metrics: Metrics): Threads & Activity {
  const tasks = [...kernelTasks, ...modules.flatMap((module) => module.tasks)]
  const { threads: size, longThreads: longSize, threadMemoryMb: memoryMb } = config
  return createThreads({ entry: threadEntry, tasks, size, longSize, memoryMb, clock, metrics })
}

function sleeping(): Wakes {
  return { relay: () => undefined, sealer: () => undefined, worker: () => undefined }
}
