/**
 * The form a route is declared in. A declaration is enough to serve, document and test the route; a declaration
 * without a required part (an audit action, an item schema) is refused when the program starts. Tested in
 * module.test.ts.
 */

import type { Static, TObject, TSchema } from 'typebox'
import type { RequiredPermission } from '../access/actor.ts'
import type { Method } from '../access/method.ts'
import type { Page, Table } from '../db/table.ts'
import type { DeclaredError } from '../errors/errors.ts'
import type { RateClass } from '../limits/rate-class.ts'
import type { RawForm } from './raw-form.ts'
import type { Answer, StreamAnswer, SuccessStatus, Versioned } from './route-answers.ts'
import type { PathParams, RouteContext, Unread } from './route-context.ts'
import { refuseIncomplete } from './route-rules.ts'
import type { UploadDeclaration } from './upload.ts'

export {
  Answer,
  BlobAnswer,
  EndlessAnswer,
  FileAnswer,
  PageFileAnswer,
  StreamAnswer,
  type SuccessStatus,
  type Trailers,
  Versioned,
} from './route-answers.ts'
export type { PathParams, RequestInfo, RouteContext, Unread } from './route-context.ts'
export type { ReceivedBytes, UploadDeclaration, UploadedFile } from './upload.ts'

const bodiless: ReadonlySet<number> = new Set([204, 303])

/** Whether a success has no body: by its status, or in a form of others by the schema of null. */
export function isBodiless(raw: RawForm | null, [status, schema]: readonly [status: number, schema: TSchema]): boolean {
  return bodiless.has(status) || (raw !== null && 'type' in schema && schema.type === 'null')
}

/** In bytes, or as the operator sets it for model calls. */
export type BodyLimit = number | 'model_call'

export type HandlerResult<T> = T | Answer<T> | StreamAnswer

/** An item of a list; one whose schema was made by `listed` is given with its version and gets its tag from the kernel. */
type Listed<T> = T | (T extends { readonly etag: string } ? Versioned<Omit<T, 'etag'>> : never)

export interface ListDeclaration {
  readonly table: Table
  /** For instance `-created_at`; the sort column must be one of the table's. */
  readonly default: string
}

export interface RouteInput<
  S,
  Path extends string,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  A extends TSchema = never,
> {
  readonly permission: RequiredPermission
  readonly summary: string
  readonly description?: string
  /** Parameters that are not UUIDs. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: Q
  readonly body?: B
  /** Status and the schema of `data`; for lists the schema of one item. */
  readonly returns: readonly [status: SuccessStatus, schema: R]
  /** Other successes, each with its schema: `new Answer(data, { status })`. */
  readonly alternatives?: readonly (readonly [status: SuccessStatus, schema: A])[]
  readonly list?: ListDeclaration
  /** Action name of the audit entry that every successful change leaves. Required on everything but GET. */
  readonly audit?: string
  readonly rateClass?: RateClass
  readonly errors?: readonly DeclaredError[]
  /** Also answers a stream of this media type when the body asks for one. */
  readonly streams?: 'text/event-stream'
  /** Answers a file of one of these media types, as a stream and without the envelope. */
  readonly files?: readonly string[]
  /** The file is stored (`BlobAnswer`): parts of it are answered to `Range`. */
  readonly ranges?: boolean
  /** The body carries a file. */
  readonly upload?: UploadDeclaration
  /** Milliseconds in which the request has to be there whole; default 30,000 and of uploads 3,600,000. */
  readonly timeLimitMs?: number
  /** Bytes, or what the operator sets for model calls; default 1 MiB. */
  readonly bodyLimit?: BodyLimit
  /** Body form fixed by a vendor or standard: unknown members pass. */
  readonly open?: boolean
  /** The body is `application/x-www-form-urlencoded`, as browsers and identity providers post it; each field is text. */
  readonly form?: boolean
  /** Browsers open the address: a refusal is a page for callers that accept `text/html`. */
  readonly opensInBrowser?: boolean
  /** Text may hold NUL and lone surrogates, because it is stored as bytes. */
  readonly anyText?: boolean
  /** Whole numbers of any length keep their digits, because the body is passed on; see `exact-json.ts`. */
  readonly exactNumbers?: boolean
  /** Answers in a vendor's form, without the envelope. The handler's answer is written as it is, not by its schema. */
  readonly raw?: RawForm
  /** A POST that only asks: a matching `If-None-Match` is answered with 304, as for GET. */
  readonly conditional?: boolean
  /** The handler opens its own transactions; idempotency is then kept in two steps. */
  readonly ownTransactions?: boolean
  /** A suspended tenant may still call it. */
  readonly whileSuspended?: boolean
  /** Answers before the first administrator exists. */
  readonly beforeSetup?: boolean
  /**
   * Takes tokens of outside issuers that are bound to a service account (`iamApi.bindOutsideToken`). Default where the
   * permission is `agent`.
   */
  readonly outsideTokens?: boolean
  /**
   * Called before a stored answer is given again for an `Idempotency-Key`: its exception is the answer instead. For
   * data that may have been forbidden since. Gets the stored answer and its headers.
   */
  readonly guard?: (
    context: RouteContext<S, PathParams<Path>, Static<Q>, Static<B>>,
    given: Static<R>,
    headers: Readonly<Record<string, string>>,
  ) => void | Promise<void>
  /** Called for unreadable bodies or queries, where every call must be recorded. Its exception is the answer. */
  readonly unread?: (call: Unread<S>) => Promise<void>
  readonly handler: (
    context: RouteContext<S, PathParams<Path>, Static<Q>, Static<B>>,
  ) => Promise<HandlerResult<Static<R>> | Answer<Static<A>> | Page<Listed<Static<R>>> | Answer<Page<Static<R>>>>
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
  readonly returns: readonly [status: SuccessStatus, schema: TSchema]
  readonly alternatives: readonly (readonly [status: SuccessStatus, schema: TSchema])[]
  readonly list: ListDeclaration | null
  readonly audit: string | null
  readonly rateClass: RateClass
  readonly errors: readonly DeclaredError[]
  readonly streams: 'text/event-stream' | null
  readonly files: readonly string[]
  readonly ranges: boolean
  readonly upload: UploadDeclaration | null
  /** Null for the common limit. */
  readonly timeLimitMs: number | null
  readonly bodyLimit: BodyLimit
  readonly open: boolean
  readonly form: boolean
  readonly opensInBrowser: boolean
  readonly anyText: boolean
  readonly exactNumbers: boolean
  readonly raw: RawForm | null
  readonly conditional: boolean
  readonly ownTransactions: boolean
  readonly whileSuspended: boolean
  readonly beforeSetup: boolean
  readonly outsideTokens: boolean
  readonly guard:
    | ((
        context: RouteContext<never, never, never, never>,
        given: unknown,
        headers: Readonly<Record<string, string>>,
      ) => void | Promise<void>)
    | null
  readonly unread: ((call: Unread<never>) => Promise<void>) | null
  readonly handler: (context: RouteContext<never, never, never, never>) => Promise<unknown>
}

type EmptyObject = TObject<Record<never, never>>

type RouteBuilder<S> = <
  Path extends string,
  Q extends TObject = EmptyObject,
  B extends TSchema = EmptyObject,
  R extends TSchema = TSchema,
  A extends TSchema = never,
>(
  path: Path,
  input: RouteInput<S, Path, Q, B, R, A>,
) => Route

/** The route builders of one module; `S` is what its handlers get as `services`. */
export function routesOf<S>(): Readonly<Record<'get' | 'post' | 'put' | 'patch' | 'delete', RouteBuilder<S>>> {
  const builder =
    (method: Method): RouteBuilder<S> =>
    (path, input) =>
      declareRoute(method, path, input as unknown as RouteInput<unknown, string, TObject, TSchema, TSchema>)
  return {
    get: builder('GET'),
    post: builder('POST'),
    put: builder('PUT'),
    patch: builder('PATCH'),
    delete: builder('DELETE'),
  }
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
    alternatives: input.alternatives ?? [],
    list: input.list ?? null,
    audit: input.audit ?? null,
    rateClass: input.rateClass ?? (input.permission === 'public' ? 'credential' : 'api'),
    errors: input.errors ?? [],
    streams: input.streams ?? null,
    files: input.files ?? [],
    ranges: input.ranges ?? false,
    upload: input.upload ?? null,
    timeLimitMs: input.timeLimitMs ?? (input.upload === undefined ? null : 3_600_000),
    bodyLimit: input.bodyLimit ?? 1_048_576,
    open: input.open ?? false,
    form: input.form ?? false,
    opensInBrowser: input.opensInBrowser ?? false,
    anyText: input.anyText ?? false,
    exactNumbers: input.exactNumbers ?? false,
    raw: input.raw ?? null,
    conditional: input.conditional ?? method === 'GET',
    ownTransactions: input.ownTransactions ?? input.permission === 'public',
    whileSuspended: input.whileSuspended ?? method === 'GET',
    beforeSetup: input.beforeSetup ?? false,
    outsideTokens: input.outsideTokens ?? input.permission === 'agent',
    guard: (input.guard ?? null) as Route['guard'],
    unread: (input.unread ?? null) as Route['unread'],
    handler: input.handler as unknown as Route['handler'],
  }
  refuseIncomplete(route)
  return route
}
