import type { Runtime } from '../http/runtime.ts'
import { type Frame, readFrame } from './frames.ts'
import type { Socket, SocketConstructor } from './socket.ts'

export interface ConnectionParts {
  readonly WebSocket: SocketConstructor
  readonly url: string
  readonly runtime: Runtime
  readonly onOpen: () => void
  readonly onFrame: (frame: Frame) => void
  /** Once, whichever side ended it; 1006 when no close frame came. */
  readonly onClosed: (code: number, reason: string) => void
}

/** Milliseconds for the whole way to an open socket. */
const openWithinMs = 10_000
/** The server is asked for a sign of life this often, and given up for dead after two that went unanswered. */
const pingEveryMs = 30_000
const lostCode = 1006

/** One socket from opening to its end, with a watch over silence: a broken path shows itself in nothing else. */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #socket: Socket
  #stopWatch: () => void
  #unanswered = 0
  #over = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#socket = new parts.WebSocket(parts.url)
    this.#stopWatch = parts.runtime.after(openWithinMs, () => this.#drop())
    this.#socket.onopen = () => this.#opened()
    this.#socket.onmessage = ({ data }) => this.#received(data)
    this.#socket.onclose = ({ code, reason }) => this.#closed(code, reason)
    // A close follows every error and says more; without a handler `ws` would end the process.
    this.#socket.onerror = () => undefined
  }

  send(message: Readonly<Record<string, unknown>>): void {
    if (!this.#over) this.#socket.send(JSON.stringify(message))
  }

  /** Ends it from this side; `onClosed` is not told. */
  close(): void {
    if (this.#over) return
    this.#end()
    this.#socket.close(1000)
  }

  #opened(): void {
    if (this.#over) return
    this.#stopWatch()
    this.#watch()
    this.#parts.onOpen()
  }

  #received(data: unknown): void {
    if (this.#over) return
    this.#unanswered = 0
    this.#parts.onFrame(readFrame(data))
  }

  #closed(code: number, reason: string): void {
    if (this.#over) return
    this.#end()
    this.#parts.onClosed(code, reason)
  }

  #watch(): void {
    this.#stopWatch = this.#parts.runtime.after(pingEveryMs, () => {
      if (this.#unanswered >= 2) {
        this.#drop()
        return
      }
      this.#unanswered += 1
      this.send({ type: 'ping' })
      this.#watch()
    })
  }

  #drop(): void {
    this.#end()
    this.#socket.close()
    this.#parts.onClosed(lostCode, '')
  }

  #end(): void {
    this.#over = true
    this.#stopWatch()
  }
}
