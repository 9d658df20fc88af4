import type { Cache } from './port.ts'

export interface SingleFlight<T> {
  /** The running load of this key, or a new one. A load that fails, fails for all who joined it; the next call tries again. */
  run(key: string): Promise<T>
  /** Later calls do not join a load that began before now. */
  forget(key: string): void
}

/**
 * Lets callers who want the same thing at the same time share one load.
 *
 * @example
 * const flight = singleFlight((id: string) => fetchKeys(id))
 * const [a, b] = await Promise.all([flight.run('x'), flight.run('x')]) // one fetch
 */
export function singleFlight<T>(load: (key: string) => Promise<T>): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>()

  function run(key: string): Promise<T> {
    const running = flights.get(key)
    if (running !== undefined) return running
    const flight = load(key)
    flights.set(key, flight)
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    flight.then(land, land)
    return flight
  }

  return {
    run,
    forget: (key) => void flights.delete(key),
  }
}

export interface ReadThroughEntry {
  readonly tenant: string
  readonly key: string
  readonly ttlMs: number
}

export interface ReadThrough {
  /** The cached value, or the loaded one, which is then kept. Callers who miss together share one load. */
  get(entry: ReadThroughEntry, load: () => Promise<Uint8Array>): Promise<Uint8Array>
  /** Deletes the value; a load that is under way is neither joined nor kept. */
  delete(tenant: string, key: string): Promise<void>
}

/** Reads through a cache without a stampede when a popular value is missing. */
export function createReadThrough(cache: Cache): ReadThrough {
  const flights = new Map<string, Promise<Uint8Array>>()
  const nameOf = (tenant: string, key: string): string => `${tenant}:${key}`

  async function loadAndKeep(entry: ReadThroughEntry, load: () => Promise<Uint8Array>, isCurrent: () => boolean) {
    const cached = await cache.get(entry.tenant, entry.key)
    if (cached !== undefined) return cached
    const value = await load()
    if (isCurrent()) await cache.set(entry.tenant, entry.key, value, entry.ttlMs)
    return value
  }

  function get(entry: ReadThroughEntry, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const name = nameOf(entry.tenant, entry.key)
    const running = flights.get(name)
    if (running !== undefined) return running
    const isCurrent = () => flights.get(name) === flight
    const flight: Promise<Uint8Array> = loadAndKeep(entry, load, isCurrent).finally(() => {
      if (isCurrent()) flights.delete(name)
    })
    flights.set(name, flight)
    return flight
  }

  return {
    get,
    async delete(tenant, key) {
      flights.delete(nameOf(tenant, key))
      await cache.delete(tenant, key)
    },
  }
}
