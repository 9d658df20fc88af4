import { type Cache, checkCacheKey, checkTtl } from '../port.ts'

export interface MemoryCache extends Cache {
  get(tenant: string, key: string): Uint8Array | undefined
  set(tenant: string, key: string, value: Uint8Array, ttlMs: number): void
  delete(tenant: string, key: string): void
  purge(tenant: string, prefix?: string): number
  close(): void
  stats(): { readonly entries: number; readonly bytes: number; readonly evicted: number }
}

export interface MemoryCacheOptions {
  /** Milliseconds; only differences count. */
  readonly now: () => number
  /** Bytes of keys and values held at most (default 64 MiB). The longest unused goes first. */
  readonly maxBytes?: number
}

interface Entry {
  readonly value: Uint8Array
  readonly expiresAt: number
  readonly bytes: number
}

// Overhead of an entry besides its key and value: Map slot, objects, buffer header. Measured order of magnitude.
const overheadBytes = 200

/** A cache in this process, bounded by bytes, that answers synchronously. */
export function createMemoryCache({ now, maxBytes = 64 * 1_048_576 }: MemoryCacheOptions): MemoryCache {
  return new BoundedCache(now, maxBytes)
}

class BoundedCache implements MemoryCache {
  readonly #now: () => number
  readonly #maxBytes: number
  // A Map keeps the order of insertion; a value that is read goes to the end.
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #evicted = 0

  constructor(now: () => number, maxBytes: number) {
    this.#now = now
    this.#maxBytes = maxBytes
  }

  get(tenant: string, key: string): Uint8Array | undefined {
    checkCacheKey(tenant, key)
    const name = nameOf(tenant, key)
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    this.#remove(name)
    if (entry.expiresAt <= this.#now()) return undefined
    this.#add(name, entry)
    return entry.value.slice()
  }

  set(tenant: string, key: string, value: Uint8Array, ttlMs: number): void {
    checkCacheKey(tenant, key)
    checkTtl(ttlMs)
    const name = nameOf(tenant, key)
    this.#remove(name)
    const bytes = value.byteLength + 2 * name.length + overheadBytes
    if (bytes > this.#maxBytes) return
    this.#add(name, { value: new Uint8Array(value), expiresAt: this.#now() + ttlMs, bytes })
    this.#evict()
  }

  delete(tenant: string, key: string): void {
    checkCacheKey(tenant, key)
    this.#remove(nameOf(tenant, key))
  }

  purge(tenant: string, prefix = ''): number {
    checkCacheKey(tenant, prefix)
    const start = nameOf(tenant, prefix)
    const doomed = [...this.#entries.keys()].filter((name) => name.startsWith(start))
    for (const name of doomed) this.#remove(name)
    return doomed.length
  }

  close(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  stats(): { readonly entries: number; readonly bytes: number; readonly evicted: number } {
    return { entries: this.#entries.size, bytes: this.#bytes, evicted: this.#evicted }
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
  }

  #remove(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
      this.#evicted += 1
    }
  }
}

// A tenant has no colon, so no tenant's name begins another's.
const nameOf = (tenant: string, key: string): string => `${tenant}:${key}`
