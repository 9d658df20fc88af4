/**
 * A module is data: routes, tables, events, jobs and signals are declared in one manifest, and validation, OpenAPI,
 * AsyncAPI, row-level security checks and the generated tests are derived from it. This file holds the forms of those
 * declarations and refuses incomplete ones; it runs nothing. Tested in module.test.ts.
 */

import type { ModuleName } from '../access/permissions.ts'
import type { Lane } from '../base/lane.ts'
import type { Tx } from '../db/port.ts'
import type { Migration } from '../db/schema/migration.ts'
import type { SqlPart } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { ErrorCatalogue } from '../errors/errors.ts'
import type { EventDefinition } from '../events/catalogue/catalogue.ts'
import type { LoggedEvent } from '../events/catalogue/logged-event.ts'
import type { FactDefinition } from '../facts/define.ts'
import type { JobKind, Kernel } from '../kernel.ts'
import type { SealedColumn } from '../keys/port.ts'
import type { Activity } from '../lifecycle/activity.ts'
import type { SettingDefinition } from '../settings/define.ts'
import type { Journey } from '../threads/thread.ts'
import type { AnyThreadTask, ThreadTask } from '../threads/thread-task.ts'
import type { TrustReport } from '../trust-signals.ts'
import type { Need, Port, PortFilling } from './ports/port.ts'
import type { Route } from './route.ts'

/**
 * Reacts to logged events. Runs at least once per event, in one transaction per tenant and batch that also remembers
 * which events were handled, so an event never takes effect twice. Batches keep the order of the log.
 */
export interface EventHandlerDeclaration<S> {
  readonly name: string
  /** Names, and patterns as sockets have them: whole segments and a `*` at the end (`aegis.*`, `*`). */
  readonly channels: readonly string[]
  /**
   * Selects the events with work to do: a condition on `event.tenant_id` and `event.channel`, evaluated together with
   * the read of the log for all tenants, so that a tenant without rules costs no run. It sees everything committed
   * before an event. It reads tables of the system role, and of others the columns in their `dueBy`. Default: all of
   * the channels.
   */
  readonly interest?: () => SqlPart
  readonly handle: (context: EventBatch<S>) => Promise<void>
}

export interface EventBatch<S> {
  readonly tx: Tx
  /** At least one; all of the transaction's tenant and none handled before. */
  readonly events: readonly LoggedEvent[]
  readonly services: S
  readonly kernel: Kernel
}

export interface JobContext<S> {
  readonly id: string
  readonly tenantId: Tx['tenantId']
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempt: number
  /** Aborts when the job is cancelled, taken over or late, and when the process ends. */
  readonly signal: AbortSignal
  readonly services: S
  readonly kernel: Kernel
  progress(fraction: number): Promise<void>
  /**
   * Runs the task in a thread; its progress is the job's, and it ends with the job's signal.
   * @throws as `Threads.run`
   */
  thread<I, O>(task: ThreadTask<I, O>, input: I, options?: Pick<Journey, 'transfer'>): Promise<O>
  /**
   * A transaction of the job's tenant that commits only while the job is still this worker's: after `tx.cancel`, or after
   * another worker took it over, it is rolled back. @throws JobLost, and errors of the work
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for the last one: its effects and the end of the job are one commit, so that a job is never done without
   * them, nor cancelled with them.
   */
  complete(work: (tx: Tx) => Promise<void>): Promise<void>
  /** Result of a job that ends well, as JSON; the last call counts. */
  result(value: Readonly<Record<string, unknown>>): void
}

/** The moment for which a schedule asks whether work is due. */
export interface DueAt {
  /** ISO 8601. */
  readonly now: string
  /** ISO 8601 time that many milliseconds before now. */
  readonly ago: (ms: number) => string
}

export interface JobDeclaration<S> extends JobKind {
  /** Milliseconds after which a silent worker is taken for dead. */
  readonly leaseMs: number
  /** Milliseconds between runs, once per tenant; null for jobs that are only enqueued. */
  readonly everyMs: number | null
  /**
   * With `everyMs`: which tenants have work. A condition on `tenant.id`, asked once per period for all tenants; only
   * those it holds for get a job, so that idle tenants cost nothing. It reads tables of the system role, and of others
   * the columns in their `dueBy`. Default: every tenant.
   */
  readonly due?: (at: DueAt) => SqlPart
  /**
   * Default `quick`. Kinds that run longer than some seconds are `long`, those that wait for other systems `outside`; neither
   * ever takes the slots of quick ones.
   */
  readonly lane?: Lane
  /** Milliseconds one attempt may take; then it has failed. Default: six hours. */
  readonly deadlineMs?: number
  /** Jobs of this kind at a time on one instance; default as many as there are slots. */
  readonly mostAtOnce?: number
  /** Repeats once for the installation, as a job of its own tenant, instead of once per tenant. */
  readonly ofInstallation?: boolean
  readonly run: (context: JobContext<S>) => Promise<void>
}

/** Functions that another module may call, typed by the owner's `api.ts` and filled at start. */
export interface ApiKey<A> {
  readonly module: ModuleName
  readonly api?: A
}

export function defineApi<A>(module: ModuleName): ApiKey<A> {
  return { module }
}

export type UseApi = <A>(key: ApiKey<A>) => A

export interface ModuleInput<S, A> {
  readonly name: ModuleName
  /** The modules whose `api.ts` this one may call. Everything else goes by event. Default: none. */
  readonly uses?: readonly ModuleName[]
  /** The ports that this module reads. */
  readonly needs?: readonly Port[]
  /** The ports that this module answers, each with `fill`. */
  readonly fills?: readonly PortFilling<S>[]
  /** Below `/api/v1`; routes of the authentication preface name their own. */
  readonly prefix: string
  readonly errors: ErrorCatalogue
  readonly tables: readonly Table[]
  readonly migrations: readonly Migration[]
  readonly sealed?: readonly SealedColumn[]
  readonly routes: readonly Route[]
  /** Routes at another prefix, for instance `auth`; one that begins with a slash is not below `/api/v1`. */
  readonly extraRoutes?: Readonly<Record<string, readonly Route[]>>
  readonly emits: readonly EventDefinition[]
  readonly handles?: readonly EventHandlerDeclaration<S>[]
  readonly jobs?: readonly JobDeclaration<S>[]
  /** Settings that this module reads while it runs. */
  readonly settings?: readonly SettingDefinition[]
  /** Work for the processor; every task here is in `thread-tasks.ts` too, where threads find it. */
  readonly tasks?: readonly AnyThreadTask[]
  /**
   * Makes what the module's handlers work with; `use` gives the API of a module that stands in `uses`, `need` the reader
   * of a port that stands in `needs`.
   */
  readonly services: (kernel: Kernel, use: UseApi, need: Need) => S
  readonly api?: (services: S) => A
  readonly activities?: (services: S) => readonly Activity[]
  readonly signals?: (services: S, tx: Tx, at: string) => Promise<TrustReport>
  /** Facts that other modules may read by name, through `factsPort`. */
  readonly facts?: readonly FactDefinition<S>[]
  /** Puts a new tenant's first rows in place, in the transaction that makes the tenant. */
  readonly seed?: (services: S, tx: Tx) => Promise<void>
}

export interface Module {
  readonly name: ModuleName
  readonly uses: readonly ModuleName[]
  readonly needs: readonly Port[]
  readonly fills: readonly PortFilling<unknown>[]
  readonly prefix: string
  readonly errors: ErrorCatalogue
  readonly tables: readonly Table[]
  readonly migrations: readonly Migration[]
  readonly sealed: readonly SealedColumn[]
  readonly routes: readonly { readonly prefix: string; readonly route: Route }[]
  readonly emits: readonly EventDefinition[]
  readonly handles: readonly EventHandlerDeclaration<unknown>[]
  readonly jobs: readonly JobDeclaration<unknown>[]
  readonly settings: readonly SettingDefinition[]
  readonly tasks: readonly AnyThreadTask[]
  readonly services: (kernel: Kernel, use: UseApi, need: Need) => unknown
  readonly api: (services: unknown) => unknown
  readonly activities: (services: unknown) => readonly Activity[]
  readonly facts: readonly FactDefinition[]
  readonly signals: ((services: unknown, tx: Tx, at: string) => Promise<TrustReport>) | null
  readonly seed: (services: unknown, tx: Tx) => Promise<void>
}

export function defineModule<S, A = undefined>(input: ModuleInput<S, A>): Module {
  const erased = input as unknown as ModuleInput<unknown, unknown>
  return {
    name: input.name,
    uses: input.uses ?? [],
    needs: input.needs ?? [],
    fills: erased.fills ?? [],
    prefix: input.prefix,
    errors: input.errors,
    tables: input.tables,
    migrations: input.migrations,
    sealed: input.sealed ?? [],
    routes: [
      ...input.routes.map((route) => ({ prefix: input.prefix, route })),
      ...Object.entries(input.extraRoutes ?? {}).flatMap(([prefix, routes]) =>
        routes.map((route) => ({ prefix, route })),
      ),
    ],
    emits: input.emits,
    handles: erased.handles ?? [],
    jobs: erased.jobs ?? [],
    settings: erased.settings ?? [],
    tasks: erased.tasks ?? [],
    services: erased.services,
    api: erased.api ?? (() => undefined),
    activities: erased.activities ?? (() => []),
    facts: erased.facts ?? [],
    signals: erased.signals ?? null,
    seed: erased.seed ?? (async () => {}),
  }
}
