import type { Dispatcher } from 'undici'
import type { AbortWatch } from '../base/abort.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { EgressError, type EgressErrorKind } from './errors.ts'

/** Milliseconds a phase of a call may take. */
export interface EgressTimeouts {
  /** Until the request is on a connection. */
  readonly connectMs: number
  /** From there to the head of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of the answer, not counting the time in which the reader is behind. */
  readonly idleMs: number
  readonly totalMs: number
}

export interface EgressRequest {
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly timeouts: EgressTimeouts
  /** Bytes of the answer's body as they come over the wire. */
  readonly maxBytes: number
  readonly signal?: AbortWatch
  /** Leads to public addresses alone, even if the operator allows private networks. */
  readonly publicOnly?: boolean
}

export interface EgressResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body once, as it arrives. Leaving the loop early closes the connection. Throws EgressError. */
  readonly body: AsyncIterable<Uint8Array>
  /** The rest of the body in one piece. */
  bytes(): Promise<Uint8Array>
  /** Bytes of the body that came so far, read or not. */
  received(): number
  /** Closes the connection without reading the rest. */
  cancel(): void
  /** It comes from a private network that the operator allowed, this machine included. */
  readonly isPrivate: boolean
  /** Milliseconds from the call to the request being on a connection, and to the head of the answer. */
  readonly timings: { readonly connectMs: number; readonly firstByteMs: number }
}

export interface Exchange {
  readonly dispatcher: Dispatcher
  readonly url: URL
  readonly request: EgressRequest
  readonly now: () => number
  /** Asked when the answer begins: whether the connections to its origin lead into a private network. */
  readonly isPrivate: () => boolean
}

/** Sends one request and resolves when the head of the answer is there. Rejects with EgressError. */
export function exchange(context: Exchange): Promise<EgressResponse> {
  return new Promise((resolve, reject) => {
    const { dispatcher, request, url } = context
    const call = new Call(context, { resolve, reject })
    if (request.signal?.aborted === true) return call.abort()
    const options = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
    }
    try {
      dispatcher.dispatch(options, call)
    } catch (error) {
      call.fail(asEgressError(error, 'connect'))
    }
    return undefined
  })
}

interface Settle {
  readonly resolve: (response: EgressResponse) => void
  readonly reject: (error: EgressError) => void
}

/** One call from its start to the last byte: its timers, its abort, its body. */
class Call implements Dispatcher.DispatchHandler {
  readonly #request: EgressRequest
  readonly #settle: Settle
  readonly #elapsedMs: () => number
  readonly #isPrivate: () => boolean
  readonly #chunks = new ChunkQueue({
    onRoom: () => this.#resume(),
    onLeave: () => this.fail(new EgressError('aborted')),
  })
  readonly #total: NodeJS.Timeout
  #phase: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #connectMs = 0
  #received = 0
  #over = false

  constructor({ request, now, isPrivate }: Exchange, settle: Settle) {
    const startedAt = now()
    this.#request = request
    this.#settle = settle
    this.#isPrivate = isPrivate
    this.#elapsedMs = () => now() - startedAt
    this.#phase = this.#timer(request.timeouts.connectMs, 'timeout_connect')
    this.#total = this.#timer(request.timeouts.totalMs, 'timeout_total')
    request.signal?.addEventListener('abort', this.abort, { once: true })
  }

  readonly abort = (): void => this.fail(new EgressError('aborted', { cause: this.#request.signal?.reason }))

  fail(error: EgressError): void {
    if (!this.#end()) return
    // The upstream first: it may be spending money on an answer that no caller waits for.
    this.#controller?.abort(error)
    this.#chunks.fail(error)
    this.#settle.reject(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It was given up while it waited for a connection; nothing has been sent yet.
    if (this.#over) {
      controller.abort(new EgressError('aborted'))
      return
    }
    this.#connectMs = this.#elapsedMs()
    this.#nextPhase(this.#request.timeouts.firstByteMs, 'timeout_first_byte')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: EgressResponse['headers']): void {
    // 103 and its like come before the answer.
    if (this.#over || status < 200) return
    const { maxBytes, method, timeouts } = this.#request
    const announced = Number(headers['content-length'] ?? 0)
    if (announced > maxBytes && method !== 'HEAD') {
      this.fail(new EgressError('too_large'))
      return
    }
    this.#nextPhase(timeouts.idleMs, 'timeout_idle')
    this.#settle.resolve({
      status,
      headers,
      body: this.#chunks.body,
      bytes: () => this.#chunks.bytes(),
      received: () => this.#received,
      cancel: () => this.fail(new EgressError('aborted')),
      isPrivate: this.#isPrivate(),
      timings: { connectMs: this.#connectMs, firstByteMs: this.#elapsedMs() },
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    this.#received += chunk.byteLength
    if (this.#received > this.#request.maxBytes) this.fail(new EgressError('too_large'))
    else if (this.#chunks.push(chunk)) this.#phase.refresh()
    else this.#pause(controller)
  }

  onResponseEnd(): void {
    if (this.#end()) this.#chunks.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(asEgressError(error, this.#controller === null ? 'connect' : 'reset'))
  }

  /** A reader that is behind is no fault of the upstream; only the total time goes on. */
  #pause(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#phase)
    controller.pause()
  }

  #resume(): void {
    if (this.#over || this.#controller?.paused !== true) return
    this.#nextPhase(this.#request.timeouts.idleMs, 'timeout_idle')
    this.#controller.resume()
  }

  #nextPhase(ms: number, kind: EgressErrorKind): void {
    clearTimeout(this.#phase)
    this.#phase = this.#timer(ms, kind)
  }

  #timer(ms: number, kind: EgressErrorKind): NodeJS.Timeout {
    return setTimeout(() => this.fail(new EgressError(kind)), ms)
  }

  /** True the first time. */
  #end(): boolean {
    if (this.#over) return false
    this.#over = true
    clearTimeout(this.#phase)
    clearTimeout(this.#total)
    this.#request.signal?.removeEventListener('abort', this.abort)
    return true
  }
}

function asEgressError(error: unknown, otherwise: EgressErrorKind): EgressError {
  if (error instanceof EgressError) return error
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'UND_ERR_INVALID_ARG') return new EgressError('refused', { rule: 'request_form', cause: error })
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new EgressError('timeout_connect', { cause: error })
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new EgressError('too_large', { cause: error })
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return new EgressError('aborted', { cause: error })
  return new EgressError(otherwise, { cause: error })
}
