/**
 * Blobs of which a tenant may have so many bytes. Promises that on one instance no tenant comes beyond its bound, also by
 * several at once, and that content which does not fit leaves nothing; of several instances with one folder each keeps its
 * own order, so they may pass it by what they store at that moment. Tested in bounded.test.ts.
 */
import { BlobError, type BlobInfo, type Blobs } from './port.ts'

/** Bytes a tenant may have: null is no bound, which holds until somebody says otherwise. */
export interface StorageLimits {
  limit(tenant: string): Promise<number | null>
  fill(limit: (tenant: string) => Promise<number | null>): void
}

export function createStorageLimits(): StorageLimits {
  let limit: (tenant: string) => Promise<number | null> = async () => null
  return {
    limit: (tenant) => limit(tenant),
    fill: (given) => {
      limit = given
    },
  }
}

export function createBoundedBlobs(blobs: Blobs, limits: Pick<StorageLimits, 'limit'>): Blobs {
  const turns = new Map<string, Promise<unknown>>()
  /** One after the other: two at once could each find the room the other is about to take. */
  const inTurn = (tenant: string, put: () => Promise<BlobInfo>): Promise<BlobInfo> => {
    const turn = (turns.get(tenant) ?? Promise.resolve()).then(put, put)
    const done = turn.then(
      () => undefined,
      () => undefined,
    )
    turns.set(tenant, done)
    void done.then(() => {
      if (turns.get(tenant) === done) turns.delete(tenant)
    })
    return turn
  }
  return {
    put: async (tenant, content) => {
      const most = await limits.limit(tenant)
      if (most === null) return blobs.put(tenant, content)
      return inTurn(tenant, async () => blobs.put(tenant, fitting(content, most - (await blobs.usage(tenant)))))
    },
    get: (tenant, sha256) => blobs.get(tenant, sha256),
    read: (tenant, sha256, range) => blobs.read(tenant, sha256, range),
    stat: (tenant, sha256) => blobs.stat(tenant, sha256),
    delete: (tenant, sha256) => blobs.delete(tenant, sha256),
    usage: (tenant) => blobs.usage(tenant),
    close: () => blobs.close(),
  }
}

/** The content as long as it fits. @throws BlobError `quota` */
async function* fitting(content: Uint8Array | AsyncIterable<Uint8Array>, room: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    size += chunk.byteLength
    if (size > room) throw new BlobError('quota', 'The tenant may not store that much.')
    yield chunk
  }
}
