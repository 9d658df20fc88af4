import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { createFiring, fireDue } from './fire.ts'
import { armSchedule, disarmSchedule, type ScheduleInput, scheduledRun, scheduleStates } from './schedules.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() =>
  world.db.system('test', async (tx) => {
    await tx.execute(sql`delete from job`)
    await tx.execute(sql`delete from schedule`)
  }),
)
afterAll(() => world.close())

const jobKinds = new Map([['report', { kind: 'report', maxAttempts: 1 }]])
const hourMs = 3_600_000
const base = { owner: 'platform', key: 'r1', kind: 'report' } as const
const hourly = { cron: '0 * * * *', timeZone: 'UTC' }

type Arming = Partial<ScheduleInput> & { readonly tenantId?: TenantId }
const arm = ({ tenantId = tenantA, ...input }: Arming = {}) =>
  world.db.tenant({ tenantId }, (tx) =>
    armSchedule({ clock: world.clock, jobKinds }, tx, { ...base, timing: hourly, ...input }),
  )
const fire = (parts: Partial<World> = {}) => fireDue({ ...world, ...parts })
const jobs = () =>
  world.db.system('test', (tx) =>
    tx.query(sql<{ tenant_id: string; kind: string; payload: Record<string, unknown>; run_at: string }>`
      select tenant_id, kind, payload, run_at from job order by id`),
  )
const runsOf = async () => (await jobs()).map(({ payload }) => scheduledRun(payload)?.scheduled_at)
/** The clock of the world begins at 2026-03-01T12:00:00Z, and moves on. */
const inHours = (hours: number) =>
  new Date(Math.floor(world.clock.now() / hourMs) * hourMs + hours * hourMs).toISOString()
const toNextHour = () => world.clock.advance(hourMs - (world.clock.now() % hourMs))

describe('a schedule', () => {
  test('adds its job when it is due, once, and waits for the next time', async () => {
    const first = inHours(1)
    expect(await arm({ payload: { report: 7 } })).toBe(first)
    expect(await fire()).toEqual({ jobs: 0, full: false })
    toNextHour()
    expect(await fire()).toEqual({ jobs: 1, full: false })
    expect(await fire()).toEqual({ jobs: 0, full: false })
    const run = { key: 'r1', scheduled_at: first, missed: 0 }
    expect(await jobs()).toEqual([
      { tenant_id: tenantA, kind: 'report', payload: { report: 7, schedule: run }, run_at: first },
    ])
    toNextHour()
    await fire()
    expect(await runsOf()).toHaveLength(2)
  })

  test.each([
    ['run_once', 10, ['3']],
    ['skip', 10, []],
    ['run_all', 10, ['1', '2', '3']],
    ['run_all', 2, ['2', '3']],
  ] as const)('that nobody was there for follows its policy: %s, at most %i', async (missedRuns, mostRuns, hours) => {
    await arm({ missedRuns, mostRuns })
    const expected = hours.map((hour) => inHours(Number(hour)))
    toNextHour()
    world.clock.advance(2.5 * hourMs)
    await fire()
    expect(await runsOf()).toEqual(expected)
    await world.db.system('test', (tx) => tx.execute(sql`delete from job`))
    toNextHour()
    await fire()
    expect(await runsOf()).toHaveLength(1)
  })

  test('is replaced by another one of its key, and keeps its time where the timing is the same', async () => {
    const first = await arm({ timing: { everyMs: hourMs } })
    world.clock.advance(hourMs / 2)
    expect(await arm({ timing: { everyMs: hourMs }, payload: { n: 2 } })).toBe(first)
    const other = await arm({ timing: { everyMs: 2 * hourMs } })
    expect(other).toBe(new Date(world.clock.now() + 2 * hourMs).toISOString())
    world.clock.advance(2 * hourMs)
    await fire()
    expect(await runsOf()).toEqual([other])
  })

  test('rests while it is disabled and makes up for nothing afterwards', async () => {
    await arm({ missedRuns: 'run_all' })
    await arm({ missedRuns: 'run_all', enabled: false })
    world.clock.advance(5 * hourMs)
    await fire()
    expect(await jobs()).toEqual([])
    expect(await arm({ missedRuns: 'run_all' })).toBe(inHours(1))
  })

  test('is gone when it is disarmed, and belongs to its tenant and owner', async () => {
    await arm()
    await arm({ tenantId: tenantB })
    await arm({ owner: 'aegis' })
    const off = (tenantId: TenantId) => world.db.tenant({ tenantId }, (tx) => disarmSchedule(tx, base))
    expect([await off(tenantA), await off(tenantA)]).toEqual([true, false])
    toNextHour()
    await fire()
    expect((await jobs()).map((job) => job.tenant_id).sort()).toEqual([tenantA, tenantB])
  })

  test('is refused where its timing or its kind is none, and nothing is stored', async () => {
    await expect(arm({ timing: { cron: '60 * * * *', timeZone: 'UTC' } })).rejects.toMatchObject({ code: 'API-030' })
    await expect(arm({ timing: { cron: '0 * * * *', timeZone: 'Nowhere' } })).rejects.toMatchObject({ code: 'API-031' })
    await expect(arm({ kind: 'other' })).rejects.toThrow('no kind of job other')
    await expect(arm({ mostRuns: 101 })).rejects.toThrow(RangeError)
    const states = await world.db.tenant({ tenantId: tenantA }, (tx) =>
      scheduleStates(tx, { owner: 'platform', keys: ['r1'] }),
    )
    expect(states).toEqual([])
  })

  test('whose times cannot be found any more is switched off and holds up nobody', async () => {
    await arm({ key: 'broken' })
    await arm({ tenantId: tenantB })
    await world.db.system('test', (tx) =>
      tx.execute(sql`update schedule set time_zone = 'Gone/Away' where key = 'broken'`),
    )
    toNextHour()
    expect(await fire()).toMatchObject({ jobs: 1 })
    const [state] = await world.db.tenant({ tenantId: tenantA }, (tx) =>
      scheduleStates(tx, { owner: 'platform', keys: ['broken'] }),
    )
    expect(state).toMatchObject({ enabled: false, fault: expect.stringContaining('Gone/Away') })
    expect(world.log.lines).toContain('a schedule was switched off')
  })
})

describe('the look at the clock', () => {
  test('is two statements for all tenants, and two more for what is due', async () => {
    let statements = 0
    const db: Pick<Database, 'system'> = {
      system: (reason, work) =>
        world.db.system(reason, (tx) =>
          work({
            ...{ first: tx.first.bind(tx), lock: tx.lock.bind(tx), afterCommit: tx.afterCommit.bind(tx) },
            query: (statement) => {
              statements += 1
              return tx.query(statement)
            },
            execute: (statement) => {
              statements += 1
              return tx.execute(statement)
            },
          }),
        ),
    }
    for (const tenantId of [tenantA, tenantB]) for (const key of ['a', 'b', 'c']) await arm({ tenantId, key })
    await fireDue({ ...world, db })
    expect(statements).toBe(2)
    toNextHour()
    expect(await fireDue({ ...world, db })).toMatchObject({ jobs: 6 })
    expect(statements).toBe(6)
  })

  test('leaves no job without its row moved on: a crash before the commit undoes both', async () => {
    await arm()
    toNextHour()
    const db: Pick<Database, 'system'> = {
      system: (reason, work) =>
        world.db.system(reason, async (tx) => {
          await work(tx)
          throw new Error('killed')
        }),
    }
    await expect(fireDue({ ...world, db })).rejects.toThrow('killed')
    expect(await jobs()).toEqual([])
    await fire()
    expect(await jobs()).toHaveLength(1)
  })

  test('gives each run one job when several instances look at once', async () => {
    for (let n = 0; n < 120; n += 1) await arm({ key: `k${n}` })
    let told = 0
    const instances = Array.from({ length: 3 }, () =>
      createFiring({
        ...world,
        enqueued: () => {
          told += 1
        },
      }),
    )
    toNextHour()
    await Promise.all(instances.map((instance) => instance.start()))
    await until(async () => (await jobs()).length >= 120)
    await Promise.all(instances.map((instance) => instance.stop()))
    const keys = (await jobs()).map(({ payload }) => scheduledRun(payload)?.key)
    expect([keys.length, new Set(keys).size]).toEqual([120, 120])
    expect(told).toBeGreaterThan(0)
  })
})
