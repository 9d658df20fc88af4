/** Tenants that nobody uses cost next to nothing, however many modules there are: held for the jobs of every module. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { createRandom } from '../../src/kernel/crypto/random.ts'
import { createDatabase } from '../../src/kernel/db/database.ts'
import { enqueueDue } from '../../src/kernel/jobs/schedule.ts'
import { createFakeClock } from '../../src/kernel/testing/fake-clock.ts'
import { modules } from '../../src/modules.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

const hours = 6
const tenants = 1000
/** Jobs a second for all of these tenants together. */
const mostPerSecond = 2

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
})
afterAll(() => database.close())

test('a thousand idle tenants are given fewer than two jobs a second, and each condition may read its tables', async () => {
  const clock = createFakeClock()
  const random = createRandom(clock.now)
  const unused = (): never => {
    throw new Error('the schedule records nothing')
  }
  const db = createDatabase({
    driver: database.driver,
    recorders: { audit: unused, event: unused, job: unused, change: unused },
  })
  const jobs = modules.flatMap((module) => module.jobs).filter((job) => job.ofInstallation !== true)
  const tenantId = random.uuid() as TenantId
  const done = new Map<string, number>()
  let given = 0
  for (let minute = 0; minute < hours * 60; minute += 1) {
    given += await enqueueDue({ db, clock, random, jobs, tenants: async () => [tenantId] }, done)
    await database.driver.script('delete from job')
    clock.advance(60_000)
  }
  expect((given * tenants) / (hours * 3600)).toBeLessThan(mostPerSecond)
})
