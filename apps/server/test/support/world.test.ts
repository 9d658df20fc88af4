import { expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import { createSchedule } from '../../src/kernel/jobs/schedule.ts'
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
    let looks = 0
    await new Promise<void>((resolve) => {
      const log = { warn: () => {}, error: (_: unknown, message: string) => expect.unreachable(message) }
      const enqueued = () => {
        looks += 1
        if (looks === repeating.length) resolve()
      }
      const parts = { db, random, log, enqueued, jobs: repeating, tenants: async () => [tenant.id] }
      void createSchedule({ ...parts, clock: createFakeClock(clock.now() + 400 * 86_400_000) }).start()
    })
    expect(looks).toBeGreaterThan(10)
    expect((await handedOut()).filter(({ id }) => !before.has(id))).toEqual([])
  } finally {
    await world.close()
  }
})
