/** What handlers answer beside a plain resource; routes are declared in route.ts. Tested through every route. */

/** What a handler answers when the plain resource is not enough. */
export class Answer<T> {
  readonly data: T
  /** Row version; becomes the first part of the ETag. */
  readonly version: number | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly location: string | null

  constructor(data: T, extra: Partial<Pick<Answer<T>, 'version' | 'meta' | 'headers' | 'location'>> = {}) {
    this.data = data
    this.version = extra.version ?? null
    this.meta = extra.meta ?? {}
    this.headers = extra.headers ?? {}
    this.location = extra.location ?? null
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

/** Header fields after the last byte of a stream (RFC 9110 section 6.5): known only then, announced before. */
export interface Trailers {
  readonly names: readonly string[]
  /** Asked when the stream has ended. */
  read(): Readonly<Record<string, string>>
}
