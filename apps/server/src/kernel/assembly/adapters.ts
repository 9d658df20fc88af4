/** Chooses each port's adapter from the settings: embedded by default, outside services where an address is given. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { createMemoryCache } from '../cache/adapters/memory.ts'
import { createValkeyCache } from '../cache/adapters/valkey.ts'
import type { Cache } from '../cache/port.ts'
import type { Config } from '../config/load.ts'
import { createPgDriver } from '../db/adapters/pg.ts'
import { openPglite } from '../db/adapters/pglite.ts'
import type { Driver } from '../db/port.ts'
import { createJetStreamBus } from '../events/bus/jetstream.ts'
import { createMemoryBus } from '../events/bus/memory.ts'
import type { Bus } from '../events/bus/port.ts'
import { createMemoryLimiter } from '../limits/adapters/memory.ts'
import { createValkeyLimiter } from '../limits/adapters/valkey.ts'
import type { Limiter } from '../limits/port.ts'
import type { Logger } from '../observe/log.ts'
import { connectValkey } from '../valkey/connection.ts'

export interface Adapters {
  readonly driver: Driver
  readonly limits: Limiter
  readonly cache: Cache
  readonly bus: Bus
  close(): Promise<void>
}

interface AdapterInput {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
}

export async function openDriver(config: Config): Promise<Driver> {
  return config.databaseUrl === null
    ? openPglite({ dataDir: join(config.dataDir, 'postgres') })
    : createPgDriver({ url: config.databaseUrl, poolSize: config.databasePoolSize })
}

/**
 * Everything but the database does without its service when that is away, and says so in the log.
 * @throws Error when the file of certificates cannot be read
 */
export function openAdapters(driver: Driver, { config, clock, log }: AdapterInput): Adapters {
  const failed = (port: string) => (error: unknown) => log.warn({ port, err: error }, 'outside service failed')
  const ca = config.servicesCaFile === null ? undefined : readFileSync(config.servicesCaFile, 'utf8')
  const valkey =
    config.valkeyUrl === null ? null : connectValkey({ url: config.valkeyUrl, ca, onError: failed('valkey') })
  const bus =
    config.natsUrl === null
      ? createMemoryBus({ onError: failed('bus') })
      : createJetStreamBus({ servers: config.natsUrl, ca, onError: failed('bus') })
  const limits =
    valkey === null
      ? createMemoryLimiter({ now: clock.now })
      : createValkeyLimiter({ client: valkey, now: clock.now, onError: failed('limits') })
  const cache =
    valkey === null
      ? createMemoryCache({ now: clock.now })
      : createValkeyCache({ client: valkey, onError: failed('cache') })
  return {
    driver,
    limits,
    cache,
    bus,
    close: async () => {
      await limits.close()
      await cache.close()
      await bus.close()
      valkey?.disconnect()
    },
  }
}
