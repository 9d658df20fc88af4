/** Verified tokens by digest, so that a signature is checked once in a token's life. Bounded; an entry ends with its token. */
import { hash } from 'node:crypto'

export interface TokenCache<V> {
  get(token: string): V | undefined
  /** @param expiresAt Unix seconds. */
  set(token: string, value: V, expiresAt: number): void
  clear(): void
  readonly size: number
}

interface Entry<V> {
  readonly value: V
  readonly endsAtMs: number
}

/** The digest keeps tokens out of a heap dump's map keys and the keys short. */
export function createTokenCache<V>(capacity: number, now: () => number): TokenCache<V> {
  const entries = new Map<string, Entry<V>>()
  return {
    get size() {
      return entries.size
    },
    get: (token) => {
      const key = digest(token)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.endsAtMs > now()) return entry.value
      entries.delete(key)
      return undefined
    },
    set: (token, value, expiresAt) => {
      entries.set(digest(token), { value, endsAtMs: expiresAt * 1000 })
      // All access tokens live equally long, so the oldest entry is the one that ends first.
      const oldest = entries.size > capacity ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
    clear: () => entries.clear(),
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64')
}
