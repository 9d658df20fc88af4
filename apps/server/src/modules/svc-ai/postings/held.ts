/**
 * Content of sources in memory, within a bound of bytes, least used first to go. Promises that a version that
 * was replaced is never given, because the caller names the version that the database has now, and that callers at once
 * read a source once. Tested in held.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'

export interface Place {
  readonly tenantId: TenantId
  readonly sourceId: string
  /** Of what is kept; another one is read anew. */
  readonly version: string
}

export interface Sized {
  readonly bytes: number
}

export interface Held<T extends Sized> {
  get(place: Place): Promise<T>
  /** Bytes in memory. */
  bytes(): number
}

interface Parts<T extends Sized> {
  readonly read: (place: Place) => Promise<T>
  /** Asked at every use. */
  readonly mostBytes: () => number
}

export function createHeld<T extends Sized>({ read, mostBytes }: Parts<T>): Held<T> {
  // A map keeps the order of insertion: the first is the least used.
  const held = new Map<string, { readonly version: string; readonly content: T }>()
  const reading = new Map<string, Promise<T>>()
  let bytes = 0

  const drop = (key: string): void => {
    bytes -= held.get(key)?.content.bytes ?? 0
    held.delete(key)
  }
  const keep = (key: string, version: string, content: T): void => {
    drop(key)
    held.set(key, { version, content })
    bytes += content.bytes
    for (const [oldest] of held) {
      if (bytes <= mostBytes() || oldest === key) break
      drop(oldest)
    }
  }
  const readOnce = (place: Place): Promise<T> => {
    const name = `${place.tenantId}/${place.sourceId}/${place.version}`
    const known = reading.get(name)
    if (known !== undefined) return known
    const content = read(place).finally(() => reading.delete(name))
    reading.set(name, content)
    return content
  }
  return {
    get: async (place) => {
      const key = `${place.tenantId}/${place.sourceId}`
      const known = held.get(key)
      const content = known?.version === place.version ? known.content : await readOnce(place)
      keep(key, place.version, content)
      return content
    },
    bytes: () => bytes,
  }
}
