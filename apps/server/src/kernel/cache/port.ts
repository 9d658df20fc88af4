/**
 * The cache port. Promises that a value is given back only to its tenant, unchanged, and never after its time; that
 * `delete` and `purge` throw when they cannot be sure. Does not promise to keep anything: a lost value and a cache out of
 * reach are misses. Tested by contract.ts on every adapter.
 */

type Soon<T> = T | Promise<T>

export interface Cache {
  get(tenant: string, key: string): Soon<Uint8Array | undefined>
  /** Keeps a copy of `value` for `ttlMs` milliseconds (1 or more). A value too large for the cache is not kept. */
  set(tenant: string, key: string, value: Uint8Array, ttlMs: number): Soon<void>
  delete(tenant: string, key: string): Soon<void>
  /** Deletes a tenant's values whose key begins with `prefix`, or all of them, and says how many. */
  purge(tenant: string, prefix?: string): Soon<number>
  close(): Soon<void>
}

/** Longest key, in characters; longer ones are hashed by their owner. */
export const longestKey = 512

/** Refuses tenants and keys that could be mistaken for others. Throws RangeError. */
export function checkCacheKey(tenant: string, key: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tenant)) throw new RangeError(`"${tenant}" cannot be a tenant of the cache.`)
  if (key.length > longestKey)
    throw new RangeError(`A cache key has at most ${longestKey} characters, not ${key.length}.`)
}

/** Throws RangeError on a time to live that is not a whole number of milliseconds from 1. */
export function checkTtl(ttlMs: number): void {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1) throw new RangeError(`A time to live of ${ttlMs} ms is not possible.`)
}
