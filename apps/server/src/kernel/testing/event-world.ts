import { createHmac } from 'node:crypto'
import { openTestDatabase } from '../../../test/support/database.ts'
import type { TenantId } from '../access/actor.ts'
import { createRecorders, type RecorderParts } from '../assembly/recorders.ts'
import { auditMigrations } from '../audit/migrations.ts'
import { sealBatch } from '../audit/seal.ts'
import { auditTables } from '../audit/tables.ts'
import type { Clock } from '../base/clock.ts'
import { createRandom, type Random } from '../crypto/random.ts'
import { dataRegistryMigrations, dataRegistryTables } from '../data-registry/tables.ts'
import { createDatabase } from '../db/database.ts'
import type { Database, Driver } from '../db/port.ts'
import { databaseMigrations } from '../db/schema/migrations.ts'
import { databaseTables } from '../db/schema/tables.ts'
import { sql } from '../db/sql.ts'
import { eventMigrations } from '../events/migrations.ts'
import { moveBatch } from '../events/relay.ts'
import { eventTables } from '../events/tables.ts'
import { jobMigrations } from '../jobs/migrations.ts'
import { jobTables } from '../jobs/tables.ts'
import type { LoopLog } from '../lifecycle/loop.ts'
import type { Meter } from '../observe/meter.ts'
import { scheduleMigrations } from '../schedules/migrations.ts'
import { scheduleTables } from '../schedules/tables.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

export interface World<C extends Clock = FakeClock> {
  readonly db: Database
  readonly driver: Driver
  readonly clock: C
  readonly random: Random
  readonly meter: Meter & { readonly counts: Map<string, number> }
  readonly log: LoopLog & { readonly lines: string[] }
  /** Loops that a commit wakes; tests put their own readers here. */
  readonly committed: { -readonly [K in keyof RecorderParts['committed']]: RecorderParts['committed'][K] }
  close(): Promise<void>
}

export const tenantA = '0190a000-0000-7000-8000-00000000000a' as TenantId
export const tenantB = '0190b000-0000-7000-8000-00000000000b' as TenantId

/** An empty database with the tables of events, jobs and audit, and a clock that stands still. */
export function openWorld(): Promise<World> {
  return openWorldWith(createFakeClock())
}

export async function openWorldWith<C extends Clock>(clock: C): Promise<World<C>> {
  const { driver, close } = await openTestDatabase({
    tables: [...databaseTables, ...eventTables, ...jobTables, ...scheduleTables, ...auditTables, ...dataRegistryTables],
    migrations: [
      ...databaseMigrations,
      ...eventMigrations,
      ...jobMigrations,
      ...scheduleMigrations,
      ...auditMigrations,
      ...dataRegistryMigrations,
    ],
  })
  const random = createRandom(clock.now)
  const nothing = (): void => undefined
  const committed = { event: nothing, job: nothing, audit: nothing, change: nothing }
  const digest = (value: string): string => createHmac('sha256', 'test').update(value).digest('base64url')
  const recorders = createRecorders({ clock, random, digest, check: true, committed })
  const lines: string[] = []
  const counts = new Map<string, number>()
  return {
    db: createDatabase({ driver, recorders }),
    driver,
    clock,
    random,
    committed,
    log: { lines, warn: (_, message) => void lines.push(message), error: (_, message) => void lines.push(message) },
    meter: {
      counts,
      count: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
      gauge: (name, value) => void counts.set(name, value),
    },
    close,
  }
}

/**
 * Moves everything from the outbox to the log. On a server this may take several tries: a transaction open in any of
 * its databases holds the relay back, and other suites have theirs.
 */
export function moveAll(world: Pick<World, 'db' | 'clock'>): Promise<void> {
  return until(() =>
    world.db.system('test', async (tx) => {
      await moveBatch(tx, world.clock.iso())
      const left = await tx.first(sql<{ count: number }>`select count(*)::int as count from outbox`)
      return left?.count === 0
    }),
  )
}

/** Seals everything that waits, likewise. */
export function sealAll(world: Pick<World, 'db' | 'clock'>): Promise<void> {
  return until(() =>
    world.db.system('test', async (tx) => {
      await sealBatch(tx, world.clock.iso())
      const left = await tx.first(sql<{ count: number }>`select count(*)::int as count from audit_pending`)
      return left?.count === 0
    }),
  )
}

/** Resolves when the condition holds; fails after half a minute. Looks again at every turn of the event loop. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Still not so: ${condition.toString()}`)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
