/**
 * Facts about subjects, held for a bounded time and dropped when they change. It promises that an answer fetched before
 * a change is never stored after it; it does not push changes. Tested in fresh-cache.test.ts.
 */

export interface FreshCache<V> {
  /** A value that is held and not too old. */
  get(key: string): V | undefined
  /** Fetches, shares the fetch with others who ask meanwhile, and holds the answer unless it is null. */
  fetch(key: string): Promise<V | null>
  drop(key: string): void
  dropWhere(matches: (key: string, value: V) => boolean): void
}

export interface FreshCacheParts<V> {
  readonly capacity: number
  readonly maxAgeMs: number
  readonly now: () => number
  readonly load: (key: string) => Promise<V | null>
}

export function createFreshCache<V>(parts: FreshCacheParts<V>): FreshCache<V> {
  const held = new Map<string, { readonly value: V; readonly until: number }>()
  const loading = new Map<string, Promise<V | null>>()

  const hold = (key: string, value: V): void => {
    held.delete(key)
    held.set(key, { value, until: parts.now() + parts.maxAgeMs })
    const oldest = held.size > parts.capacity ? held.keys().next().value : undefined
    if (oldest !== undefined) held.delete(oldest)
  }
  const begin = (key: string): Promise<V | null> => {
    const fetched: Promise<V | null> = parts.load(key).then(
      (value) => {
        // A change meanwhile has taken this fetch out of the map: its answer may be the old one.
        if (loading.get(key) === fetched) {
          loading.delete(key)
          if (value !== null) hold(key, value)
        }
        return value
      },
      (error: unknown) => {
        if (loading.get(key) === fetched) loading.delete(key)
        throw error
      },
    )
    loading.set(key, fetched)
    return fetched
  }

  return {
    get: (key) => {
      const entry = held.get(key)
      if (entry === undefined) return undefined
      if (entry.until > parts.now()) return entry.value
      held.delete(key)
      return undefined
    },
    fetch: (key) => loading.get(key) ?? begin(key),
    drop: (key) => {
      held.delete(key)
      loading.delete(key)
    },
    dropWhere: (matches) => {
      for (const [key, { value }] of held) if (matches(key, value)) held.delete(key)
      // Values on their way cannot be looked at, so none of them is stored.
      loading.clear()
    },
  }
}
