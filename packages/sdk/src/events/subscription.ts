/**
 * A subscription outlives its sockets: it authenticates, renews before the token runs out, comes back after a break and
 * goes on behind the last event the handler got. It does not hold events for a slow handler, and it stops for good when
 * the server says that coming back is pointless. Tested in subscription.test.ts.
 */

import { ProblemError } from '../http/problem.ts'
import { backoffMs } from '../http/retry.ts'
import type { Runtime } from '../http/runtime.ts'
import type { Session } from '../http/session.ts'
import { Connection } from './connection.ts'
import type { Ended, SubscribeOptions, Subscription } from './contract.ts'
import type { ErrorFrame, Frame, StreamEvent, Subscribed } from './frames.ts'
import { Positions, type Resume } from './positions.ts'
import { type SocketConstructor, streamAddress } from './socket.ts'

export interface SubscriptionInput {
  readonly baseUrl: string
  readonly session: Session
  readonly runtime: Runtime
  readonly WebSocket: SocketConstructor
  readonly channels: readonly string[]
  readonly handler: (event: StreamEvent) => void
  readonly options: SubscribeOptions
}

const subscribeRequest = 'subscribe'
const stops = new Set([4400, 4403])
const credentialRefused = 4401

export class OpenSubscription implements Subscription {
  readonly ready: Promise<Subscribed>
  readonly ended: Promise<Ended>
  readonly #input: SubscriptionInput
  readonly #positions: Positions
  readonly #settle: { readonly ready: (first: Subscribed) => void; readonly ended: (end: Ended) => void }
  #connection: Connection | null = null
  #cancelReturn: () => void = () => undefined
  #over = false
  readonly #onAbort = (): void => this.close()
  /** The token the open socket knows. */
  #used: string | null = null
  /** Whether this socket was told what to deliver. */
  #asked = false
  #renewed = false
  #attempt = 0
  #returnAfterMs: number | null = null

  constructor(input: SubscriptionInput) {
    this.#input = input
    this.#positions = new Positions(input.options.resume)
    const { promise: ended, resolve: end } = resolver<Ended>()
    const { promise: first, resolve: ready } = resolver<Subscribed>()
    this.#settle = { ready, ended: end }
    this.ended = ended
    this.ready = Promise.race([first, ended.then(refuse)])
    // A caller that does not wait for it must not be ended by it.
    this.ready.catch(() => undefined)
    input.options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (input.options.signal?.aborted === true) this.close()
    else this.#connect()
  }

  get positions(): Resume | undefined {
    return this.#positions.resume
  }

  close(): void {
    this.#end({ by: 'caller' })
  }

  #connect(): void {
    const { session, runtime, WebSocket, baseUrl } = this.#input
    this.#used = session.token
    if (this.#used === null) {
      this.#end({ by: 'credential', error: new Error('sign in first, or give the client an API key') })
      return
    }
    this.#asked = false
    this.#connection = new Connection({
      WebSocket,
      runtime,
      url: streamAddress(baseUrl),
      onOpen: () => this.#authenticate(),
      onFrame: (frame) => this.#read(frame),
      onClosed: (code, reason) => this.#closed(code, reason),
    })
  }

  #authenticate(): void {
    this.#connection?.send({ type: 'authenticate', token: this.#used })
  }

  #subscribe(): void {
    const { channels, options } = this.#input
    const { resume } = this.#positions
    this.#connection?.send({
      type: 'subscribe',
      channels,
      request: subscribeRequest,
      ...(resume === undefined ? {} : { resume }),
      ...(options.conflate === undefined ? {} : { conflate: options.conflate }),
      ...(options.tenantId === undefined ? {} : { tenant_id: options.tenantId }),
    })
  }

  #read(frame: Frame): void {
    switch (frame.type) {
      case 'event':
        this.#deliver(frame.event)
        break
      case 'authenticated':
        this.#admitted()
        break
      case 'subscribed':
        this.#subscribed(frame)
        break
      case 'unsubscribed':
        this.#tell(() => this.#input.options.onUnsubscribed?.(frame))
        break
      case 'gap':
        this.#positions.gap(frame.channel)
        this.#tell(() => this.#input.options.onGap?.(frame))
        break
      case 'token_expiring':
        void this.#renewInPlace()
        break
      case 'going_away':
        this.#returnAfterMs = frame.reconnect_after_ms
        break
      case 'error':
        this.#refused(frame)
        break
      case 'other':
        break
      default:
        frame satisfies never
    }
  }

  /** Also told after a renewal, when the subscription stands already. */
  #admitted(): void {
    this.#renewed = false
    if (this.#asked) return
    this.#asked = true
    this.#subscribe()
  }

  #subscribed(frame: Subscribed): void {
    this.#attempt = 0
    this.#positions.subscribed(frame)
    this.#settle.ready(frame)
  }

  #deliver(event: StreamEvent): void {
    if (!this.#positions.isNew(event)) return
    this.#tell(() => this.#input.handler(event))
    // Only now: what the handler failed on is not seen, and comes first when somebody subscribes from here again.
    if (!this.#over) this.#positions.delivered(event)
  }

  /** The caller's code; what it throws ends the subscription rather than vanish. */
  #tell(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#end({ by: 'handler', error })
    }
  }

  #refused({ error_code: errorCode, detail, reply_to, fatal }: ErrorFrame): void {
    // A close with its own code follows a fatal one.
    if (!fatal && reply_to === subscribeRequest) this.#end({ by: 'server', code: null, errorCode, detail })
  }

  /** A failure here costs nothing: the server closes when the token runs out, and that renews again. */
  async #renewInPlace(): Promise<void> {
    const connection = this.#connection
    const renewed = await this.#input.session.renew(this.#used).catch(() => false)
    if (!renewed || this.#over || connection !== this.#connection) return
    this.#used = this.#input.session.token
    this.#authenticate()
  }

  #closed(code: number, reason: string): void {
    this.#connection = null
    if (stops.has(code)) {
      this.#end({ by: 'server', code, errorCode: reason, detail: 'the server closed for good' })
    } else if (code === credentialRefused) {
      void this.#renewAndReturn(reason)
    } else {
      this.#return(this.#returnAfterMs ?? backoffMs(this.#attempt, this.#input.runtime.random))
    }
  }

  /** Once; a credential that is refused twice in a row stays refused. */
  async #renewAndReturn(reason: string): Promise<void> {
    const refused: Ended = { by: 'credential', error: new Error(`the credential was refused (${reason})`) }
    if (this.#renewed) {
      this.#end(refused)
      return
    }
    try {
      const renewed = await this.#input.session.renew(this.#used)
      if (this.#over) return
      if (!renewed) {
        this.#end(refused)
        return
      }
      this.#renewed = true
      this.#connect()
    } catch (error) {
      // Only a clear refusal is final; a server that cannot be reached now may answer later.
      if (error instanceof ProblemError && error.status < 500 && error.status !== 429) {
        this.#end({ by: 'credential', error })
      } else this.#return(backoffMs(this.#attempt, this.#input.runtime.random))
    }
  }

  #return(afterMs: number): void {
    if (this.#over) return
    this.#attempt += 1
    this.#returnAfterMs = null
    this.#cancelReturn = this.#input.runtime.after(afterMs, () => this.#connect())
  }

  #end(end: Ended): void {
    if (this.#over) return
    this.#over = true
    this.#cancelReturn()
    this.#input.options.signal?.removeEventListener('abort', this.#onAbort)
    this.#connection?.close()
    this.#settle.ended(end)
  }
}

function refuse(end: Ended): never {
  if (end.by === 'server') throw new Error(`the subscription was refused: ${end.errorCode} ${end.detail}`)
  if (end.by === 'caller') throw new Error('the subscription was closed before it stood')
  throw end.error
}

function resolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
