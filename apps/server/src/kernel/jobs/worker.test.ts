import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { sql } from '../db/sql.ts'
import type { Kernel } from '../kernel.ts'
import type { JobContext, JobDeclaration } from '../module/module.ts'
import { openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { claimJobs } from './queue.ts'
import { createSchedule, enqueueDue } from './schedule.ts'
import { createWorker, type Worker, type WorkerParts } from './worker.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() =>
  world.db.system('test', async (tx) => {
    await tx.execute(sql`delete from job`)
    await tx.execute(sql`delete from job_schedule`)
  }),
)
afterAll(() => world.close())

interface JobRow {
  readonly tenant_id: string
  readonly kind: string
  readonly status: string
  readonly attempts: number
  readonly run_at: string
  readonly progress: number
  readonly error: string | null
}
const jobs = (): Promise<readonly JobRow[]> =>
  world.db.system('test', (tx) =>
    tx.query(
      sql<JobRow>`select tenant_id, kind, status, attempts, run_at, progress, error from job order by created_at, id`,
    ),
  )
const enqueue = (tenantId: TenantId, payload: Record<string, unknown>, extra: { key?: string; runAt?: number } = {}) =>
  world.db.tenant({ tenantId }, (tx) => tx.enqueue({ kind: 'count', payload, ...extra }))

type Work = (context: JobContext<unknown>) => Promise<void>

function workerFor(run: Work, more: Partial<JobDeclaration<unknown>> = {}, parts: Partial<WorkerParts> = {}): Worker {
  const base = { kind: 'count', maxAttempts: 3, leaseMs: 30_000, everyMs: null, run }
  const jobs = [{ declaration: { ...base, ...more }, services: undefined }]
  const kernel = () => ({}) as unknown as Kernel
  return createWorker({ ...world, node: 'node-1', jobs, kernel, slots: { quick: 2 }, ...parts })
}

/** Lets time pass in seconds until the condition holds. */
const passing = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  until(async () => {
    if (await condition()) return true
    world.clock.advance(1_000)
    return false
  })

describe('the queue', () => {
  test('keeps one waiting job per key, at the earlier time', async () => {
    const now = world.clock.now()
    await enqueue(tenantA, { n: 1 }, { key: 'k', runAt: now + 60_000 })
    await enqueue(tenantA, { n: 2 }, { key: 'k', runAt: now + 10_000 })
    await enqueue(tenantA, { n: 3 }, { key: 'k', runAt: now + 30_000 })
    await enqueue(tenantB, { n: 4 }, { key: 'k', runAt: now + 60_000 })
    const rows = await jobs()
    expect(rows).toHaveLength(2)
    expect(rows[0]?.run_at).toBe(new Date(now + 10_000).toISOString())
  })

  test('loses a job with the transaction that asked for it', async () => {
    await expect(
      world.db.tenant({ tenantId: tenantA }, async (tx) => {
        await tx.enqueue({ kind: 'count', payload: {} })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await jobs()).toHaveLength(0)
  })

  test('C27 claims in turn over the tenants, whatever one of them has piled up', async () => {
    for (let n = 0; n < 5; n += 1) await enqueue(tenantA, { n })
    await enqueue(tenantB, { n: 9 })
    const claim = { owner: 'x', kinds: ['count'], limit: 10, now: world.clock.iso(), after: null, leaseMs: 1_000 }
    const first = await world.db.system('test', (tx) => claimJobs(tx, claim))
    expect(first.map((job) => job.tenantId).sort()).toEqual([tenantA, tenantB])
    const one = await world.db.system('test', (tx) => claimJobs(tx, { ...claim, limit: 1, after: tenantB }))
    expect(one).toMatchObject([{ tenantId: tenantA, payload: { n: 1 }, attempt: 1 }])
    const unknown = await world.db.system('test', (tx) => claimJobs(tx, { ...claim, kinds: ['other'] }))
    expect(unknown).toHaveLength(0)
  })

  test('holds a job from its claim on for as long as its kind says, and not for the longest of the lane', async () => {
    await enqueue(tenantA, {})
    const claim = { owner: 'x', kinds: ['count'], limit: 1, now: world.clock.iso(), after: null, leaseMs: 600_000 }
    await world.db.system('test', (tx) => claimJobs(tx, { ...claim, leases: { count: 5_000, other: 900_000 } }))
    const [held] = await world.db.system('test', (tx) =>
      tx.query(sql<{ short: boolean }>`
        select lease_until <= clock_timestamp() + interval '5 s' as short from job where status = 'running'`),
    )
    expect(held?.short).toBe(true)
  })
})

describe('the worker', () => {
  test('runs what is due and not what is later', async () => {
    const seen: unknown[] = []
    const worker = workerFor(async ({ payload, progress }) => {
      await progress(0.5)
      seen.push(payload.n)
    })
    await enqueue(tenantA, { n: 1 })
    await enqueue(tenantB, { n: 2 }, { runAt: world.clock.now() + 3_600_000 })
    await worker.start()
    await until(async () => (await jobs()).some((row) => row.status === 'done'))
    await worker.stop()
    expect(seen).toEqual([1])
    expect((await jobs()).map((row) => row.status).sort()).toEqual(['done', 'waiting'])
  })

  test('tries again after a failure and gives up after the last attempt', async () => {
    let calls = 0
    const worker = workerFor(async () => {
      calls += 1
      throw new Error(`failed ${calls}`)
    })
    await enqueue(tenantA, {})
    await worker.start()
    await passing(async () => (await jobs())[0]?.status === 'dead')
    await worker.stop()
    expect(calls).toBe(3)
    expect((await jobs())[0]).toMatchObject({ attempts: 3, error: 'Error: failed 3' })
    expect(world.log.lines).toContain('a job failed for good')
  })

  test('takes over a job whose worker fell silent', async () => {
    await enqueue(tenantA, {})
    const claim = { owner: 'dead', kinds: ['count'], limit: 1, now: world.clock.iso(), after: null, leaseMs: 30_000 }
    await world.db.system('test', (tx) => claimJobs(tx, claim))
    await world.db.system('test', (tx) =>
      tx.execute(sql`update job set lease_until = clock_timestamp() - interval '1 s'`),
    )
    let attempt = 0
    const worker = workerFor(async (context) => {
      attempt = context.attempt
    })
    await worker.start()
    await passing(async () => (await jobs())[0]?.status === 'done')
    await worker.stop()
    expect(attempt).toBe(2)
  })

  test('tells a running job to stop and leaves it to the next process', async () => {
    let started = false
    const worker = workerFor(
      ({ signal }) =>
        new Promise((_, reject) => {
          started = true
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        }),
      { maxAttempts: 1 },
    )
    await enqueue(tenantA, {})
    await worker.start()
    await until(() => started)
    await worker.stop()
    expect((await jobs())[0]).toMatchObject({ status: 'waiting' })
  })
})

describe('C27 a worker’s slots', () => {
  const many = async (tenantId: TenantId, count: number) => {
    for (let n = 0; n < count; n += 1) await enqueue(tenantId, { n })
  }
  /** Work that does not end before it is let go, and how much of it went on at the same time. */
  function held() {
    const running: string[] = []
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const run: Work = async ({ tenantId }) => {
      running.push(tenantId)
      await gate
    }
    return { running, run, release: () => release() }
  }

  test('are never all one tenant’s, and the last one is there for who comes later', async () => {
    await many(tenantA, 5)
    const { running, run, release } = held()
    const worker = workerFor(run, {}, { slots: { quick: 3 } })
    await worker.start()
    await until(() => running.length === 2)
    await enqueue(tenantB, { n: 9 })
    worker.wake(world.clock.now())
    await until(() => running.length === 3)
    expect(running).toEqual([tenantA, tenantA, tenantB])
    release()
    await worker.stop()
  })

  test('take no more of a kind than it says', async () => {
    await many(tenantA, 1)
    await many(tenantB, 1)
    const { running, run, release } = held()
    const worker = workerFor(run, { mostAtOnce: 1 }, { slots: { quick: 4 } })
    await worker.start()
    await until(() => running.length === 1)
    for (let look = 0; look < 3; look += 1) {
      world.clock.advance(1_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(running).toHaveLength(1)
    release()
    await until(() => running.length === 2)
    await worker.stop()
  })

  test('are freed at the deadline, also by work that does not listen, and the attempt has failed', async () => {
    await many(tenantA, 1)
    const told: unknown[] = []
    const died = async (tx: { readonly tenantId: TenantId }, job: object) => void told.push([tx.tenantId, job])
    let aborted = false
    const run: Work = ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
      })
    const worker = workerFor(run, { deadlineMs: 5_000, maxAttempts: 1 }, { died })
    await worker.start()
    await passing(async () => (await jobs())[0]?.status === 'dead')
    await worker.stop()
    expect(aborted).toBe(true)
    expect((await jobs())[0]?.error).toContain('DeadlineExceeded')
    expect(told).toEqual([
      [tenantA, expect.objectContaining({ kind: 'count', attempts: 1, errorClass: 'DeadlineExceeded' })],
    ])
  })
})

describe('the schedule', () => {
  test('hands a period out once, whichever instance comes first, and not again while a run waits', async () => {
    const make = () =>
      createSchedule({
        ...world,
        tenants: async () => [tenantA, tenantB],
        jobs: [{ kind: 'count', everyMs: 60_000 }],
        enqueued: () => undefined,
      })
    const instances = [make(), make()]
    await Promise.all(instances.map((instance) => instance.start()))
    await until(async () => (await jobs()).length === 2)
    await Promise.all(instances.map((instance) => instance.stop()))
    expect((await jobs()).map((row) => row.tenant_id).sort()).toEqual([tenantA, tenantB])
    await world.db.system('test', (tx) => tx.execute(sql`update job set status = 'done' where tenant_id = ${tenantA}`))
    world.clock.advance(60_000)
    await Promise.all(instances.map((instance) => instance.start()))
    await until(async () => (await jobs()).length === 3)
    await Promise.all(instances.map((instance) => instance.stop()))
    const waiting = (await jobs()).filter((row) => row.status === 'waiting')
    expect(waiting.map((row) => row.tenant_id).sort()).toEqual([tenantA, tenantB])
  })

  test('gives jobs only to tenants with work where the job asks for it, with one question for all', async () => {
    const asked: string[] = []
    const start = () =>
      enqueueDue(
        {
          ...world,
          tenants: async () => [tenantA, tenantB],
          jobs: [
            {
              kind: 'count',
              everyMs: 60_000,
              due: ({ now }) => {
                asked.push(now)
                return sql`exists (select from job other where other.tenant_id = tenant.id and other.run_at <= ${now})`
              },
            },
          ],
        },
        new Map(),
      )
    expect(await start()).toBe(0)
    expect(await jobs()).toEqual([])
    await enqueue(tenantB, {})
    world.clock.advance(60_000)
    expect(await start()).toBe(1)
    expect((await jobs()).map((row) => row.tenant_id)).toEqual([tenantB, tenantB])
    expect(asked).toHaveLength(2)
  })
})
