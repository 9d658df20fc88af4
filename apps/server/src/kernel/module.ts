/**
 * A module is data: routes, tables, events, jobs and signals are declared in one manifest, and validation, OpenAPI,
 * AsyncAPI, row-level security checks and the generated tests are derived from it. This file holds the forms of those
 * declarations and refuses incomplete ones; it runs nothing. Tested in module.test.ts.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { Actor, RequiredPermission } from './auth/actor.ts'
import type { ModuleName } from './auth/permissions.ts'
import type { Tx } from './db/port.ts'
import type { Page, PageRequest, Table } from './db/table.ts'
import type { EventDefinition } from './events/catalogue.ts'
import type { DeclaredError, ErrorCatalogue } from './http/errors.ts'
import type { Kernel } from './kernel.ts'
import { refuseIncomplete } from './route-rules.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type RateClass = 'api' | 'inference' | 'expensive' | 'credential'

/** Names in braces of a path are its parameters. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParams<Rest>]: string }
  : Readonly<Record<never, string>>

export interface RequestInfo {
  readonly id: string
  readonly path: string
  readonly ip: string
  readonly userAgent: string | null
  readonly traceparent: string
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  header(name: string): string | undefined
}

export interface RouteContext<S, Params, Query, Body> {
  /** The caller's tenant transaction; begins with its first statement, commits after the answer was made. */
  readonly tx: Tx
  readonly actor: Actor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Of list routes: where the page begins. */
  readonly page: PageRequest
  readonly services: S
  readonly kernel: Kernel
  readonly request: RequestInfo
  /** Compares `If-Match` with the row's version. @throws API-012 */
  expectVersion(version: number): void
}

/** What a handler answers when the plain resource is not enough. */
export class Answer<T> {
  readonly data: T
  /** Row version; becomes the first part of the ETag. */
  readonly version: number | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly location: string | null

  constructor(data: T, extra: Partial<Pick<Answer<T>, 'version' | 'meta' | 'headers' | 'location'>> = {}) {
    this.data = data
    this.version = extra.version ?? null
    this.meta = extra.meta ?? {}
    this.headers = extra.headers ?? {}
    this.location = extra.location ?? null
  }
}

/** A stream of already encoded frames; the kernel adds the common headers and ends it when the client goes away. */
export class StreamAnswer {
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Uint8Array>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    contentType: string,
    chunks: AsyncIterable<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType
    this.chunks = chunks
    this.headers = headers
  }
}

export type HandlerResult<T> = T | Answer<T> | StreamAnswer

export interface ListDeclaration {
  readonly table: Table
  /** For instance `-created_at`; the sort column must be one of the table's. */
  readonly default: string
}

export interface RouteInput<S, Path extends string, Q extends TObject, B extends TSchema, R extends TSchema> {
  readonly permission: RequiredPermission
  readonly summary: string
  readonly description?: string
  /** Parameters that are not UUIDs. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: Q
  readonly body?: B
  /** Status and the schema of `data`; for lists the schema of one item. */
  readonly returns: readonly [status: 200 | 201, schema: R]
  readonly list?: ListDeclaration
  /** Action name of the audit entry that every successful change leaves. Required on everything but GET. */
  readonly audit?: string
  readonly rateClass?: RateClass
  readonly errors?: readonly DeclaredError[]
  /** Also answers a stream of this media type when the body asks for one. */
  readonly streams?: 'text/event-stream'
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number
  /** Body form fixed by a vendor or standard: unknown members pass. */
  readonly open?: boolean
  /** Text may hold NUL and lone surrogates, because it is stored as bytes. */
  readonly anyText?: boolean
  /** The handler opens its own transactions; idempotency is then kept in two steps. */
  readonly ownTransactions?: boolean
  /** A suspended tenant may still call it. */
  readonly whileSuspended?: boolean
  /** Answers before the first administrator exists. */
  readonly beforeSetup?: boolean
  readonly handler: (
    context: RouteContext<S, PathParams<Path>, Static<Q>, Static<B>>,
  ) => Promise<HandlerResult<Static<R>> | Page<Static<R>>>
}

export interface Route {
  readonly method: Method
  /** Below `/api/v1/<prefix>`; parameters in braces. */
  readonly path: string
  readonly permission: RequiredPermission
  readonly summary: string
  readonly description: string | null
  readonly params: Readonly<Record<string, TSchema>>
  readonly query: TObject | null
  readonly body: TSchema | null
  readonly returns: readonly [status: 200 | 201, schema: TSchema]
  readonly list: ListDeclaration | null
  readonly audit: string | null
  readonly rateClass: RateClass
  readonly errors: readonly DeclaredError[]
  readonly streams: 'text/event-stream' | null
  readonly bodyLimit: number
  readonly open: boolean
  readonly anyText: boolean
  readonly ownTransactions: boolean
  readonly whileSuspended: boolean
  readonly beforeSetup: boolean
  readonly handler: (context: RouteContext<never, never, never, never>) => Promise<unknown>
}

type EmptyObject = TObject<Record<never, never>>

type RouteBuilder<S> = <
  Path extends string,
  Q extends TObject = EmptyObject,
  B extends TSchema = EmptyObject,
  R extends TSchema = TSchema,
>(
  path: Path,
  input: RouteInput<S, Path, Q, B, R>,
) => Route

/** The route builders of one module; `S` is what its handlers get as `services`. */
export function routesOf<S>(): Readonly<Record<'get' | 'post' | 'patch' | 'delete', RouteBuilder<S>>> {
  const builder =
    (method: Method): RouteBuilder<S> =>
    (path, input) =>
      declareRoute(method, path, input as unknown as RouteInput<unknown, string, TObject, TSchema, TSchema>)
  return { get: builder('GET'), post: builder('POST'), patch: builder('PATCH'), delete: builder('DELETE') }
}

function declareRoute(
  method: Method,
  path: string,
  input: RouteInput<unknown, string, TObject, TSchema, TSchema>,
): Route {
  const route: Route = {
    method,
    path,
    permission: input.permission,
    summary: input.summary,
    description: input.description ?? null,
    params: input.params ?? {},
    query: input.query ?? null,
    body: input.body ?? null,
    returns: input.returns,
    list: input.list ?? null,
    audit: input.audit ?? null,
    rateClass: input.rateClass ?? (input.permission === 'public' ? 'credential' : 'api'),
    errors: input.errors ?? [],
    streams: input.streams ?? null,
    bodyLimit: input.bodyLimit ?? 1_048_576,
    open: input.open ?? false,
    anyText: input.anyText ?? false,
    ownTransactions: input.ownTransactions ?? input.permission === 'public',
    whileSuspended: input.whileSuspended ?? method === 'GET',
    beforeSetup: input.beforeSetup ?? false,
    handler: input.handler as unknown as Route['handler'],
  }
  refuseIncomplete(route)
  return route
}

/** One SQL text, applied once, in the order of modules and numbers. */
export interface Migration {
  /** `<module>-<NNNN>-<name>` */
  readonly id: string
  readonly sql: string
}

/** An event as handlers and sockets see it. */
export interface LoggedEvent {
  readonly position: number
  readonly id: string
  readonly tenantId: string
  readonly channel: string
  readonly sequence: number
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly data: Readonly<Record<string, unknown>>
  readonly traceparent: string | null
  readonly causationDepth: number
}

/**
 * Reacts to logged events. Runs at least once per event, in one transaction per tenant and batch that also remembers
 * which events were handled, so an event never takes effect twice. Batches keep the order of the log.
 */
export interface EventHandlerDeclaration<S> {
  readonly name: string
  readonly channels: readonly string[]
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
  readonly tenantId: Tx['tenantId']
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempt: number
  readonly signal: AbortSignal
  readonly services: S
  readonly kernel: Kernel
  progress(fraction: number): Promise<void>
}

export interface JobDeclaration<S> {
  readonly kind: string
  readonly maxAttempts: number
  /** Milliseconds after which a silent worker is taken for dead. */
  readonly leaseMs: number
  /** Milliseconds between runs, once per tenant; null for jobs that are only enqueued. */
  readonly everyMs: number | null
  readonly run: (context: JobContext<S>) => Promise<void>
}

/** A raw term of the trust score. Either a proportion with its count or a value; never something a person typed in. */
export interface TrustSignal {
  readonly id: string
  readonly good: number | null
  readonly value: number | null
  readonly n: number | null
  readonly observed_at: string | null
  readonly source_ref: string | null
  /** Of event signals: what happened, and when its source was not watching. */
  readonly events?: readonly {
    readonly severity: 'low' | 'medium' | 'high' | 'critical'
    readonly at: string
    readonly closed_at?: string
  }[]
  readonly pauses?: readonly { readonly from: string; readonly to: string }[]
}

export interface TrustReport {
  readonly signals: readonly TrustSignal[]
  readonly caps: readonly { readonly id: string; readonly active: boolean }[]
}

/** What another module may call, typed by the owner's `api.ts` and filled at start. */
export interface ApiKey<A> {
  readonly module: ModuleName
  readonly api?: A
}

export function defineApi<A>(module: ModuleName): ApiKey<A> {
  return { module }
}

export type UseApi = <A>(key: ApiKey<A>) => A

/** Background activity with a life: started after the modules, stopped before the ports close. */
export interface Activity {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ModuleInput<S, A> {
  readonly name: ModuleName
  /** Below `/api/v1`; routes of the authentication preface name their own. */
  readonly prefix: string
  readonly errors: ErrorCatalogue
  readonly tables: readonly Table[]
  readonly migrations: readonly Migration[]
  readonly routes: readonly Route[]
  /** Routes at another prefix, for instance `auth`. */
  readonly extraRoutes?: Readonly<Record<string, readonly Route[]>>
  readonly emits: readonly EventDefinition[]
  readonly handles?: readonly EventHandlerDeclaration<S>[]
  readonly jobs?: readonly JobDeclaration<S>[]
  /** Makes what the module's handlers work with; `use` gives other modules' APIs along the allowed arrows. */
  readonly services: (kernel: Kernel, use: UseApi) => S
  readonly api?: (services: S) => A
  readonly activities?: (services: S) => readonly Activity[]
  readonly signals?: (services: S, tx: Tx, at: string) => Promise<TrustReport>
  /** Puts a new tenant's first rows in place, in the transaction that makes the tenant. */
  readonly seed?: (services: S, tx: Tx) => Promise<void>
}

export interface Module {
  readonly name: ModuleName
  readonly prefix: string
  readonly errors: ErrorCatalogue
  readonly tables: readonly Table[]
  readonly migrations: readonly Migration[]
  readonly routes: readonly { readonly prefix: string; readonly route: Route }[]
  readonly emits: readonly EventDefinition[]
  readonly handles: readonly EventHandlerDeclaration<unknown>[]
  readonly jobs: readonly JobDeclaration<unknown>[]
  readonly services: (kernel: Kernel, use: UseApi) => unknown
  readonly api: (services: unknown) => unknown
  readonly activities: (services: unknown) => readonly Activity[]
  readonly signals: ((services: unknown, tx: Tx, at: string) => Promise<TrustReport>) | null
  readonly seed: (services: unknown, tx: Tx) => Promise<void>
}

export function defineModule<S, A = undefined>(input: ModuleInput<S, A>): Module {
  const erased = input as unknown as ModuleInput<unknown, unknown>
  return {
    name: input.name,
    prefix: input.prefix,
    errors: input.errors,
    tables: input.tables,
    migrations: input.migrations,
    routes: [
      ...input.routes.map((route) => ({ prefix: input.prefix, route })),
      ...Object.entries(input.extraRoutes ?? {}).flatMap(([prefix, routes]) =>
        routes.map((route) => ({ prefix, route })),
      ),
    ],
    emits: input.emits,
    handles: erased.handles ?? [],
    jobs: erased.jobs ?? [],
    services: erased.services,
    api: erased.api ?? (() => undefined),
    activities: erased.activities ?? (() => []),
    signals: erased.signals ?? null,
    seed: erased.seed ?? (async () => {}),
  }
}
