import type { EgressError } from './errors.ts'

export interface ChunkQueueOptions {
  /** The reader has caught up after `push` said false. */
  readonly onRoom: () => void
  /** The reader left before the end. */
  readonly onLeave: () => void
}

// Enough to keep a fast stream flowing, little enough that a thousand slow readers hold 64 MiB.
const highWaterBytes = 65_536

/** A body between the socket and one reader, bounded in memory. */
export class ChunkQueue {
  /** For one reader. Leaving early tells the sender. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>
  readonly #options: ChunkQueueOptions
  readonly #chunks: Uint8Array[] = []
  #buffered = 0
  #finished = false
  #failure: EgressError | null = null
  #wake: (() => void) | null = null

  constructor(options: ChunkQueueOptions) {
    this.#options = options
    this.body = this.#read()
  }

  async bytes(): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for await (const part of this.body) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Adds a piece; false asks the sender to wait for `onRoom`. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk)
    this.#buffered += chunk.byteLength
    this.#wakeReader()
    return this.#buffered < highWaterBytes
  }

  end(): void {
    this.#finished = true
    this.#wakeReader()
  }

  /** Pieces already here are still given out, then the error is thrown. */
  fail(error: EgressError): void {
    this.#failure = error
    this.#wakeReader()
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk !== undefined) yield this.#taken(chunk)
        else if (this.#failure !== null) throw this.#failure
        else if (this.#finished) return
        else await this.#nextPush()
      }
    } finally {
      if (!this.#finished && this.#failure === null) this.#options.onLeave()
    }
  }

  #taken(chunk: Uint8Array): Uint8Array {
    this.#buffered -= chunk.byteLength
    if (this.#buffered < highWaterBytes) this.#options.onRoom()
    return chunk
  }

  #nextPush(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = null
  }
}
