/** Unused tenants cost next to nothing, however many modules there are: checked for the jobs of every module. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import { enqueueDue } from '../../src/kernel/jobs/schedule.ts'
import { createFakeClock } from '../../src/kernel/testing/fake-clock.ts'
import { modules } from '../../src/modules.ts'
import { type OwnWorld, openWorld, type TestTenant } from '../support/world.ts'

const hours = 6
const tenants = 1000
/** Jobs a second for all of these tenants together. */
const mostPerSecond = 2

const jobs = modules.flatMap((module) => module.jobs).filter((job) => job.ofInstallation !== true)

let world: OwnWorld
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('idle')
})
afterAll(() => world.close())

const waiting = (): Promise<readonly { readonly kind: string }[]> =>
  world.kernel.db.system('test of idle tenants', (tx) =>
    tx.query(sql<{ kind: string }>`select kind from job where status in ('waiting', 'running')`),
  )

test('a thousand idle tenants are given fewer than two jobs a second, and each condition may read its tables', async () => {
  const { db, clock, random } = world.kernel
  const all = async () => [tenant.id]
  // A new tenant is given once what it begins with.
  await enqueueDue({ db, clock, random, jobs, tenants: all }, new Map())
  await expect.poll(waiting, { timeout: 60_000 }).toEqual([])
  // Later than the worker's clock, so that it leaves the jobs alone.
  const later = createFakeClock(clock.now() + 3_600_000)
  const done = new Map<string, number>()
  let given = 0
  for (let minute = 0; minute < hours * 60; minute += 1) {
    given += await enqueueDue({ db, clock: later, random, jobs, tenants: all }, done)
    await db.system('test of idle tenants', (tx) => tx.execute(sql`delete from job where status = 'waiting'`))
    later.advance(60_000)
  }
  expect((given * tenants) / (hours * 3600)).toBeLessThan(mostPerSecond)
})
