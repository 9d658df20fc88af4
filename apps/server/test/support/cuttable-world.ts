/** The whole program on a PostgreSQL database that can be taken away and given back. */

import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { createPgDriver } from '../../src/kernel/db/adapters/pg.ts'
import { type CuttableProxy, startCuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { modules } from '../../src/modules.ts'
import { openTestDatabase } from './database.ts'
import { type OwnWorld, openWorld } from './world.ts'

export interface CuttableWorld {
  readonly world: OwnWorld
  /** Between the program and its database. */
  readonly proxy: CuttableProxy
  close(): Promise<void>
}

export async function openCuttableWorld(): Promise<CuttableWorld> {
  const database = await openTestDatabase(schemaOf(modules), 'pg')
  const proxy = await startCuttableProxy(database.url ?? '')
  const url = new URL(database.url ?? '')
  url.host = new URL(proxy.url).host
  const driver = createPgDriver({ url: url.href, poolSize: 6 })
  const world = await openWorld({
    environment: { PARAPET_LOG_LEVEL: 'silent' },
    database: { driver, url: url.href, close: () => driver.close() },
  })
  return {
    world,
    proxy,
    close: async () => {
      proxy.mend()
      await world.close()
      await proxy.close()
      await database.close()
    },
  }
}
