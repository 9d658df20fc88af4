import { UnpackError } from './port.ts'

const mib = 1_048_576

/** Bytes of a file that is opened at all. */
export const mostInput = 64 * mib
/** Bytes of everything that one file unpacks to. */
export const mostUnpacked = 128 * mib
/** Bytes for each byte of the file. */
export const mostRatio = 100
/** Bytes that any file may unpack to: a small one of one letter is no bomb. */
export const freeUnpacked = mib
export const mostEntries = 10_000
/** Characters of all text. */
export const mostText = 20_000_000
export const mostDepth = 256
export const mostPages = 5_000

/** Counts what one file unpacks to. */
export class Budget {
  readonly #input: number
  #unpacked = 0
  #entries = 0
  #text = 0

  constructor(input: Uint8Array) {
    this.#input = input.byteLength
    if (input.byteLength > mostInput) throw tooLarge(`The file is larger than ${mostInput} bytes.`)
  }

  /** Bytes that may still come, one more than that to see that too many do. */
  get left(): number {
    return Math.max(0, Math.min(mostUnpacked, this.#mostByRatio) - this.#unpacked)
  }

  get #mostByRatio(): number {
    return Math.max(freeUnpacked, this.#input * mostRatio)
  }

  /** @throws UnpackError `too_large`, `ratio` */
  unpack(bytes: number): void {
    this.#unpacked += bytes
    if (this.#unpacked > this.#mostByRatio)
      throw new UnpackError('ratio', `The file unpacks to more than ${mostRatio} times its size.`)
    if (this.#unpacked > mostUnpacked) throw tooLarge(`The file unpacks to more than ${mostUnpacked} bytes.`)
  }

  /** @throws UnpackError `too_large` */
  entry(): void {
    this.#entries += 1
    if (this.#entries > mostEntries) throw tooLarge(`The archive has more than ${mostEntries} entries.`)
  }

  /** @throws UnpackError `too_large` */
  text(text: string): void {
    this.#text += text.length
    if (this.#text > mostText) throw tooLarge(`The file holds more than ${mostText} characters of text.`)
  }
}

export const tooLarge = (text: string): UnpackError => new UnpackError('too_large', text)
export const broken = (text: string, cause?: unknown): UnpackError => new UnpackError('broken', text, cause)
export const nested = (): UnpackError => new UnpackError('nested', `The file nests deeper than ${mostDepth} levels.`)
