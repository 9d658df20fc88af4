import type { RequiredPermission, TenantId } from './access/actor.ts'
import type { Gate } from './access/gate.ts'
import type { Method } from './access/method.ts'
import type { ModuleName } from './access/permissions.ts'
import type { AuditRetention } from './audit/cut.ts'
import type { ChainVerifier } from './audit/verify.ts'
import type { AuthKernel } from './auth/port.ts'
import type { Backups } from './backup/backups.ts'
import type { Clock } from './base/clock.ts'
import type { Blobs } from './blobs/port.ts'
import type { Cache } from './cache/port.ts'
import type { Config } from './config/load.ts'
import type { Random } from './crypto/random.ts'
import type { DataRegistry } from './data-registry/data-registry.ts'
import type { Database, Tx } from './db/port.ts'
import type { Table } from './db/table.ts'
import type { Egress } from './egress/fetch.ts'
import type { EventTail } from './events/tail.ts'
import type { Faults } from './faults/seams.ts'
import type { KeyAdministration } from './keys/administration.ts'
import type { Peppers, PlatformKeys, SealedColumn, SigningKeys, TenantKeys } from './keys/port.ts'
import type { Stopping } from './lifecycle/stopping.ts'
import type { Limiter } from './limits/port.ts'
import type { LiveFeed } from './live/feed.ts'
import type { Mailer } from './mail/port.ts'
import type { NamedSecrets } from './named-secrets/named-secrets.ts'
import type { LiveSecrets } from './observe/live-secrets.ts'
import type { Logger } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Telemetry } from './observe/otel/port.ts'
import type { Settings } from './settings/settings.ts'
import type { Spools } from './spool/spools.ts'
import type { Threads } from './threads/threads.ts'
import type { TrustReport } from './trust-signals.ts'
import type { Unpack } from './unpack/port.ts'
import type { Vectors } from './vectors/port.ts'

/** A kind of job, as far as others than its worker ask. */
export interface JobKind {
  readonly kind: string
  readonly maxAttempts: number
}

/** A declared route, as far as catalogues show it. */
export interface KernelRoute {
  readonly module: ModuleName
  /** As declared, with the prefix of its module. */
  readonly path: string
  readonly route: { readonly method: Method; readonly permission: RequiredPermission }
}

/** Services of the kernel for modules. Everything with a life in it is made once, at start, and handed down. */
export interface Kernel {
  readonly config: Config
  /** Values that change while the program runs. */
  readonly settings: Settings
  /** Refuses calls for reasons unrelated to their route, such as maintenance. */
  readonly gate: Gate
  /** Work that has a grace at shutdown, and the way to break it off afterwards. */
  readonly stopping: Stopping
  readonly clock: Clock
  readonly random: Random
  readonly db: Database
  /** Seams to inject faults into running work; inert until armed. */
  readonly faults: Faults
  readonly limits: Limiter
  readonly cache: Cache
  readonly blobs: Blobs
  /** For records that must not be lost while the database is away. */
  readonly spools: Spools
  readonly egress: Egress
  /** Keys that are named instead of stored. */
  readonly namedSecrets: NamedSecrets
  /** Secrets that were opened; every opener registers them. */
  readonly liveSecrets: LiveSecrets
  /** Letters, sent from jobs: a request never waits for the relay. */
  readonly mail: Mailer
  readonly platformKeys: PlatformKeys
  readonly tenantKeys: TenantKeys
  readonly signingKeys: SigningKeys
  readonly peppers: Peppers
  /** For the administration of keys; users of keys have the three above. */
  readonly keys: KeyAdministration
  readonly backups: Backups
  readonly auth: AuthKernel
  readonly live: LiveFeed
  readonly tail: EventTail
  readonly chain: ChainVerifier
  readonly auditRetention: AuditRetention
  /** For work that would stop the event loop: more than 20 ms of the processor. */
  readonly threads: Threads
  /** Nearest vectors, exactly; see `kernel/vectors`. */
  readonly vectors: Vectors
  /** The only place that opens archives, office files, PDF, HTML, e-mail and YAML of others. */
  readonly unpack: Unpack
  readonly log: Logger
  readonly metrics: Metrics
  /** Null where no collector is configured. */
  readonly telemetry: Telemetry | null
  /** Identifies this process among its peers. */
  readonly node: string
  /** Every declared route with its full path, for catalogues. */
  readonly routes: readonly KernelRoute[]
  /** Every kind of job there is. */
  readonly jobKinds: ReadonlyMap<string, JobKind>
  /** Every table of the program, the kernel's own included. */
  readonly tables: readonly Table[]
  /** The personal data of every table, and the legal holds that keep it. */
  readonly dataRegistry: DataRegistry
  /** Every column encrypted under data keys. */
  readonly sealed: readonly SealedColumn[]
  /** Asks every module for its terms of the trust score. */
  trustReports(tx: Tx, at: string): Promise<readonly { readonly module: ModuleName; readonly report: TrustReport }[]>
  /** Lets every module put a new tenant's first rows in place. */
  seedTenant(tx: Tx): Promise<void>
  /** Runs work that no caller waits for; its failure is logged and counted. */
  background(name: string, work: Promise<unknown>): void
  /** All tenants that are not deleted, for schedules. */
  tenants(): Promise<readonly TenantId[]>
}
