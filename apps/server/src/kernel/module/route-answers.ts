/** Answers of handlers beside a plain resource; routes are declared in route.ts. Tested through every route. */

import type { OpenedBlob } from '../blobs/port.ts'
import type { Page } from '../db/table.ts'

/** 204 and 303 have no body; 303 names where to go in the answer's `location`. */
export type SuccessStatus = 200 | 201 | 202 | 204 | 303

interface AnswerExtra {
  readonly meta?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly location?: string | null
  readonly status?: SuccessStatus | null
}

/** The answer of a handler where the plain resource is not enough. */
export class Answer<T> {
  readonly data: T
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly location: string | null
  /** One of the route's alternatives; null for its `returns`. */
  readonly status: SuccessStatus | null

  constructor(data: T, extra: AnswerExtra = {}) {
    this.data = data
    this.meta = extra.meta ?? {}
    this.headers = extra.headers ?? {}
    this.location = extra.location ?? null
    this.status = extra.status ?? null
  }
}

/**
 * A resource as it is at a version of its row, which becomes the first part of its ETag, and so of the value for
 * `If-Match`. The item of a list says its version in the same way.
 */
export class Versioned<T> extends Answer<T> {
  readonly version: number

  constructor(data: T, version: number, extra: AnswerExtra = {}) {
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
  /** Name under which it is saved. */
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

/** Where a page of a list ends. */
export type PageEnd = Pick<Page<unknown>, 'hasMore' | 'last' | 'total'>

/** A part of a list as a file: `X-Next-Cursor` tells the `cursor` that the next part begins at. */
export class PageFileAnswer extends FileAnswer {
  readonly end: PageEnd

  constructor(facts: FileFacts, chunks: StreamAnswer['chunks'], end: PageEnd) {
    super(facts, chunks)
    this.end = end
  }
}

export interface BlobFacts {
  readonly contentType: string
  /** Name under which it is saved; any text. */
  readonly name: string
  readonly blob: OpenedBlob
  /** `inline` shows it where the client can; default `attachment`. */
  readonly disposition?: 'attachment' | 'inline'
}

/** A stored file: whole, in part (`Range`) or unchanged (`If-None-Match`), as the client asks. */
export class BlobAnswer extends StreamAnswer {
  readonly blob: OpenedBlob

  constructor({ contentType, name, blob, disposition = 'attachment' }: BlobFacts) {
    super(contentType, blob.read(), {
      'accept-ranges': 'bytes',
      'content-disposition': contentDisposition(disposition, name),
      'repr-digest': `sha-256=:${Buffer.from(blob.sha256, 'hex').toString('base64')}:`,
      etag: `"${blob.sha256}"`,
      'cache-control': 'no-store',
    })
    this.blob = blob
  }
}

/** RFC 6266: a name in ASCII for all, and the whole one (RFC 8187) where that is not enough. */
function contentDisposition(disposition: string, name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `${disposition}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`
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
