/**
 * The blob port, in two layers. `BlobStore` keeps bytes by name and is what an adapter is written for; it is tested by
 * contract.ts on every adapter. `Blobs` is what modules use: sealed, hashed and counted content, which stays while a row
 * names it. Tested in blobs.test.ts on every adapter.
 */
import type { TenantId } from '../access/actor.ts'
import type { ByteRange } from '../base/byte-range.ts'
import type { Tx } from '../db/port.ts'

export interface BlobName {
  readonly tenantId: string
  readonly id: string
}

export interface BlobStore {
  /** Stores the bytes: whole when it resolves, and not readable before. A name is written once. */
  put(name: BlobName, content: AsyncIterable<Uint8Array>): Promise<void>
  /** All bytes or a range within them, from the first read on. @throws BlobError `missing` */
  read(name: BlobName, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Removes the bytes and leftovers of an interrupted `put`, whether they are there or not. */
  delete(name: BlobName): Promise<void>
  /** @throws Error with words for the operator when it cannot be used */
  check(): Promise<void>
}

/** Content that was stored and is kept for as long as a row names it, and a grace longer. */
export interface StoredBlob {
  readonly id: string
  readonly bytes: number
  /** Lower-case hexadecimal, of the content. */
  readonly sha256: string
}

export interface OpenedBlob extends StoredBlob {
  /**
   * All of the content or a range of it; each call begins anew. Not for use inside a transaction.
   * @throws BlobError `missing`, `corrupt` (what comes before the damage is sound), `range` (it begins beyond the end)
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array>
}

export interface PutOptions {
  /** Of the content; default 64 GiB. */
  readonly maxBytes?: number
}

export interface Blobs {
  /**
   * Stores the content. Not for use inside a transaction: the row that names it is written afterwards.
   * @throws BlobError `too_large`, or `quota` where the tenant has no room; errors of the content
   */
  put(tenantId: TenantId, content: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob>
  /** Finds a blob; reading it does not need the transaction. @throws BlobError `missing` */
  open(tx: Pick<Tx, 'tenantId' | 'first'>, id: string): Promise<OpenedBlob>
  /**
   * Destroys the key of a blob in the transaction that removes the last row that names it; does nothing while there is
   * another one. `discard` afterwards removes the bytes at once.
   */
  release(tx: Pick<Tx, 'execute'>, id: string): Promise<void>
  /** Removes a blob at once, unless a row names it: for content that no row will name. Not inside a transaction. */
  discard(tenantId: TenantId, id: string): Promise<void>
  /** Bytes that a tenant's blobs take, sealed as they are, including those being written. */
  usage(tenantId: TenantId): Promise<number>
}

export type BlobErrorKind = 'missing' | 'corrupt' | 'too_large' | 'range' | 'quota'

export class BlobError extends Error {
  readonly kind: BlobErrorKind

  constructor(kind: BlobErrorKind, text: string, cause?: unknown) {
    super(text, { cause })
    this.name = 'BlobError'
    this.kind = kind
  }
}

/** Refuses names that could leave their folder. @throws RangeError */
export function checkBlobName({ tenantId, id }: BlobName): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tenantId)) throw new RangeError(`"${tenantId}" cannot be a tenant of the blobs.`)
  if (!/^[A-Za-z0-9-]{8,64}$/.test(id)) throw new RangeError(`"${id}" cannot be a blob.`)
}
