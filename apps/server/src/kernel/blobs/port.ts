/**
 * The blob port: bytes by the SHA-256 of their content, per tenant. Promises that a `put` that resolved is stored whole,
 * that what is read is what was written or an error, and that no tenant reaches another's bytes. Does not encrypt, count
 * references or expire. Tested by contract.ts on every adapter.
 */

/** Lower-case hexadecimal SHA-256 of the content, 64 characters. */
export type BlobHash = string

export interface BlobInfo {
  readonly sha256: BlobHash
  readonly size: number
}

export interface ByteRange {
  /** First byte, from 0. */
  readonly start: number
  /** Last byte, included; beyond the end means the last byte there is. */
  readonly end: number
}

export interface BlobStream {
  /** Bytes of the whole blob, also when a part is read. */
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

export interface Blobs {
  /** Stores the content; the same content twice is one blob. Throws BlobError `too_large`, or `quota` where the tenant has no room. */
  put(tenant: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobInfo>
  /** The whole content. Throws BlobError `missing` or `corrupt`. */
  get(tenant: string, sha256: BlobHash): Promise<Uint8Array>
  /**
   * Content or a part of it as a stream, for large blobs. Throws BlobError `missing`, `range` (start beyond the end), or
   * `corrupt`: of a whole read at its end at the latest, of a part before its first byte.
   */
  read(tenant: string, sha256: BlobHash, range?: ByteRange): Promise<BlobStream>
  /** Null when there is no such blob. */
  stat(tenant: string, sha256: BlobHash): Promise<BlobInfo | null>
  /** Bytes of all of a tenant's blobs. */
  usage(tenant: string): Promise<number>
  /** True when there was one. */
  delete(tenant: string, sha256: BlobHash): Promise<boolean>
  close(): Promise<void>
}

export type BlobErrorKind = 'missing' | 'corrupt' | 'too_large' | 'range' | 'quota'

export class BlobError extends Error {
  readonly kind: BlobErrorKind

  constructor(kind: BlobErrorKind, text: string) {
    super(text)
    this.name = 'BlobError'
    this.kind = kind
  }
}

/** Refuses names that could leave their folder. Throws RangeError. */
export function checkBlobName(tenant: string, sha256?: BlobHash): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tenant)) throw new RangeError(`"${tenant}" cannot be a tenant of the blobs.`)
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError(`"${sha256}" is not a SHA-256.`)
}
