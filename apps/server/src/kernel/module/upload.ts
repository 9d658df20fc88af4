import type { TSchema } from 'typebox'
import type { StoredBlob } from '../blobs/port.ts'

/** A file in the body of a request, which is stored as a blob before the handler runs, or given to it as bytes. */
export interface UploadDeclaration {
  /**
   * `multipart`: the part `file` beside text fields, which `body` describes. `stream`: the body is the file. `memory`: the
   * body is given to the handler as `received` and stored nowhere; for small files of binary formats.
   */
  readonly as: 'multipart' | 'stream' | 'memory'
  /** Media types of the file. The type that a client declares proves nothing. */
  readonly mediaTypes: readonly string[]
  /** Of the file, unpacked where it came with a Content-Encoding. */
  readonly maxBytes: number
  /** Of `memory`: the form of `application/json`, for the documents. The handler checks it. */
  readonly json?: TSchema
}

/** The body of a route that declares an upload `as: 'memory'`, unpacked. */
export interface ReceivedBytes {
  readonly mediaType: string
  readonly content: Uint8Array
}

/** The stored file. It stays only if the handler writes a row that names it. */
export interface UploadedFile extends StoredBlob {
  readonly mediaType: string
  /** As the client calls it, without folders; null where it does not say. */
  readonly name: string | null
}
