/** What handlers answer beside a plain resource; routes are declared in route.ts. Tested through every route. */

/** What a handler answers when the plain resource is not enough. */
export class Answer<T> {
  readonly data: T
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly location: string | null

  constructor(data: T, extra: Partial<Pick<Answer<T>, 'meta' | 'headers' | 'location'>> = {}) {
    this.data = data
    this.meta = extra.meta ?? {}
    this.headers = extra.headers ?? {}
    this.location = extra.location ?? null
  }
}

/**
 * A resource as it is at a version of its row, which becomes the first part of its ETag, and so of what `If-Match` is
 * compared with. The item of a list says its version in the same way.
 */
export class Versioned<T> extends Answer<T> {
  readonly version: number

  constructor(data: T, version: number, extra: Partial<Pick<Answer<T>, 'meta' | 'headers' | 'location'>> = {}) {
    super(data, extra)
    this.version = version
  }
}

/** A stream of already encoded frames; the kernel adds the common headers and ends it when the client goes away. */
export class StreamAnswer {
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Uint8Array>
  readonly headers: Readonly<Record<string, string>>
  readonly trailers: Trailers | null

  constructor(
    contentType: string,
    chunks: AsyncIterable<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
    trailers: Trailers | null = null,
  ) {
    this.contentType = contentType
    this.chunks = chunks
    this.headers = headers
    this.trailers = trailers
  }
}

export interface FileFacts {
  readonly contentType: string
  /** What it is saved as. */
  readonly name: string
  /** Where it is known before the first byte. */
  readonly bytes?: number
  /** Hexadecimal, of the whole file. */
  readonly sha256?: string
}

/** A file that is saved where it arrives and kept nowhere on its way; its digest is the field of RFC 9530. */
export class FileAnswer extends StreamAnswer {
  constructor({ contentType, name, bytes, sha256 }: FileFacts, chunks: StreamAnswer['chunks']) {
    super(contentType, chunks, {
      ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
      'content-disposition': `attachment; filename="${name}"`,
      ...(sha256 === undefined
        ? {}
        : { 'content-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` }),
      'cache-control': 'no-store',
    })
  }
}

/** A stream that has no end of its own: the server ends it when it closes, so that it does not keep the process. */
export class EndlessAnswer extends StreamAnswer {
  readonly stop: () => void

  constructor(contentType: string, chunks: StreamAnswer['chunks'], stop: () => void) {
    super(contentType, chunks, { 'cache-control': 'no-store' })
    this.stop = stop
  }
}

/** Header fields after the last byte of a stream (RFC 9110 section 6.5): known only then, announced before. */
export interface Trailers {
  readonly names: readonly string[]
  /** Asked when the stream has ended. */
  read(): Readonly<Record<string, string>>
}
