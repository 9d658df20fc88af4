import { expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import { enqueueDue } from '../../src/kernel/jobs/schedule.ts'
import { createFakeClock } from '../../src/kernel/testing/fake-clock.ts'
import { openWorld } from './world.ts'

test('a world hands nothing out that repeats by the clock, whenever it is', async () => {
  const world = await openWorld()
  try {
    const tenant = await world.tenant('held')
    const { db, random, clock } = world.kernel
    const repeating = world.program.assembled.modules.jobs
      .map(({ declared }) => declared)
      .filter(({ everyMs }) => everyMs !== null)
    // Those of the installation itself may be handed out while it starts.
    const handedOut = () =>
      db.system('test', (tx) =>
        tx.query(sql<{ id: string; kind: string }>`select id, kind from job where key = 'schedule'`),
      )
    const before = new Set((await handedOut()).map(({ id }) => id))
    const looked = new Map<string, number>()
    const later = createFakeClock(clock.now() + 400 * 86_400_000)
    const parts = { db, random, jobs: repeating, clock: later, tenants: async () => [tenant.id] }
    expect(await enqueueDue(parts, looked)).toBe(0)
    expect(looked.size).toBe(new Set(repeating.map(({ kind }) => kind)).size)
    expect(looked.size).toBeGreaterThan(10)
    expect((await handedOut()).filter(({ id }) => !before.has(id))).toEqual([])
  } finally {
    await world.close()
  }
})
