import { Duplex } from 'node:stream'
import type { PgliteThread } from './pglite-thread.ts'

/** Terminate message of the protocol; the embedded server must outlive its client. */
const terminate = Buffer.from([0x58, 0, 0, 0, 4])

/**
 * The counterpart of a PostgreSQL socket for the embedded server: bytes written in one cork travel as one message and
 * the answer comes back as one. It has the few methods of a socket the protocol client calls.
 */
export class PglitePipe extends Duplex {
  readonly #thread: PgliteThread

  constructor(thread: PgliteThread) {
    super()
    this.#thread = thread
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send([chunk], done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null)
    done()
  }

  #send(chunks: readonly Buffer[], done: (error?: Error | null) => void): void {
    const last = chunks.at(-1)
    const sent = last?.equals(terminate) === true ? chunks.slice(0, -1) : chunks
    done()
    if (sent.length === 0) return
    this.#thread.request(copyOf(sent)).then(
      (answer) => {
        if (!this.destroyed && !this.readableEnded)
          this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
      },
      (error: Error) => this.destroy(error),
    )
  }
}

/** One block of its own, because the client's buffers are reused and a transferred block must not be shared. */
function copyOf(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
