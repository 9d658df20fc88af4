import type { ValkeyClient } from '../../valkey/connection.ts'
import { type Cache, checkCacheKey, checkTtl } from '../port.ts'

export interface ValkeyCacheOptions {
  /** From `connectValkey`; the caller closes it. */
  readonly client: ValkeyClient
  /** Put before every key (default `parapet:cache:`). */
  readonly prefix?: string
  /** Bytes of one value at most (default 4 MiB); a larger one is not kept. */
  readonly maxValueBytes?: number
  /** Told of every read and write that failed and became a miss. */
  readonly onError: (error: unknown) => void
}

const scanBatch = '1000'

/**
 * A cache shared by all instances; the server's own limit and eviction bound it. `purge` walks the server's keys in
 * batches without blocking it: meant for erasing a tenant or a policy change, not for every request.
 */
export function createValkeyCache(options: ValkeyCacheOptions): Cache {
  const { client, prefix = 'parapet:cache:', maxValueBytes = 4 * 1_048_576, onError } = options
  const nameOf = (tenant: string, key: string): string => {
    checkCacheKey(tenant, key)
    // Braces keep a tenant's keys on one node of a cluster.
    return `${prefix}{${tenant}}:${key}`
  }

  async function get(tenant: string, key: string): Promise<Uint8Array | undefined> {
    const name = nameOf(tenant, key)
    try {
      const value = await client.getBuffer(name)
      return value === null ? undefined : new Uint8Array(value)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  async function set(tenant: string, key: string, value: Uint8Array, ttlMs: number): Promise<void> {
    const name = nameOf(tenant, key)
    checkTtl(ttlMs)
    try {
      // The old value would be wrong from now on, even if the new one is too large to keep.
      if (value.byteLength > maxValueBytes) await client.unlink(name)
      else await client.set(name, Buffer.from(value), 'PX', ttlMs)
    } catch (error) {
      onError(error)
    }
  }

  async function purge(tenant: string, keyPrefix = ''): Promise<number> {
    const pattern = `${escapeGlob(nameOf(tenant, keyPrefix))}*`
    let cursor = '0'
    let purged = 0
    do {
      const [next, names] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', scanBatch)
      if (names.length > 0) purged += await client.unlink(...names)
      cursor = next
    } while (cursor !== '0')
    return purged
  }

  return {
    get,
    set,
    async delete(tenant, key) {
      await client.unlink(nameOf(tenant, key))
    },
    purge,
    close() {},
  }
}

const escapeGlob = (text: string): string => text.replaceAll(/[*?[\]\\^]/g, '\\$&')
