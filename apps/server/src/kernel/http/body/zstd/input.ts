import { ZstdError } from './fault.ts'

/** A stream by counts of bytes. */
export class Input {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async ended(): Promise<boolean> {
    while (this.#held.byteLength === 0) {
      const { done, value } = await this.#source.next()
      if (done === true) return true
      this.#held = value
    }
    return false
  }

  /** A number of up to eight bytes, the lowest first. @throws ZstdError where the stream has less */
  async number(bytes: number): Promise<number> {
    const some = new Uint8Array(bytes)
    await this.read(some, bytes)
    return some.reduceRight((sum, byte) => sum * 256 + byte, 0)
  }

  /** @throws ZstdError where the stream has less */
  async read(into: Uint8Array, count: number): Promise<void> {
    for (let at = 0; at < count; ) {
      const part = await this.#some(count - at)
      into.set(part, at)
      at += part.byteLength
    }
  }

  /** @throws ZstdError where the stream has less */
  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.#some(left)).byteLength
  }

  /** The source is not needed any more. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #some(most: number): Promise<Uint8Array> {
    if (await this.ended()) throw new ZstdError('the content is cut off')
    const part = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(part.byteLength)
    return part
  }
}
