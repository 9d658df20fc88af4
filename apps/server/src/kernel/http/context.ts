import type { Actor } from '../access/actor.ts'
import type { Tx } from '../db/port.ts'
import type { PageRequest } from '../db/table.ts'
import { authErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import type { ReceivedBytes, RequestInfo, RouteContext, UploadedFile } from '../module/route.ts'
import { type RepeatableCall, repeatableCall } from '../second-person/call.ts'
import { type Precondition, preconditionOf } from './answer/etag.ts'
import type { Call } from './call.ts'
import type { ListWalk } from './list.ts'
import type { PlacedRoute } from './parts.ts'

interface RouteCallParts {
  readonly kernel: Kernel
  readonly call: Call
  /** Null where the route opens its own transactions. */
  readonly tx: (() => Tx) | null
  readonly input: {
    readonly params: Readonly<Record<string, string>>
    readonly query: Record<string, unknown>
    readonly body: unknown
    readonly upload: UploadedFile | null
    readonly received: ReceivedBytes | null
    readonly walk: ListWalk | null
  }
}

const noPage: PageRequest = { limit: 50, sort: 'id', descending: true, after: null, total: null }

/**
 * The context of a handler. The types of its route say more than this class can: the builder's types are what handlers
 * see.
 */
export class RouteCall implements RouteContext<never, never, never, never> {
  readonly #placed: PlacedRoute
  readonly #parts: RouteCallParts

  constructor(placed: PlacedRoute, parts: RouteCallParts) {
    this.#placed = placed
    this.#parts = parts
  }

  get tx(): Tx {
    if (this.#parts.tx === null) throw new TypeError(`${this.#placed.path} opens its own transactions`)
    return this.#parts.tx()
  }

  get actor(): Actor {
    if (this.#parts.call.actor === null) throw authErrors.missing()
    return this.#parts.call.actor
  }

  get params(): never {
    return this.#parts.input.params as never
  }

  get query(): never {
    return this.#parts.input.query as never
  }

  get body(): never {
    return this.#parts.input.body as never
  }

  get upload(): UploadedFile {
    if (this.#parts.input.upload === null) throw new TypeError(`${this.#placed.path} declares no upload`)
    return this.#parts.input.upload
  }

  get received(): ReceivedBytes {
    if (this.#parts.input.received === null) throw new TypeError(`${this.#placed.path} receives no bytes`)
    return this.#parts.input.received
  }

  get page(): PageRequest {
    return this.#parts.input.walk?.page ?? noPage
  }

  get services(): never {
    return this.#placed.services as never
  }

  get kernel(): Kernel {
    return this.#parts.kernel
  }

  get request(): RequestInfo {
    return this.#parts.call
  }

  get precondition(): Precondition {
    return preconditionOf(this.#parts.call.header('if-match'))
  }

  get repeatable(): RepeatableCall {
    const { query, body } = this.#parts.input
    return repeatableCall({ route: `${this.#placed.route.method} ${this.#parts.call.path}`, query, body })
  }
}
