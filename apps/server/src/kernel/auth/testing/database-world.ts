/** A real database with the tables of keys and revocations, for tests; several instances may share it, each with its feed. */
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createRecorders } from '../../assembly/recorders.ts'
import { createRandom, type Random } from '../../crypto/random.ts'
import { createDatabase } from '../../db/database.ts'
import type { Database, Driver } from '../../db/port.ts'
import { databaseMigrations } from '../../db/schema/migrations.ts'
import { databaseTables } from '../../db/schema/tables.ts'
import { cryptoMigrations } from '../../keys/migrations.ts'
import { cryptoTables } from '../../keys/tables.ts'
import type { Change } from '../../live/feed.ts'
import { authMigrations } from '../migrations.ts'
import { authTables } from '../tables.ts'
import { type HandClock, type HandFeed, handClock, handFeed } from './fakes.ts'

export interface Instance {
  readonly db: Database
  readonly feed: HandFeed
}

export interface DatabaseWorld {
  readonly clock: HandClock
  readonly random: Random
  readonly driver: Driver
  /** A process of its own on the shared database; its commits reach its own feed at once, others' through `deliverTo`. */
  instance(): Instance
  /** Brings an instance everything announced so far, as its poll would. */
  deliverTo(instance: Instance): void
  /** Empties the tables and forgets what was announced, so that one database serves a whole file. */
  clear(): Promise<void>
  close(): Promise<void>
}

const nothing = () => undefined

export async function openDatabaseWorld(): Promise<DatabaseWorld> {
  const database: TestDatabase = await openTestDatabase({
    tables: [...databaseTables, ...cryptoTables, ...authTables],
    migrations: [...databaseMigrations, ...cryptoMigrations, ...authMigrations],
  })
  const clock = handClock()
  const random = createRandom(clock.now)
  const announced: Change[] = []
  const deliver = (feed: HandFeed, { topic, key, data, tenantId }: Change) => feed.deliver(topic, key, data, tenantId)
  return {
    clock,
    random,
    driver: database.driver,
    instance: () => {
      const feed = handFeed()
      const change = (made: Change): void => {
        announced.push(made)
        deliver(feed, made)
      }
      const committed = { change, event: nothing, job: nothing, audit: nothing }
      const recorders = createRecorders({ clock, random, check: true, digest: (value) => String(value), committed })
      return { feed, db: createDatabase({ driver: database.driver, recorders }) }
    },
    deliverTo: ({ feed }) => {
      for (const change of announced) deliver(feed, change)
    },
    clear: async () => {
      announced.length = 0
      await database.driver.script('truncate tenant_data_key, signing_key, revocation')
    },
    close: () => database.close(),
  }
}
