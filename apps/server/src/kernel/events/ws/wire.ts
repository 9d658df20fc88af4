import type { StreamLimits } from './limits.ts'

/** The few things the stream does with a socket; `ws` fits, and so does a test's own. */
export interface Socket {
  send(data: string | Uint8Array, done: () => void): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  /** Bytes accepted by `send` and not yet taken by the network. */
  buffered(): number
}

/** One socket with a count of unsent bytes. It never queues events: those are in the table. */
export class Wire {
  readonly #socket: Socket
  readonly #limits: StreamLimits
  readonly #now: () => number
  #unsent = 0
  #open = true
  #progressAt: number
  #waiting: (() => void)[] = []

  constructor(socket: Socket, limits: StreamLimits, now: () => number) {
    this.#socket = socket
    this.#limits = limits
    this.#now = now
    this.#progressAt = now()
  }

  get open(): boolean {
    return this.#open
  }

  send(data: string | Uint8Array): void {
    if (!this.#open) return
    if (this.#unsent === 0) this.#progressAt = this.#now()
    this.#unsent += 1
    this.#socket.send(data, this.#sent)
  }

  ping(): void {
    if (this.#open) this.#socket.ping()
  }

  /** No further event may be handed over before the socket has drained. */
  get full(): boolean {
    return this.#unsent >= this.#limits.unsentFrames || this.#socket.buffered() >= this.#limits.unsentBytes
  }

  /** The socket is behind far enough for merging to pay. */
  get congested(): boolean {
    return this.#socket.buffered() >= this.#limits.conflateBeyondBytes
  }

  /** Milliseconds since the other side last took anything, while something waits. */
  get stalledMs(): number {
    return this.#unsent === 0 ? 0 : this.#now() - this.#progressAt
  }

  /** Resolves when everything was sent, or the socket is closed. */
  drained(): Promise<void> {
    if (this.#unsent === 0 || !this.#open) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  close(code: number, reason: string): void {
    if (!this.#open) return
    this.#socket.close(code, reason)
    this.closed()
  }

  terminate(): void {
    this.#socket.terminate()
    this.closed()
  }

  /** To be called when the other side closed. */
  closed(): void {
    this.#open = false
    this.#release()
  }

  readonly #sent = (): void => {
    this.#unsent -= 1
    this.#progressAt = this.#now()
    if (this.#unsent === 0) this.#release()
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
