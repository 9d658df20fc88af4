/** Guarantees to jobs of the long lane and to callers that cancel a job. On PostgreSQL with PARAPET_TEST_DB=pg. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { systemClock } from '../base/clock.ts'
import { sql } from '../db/sql.ts'
import type { Kernel } from '../kernel.ts'
import { createLiveFeed } from '../live/feed.ts'
import type { JobContext, JobDeclaration } from '../module/module.ts'
import { createMetrics } from '../observe/metrics.ts'
import { openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { type Begun, deafLong, halfway, patientLong, testTasks, threadLong } from '../testing/thread-tasks.ts'
import { createThreads } from '../threads/threads.ts'
import { claimJobs } from './queue.ts'
import { createWorker, type Worker, type WorkerParts } from './worker.ts'

let world: World
let feed: ReturnType<typeof createLiveFeed>
const threads = createThreads({
  entry: new URL('../testing/thread-entry.ts', import.meta.url),
  tasks: testTasks,
  size: 1,
  clock: systemClock(),
  metrics: createMetrics(),
})
const workers: Worker[] = []

beforeAll(async () => {
  world = await openWorld()
  feed = createLiveFeed(world)
  world.committed.change = (change) => feed.committed(change)
  world.committed.job = (runAt) => {
    for (const worker of workers) worker.wake(runAt)
  }
})
beforeEach(async () => {
  world.meter.counts.clear()
  await world.db.system('test', (tx) => tx.execute(sql`delete from job`))
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})
afterAll(async () => {
  await threads.stop()
  await world.close()
})

type Work = (context: JobContext<unknown>) => Promise<void>

const kinds = { quick: 'test.quick', long: 'test.long' } as const

async function start(
  runs: Partial<Record<keyof typeof kinds, Work>>,
  parts: Partial<WorkerParts> & { readonly leaseMs?: number } = {},
): Promise<Worker> {
  const declaration = (lane: keyof typeof kinds): JobDeclaration<unknown> => ({
    kind: kinds[lane],
    lane,
    maxAttempts: 3,
    leaseMs: parts.leaseMs ?? 600_000,
    everyMs: null,
    run: runs[lane] ?? (() => Promise.resolve()),
  })
  const worker = createWorker({
    ...world,
    node: 'node-1',
    jobs: [declaration('quick'), declaration('long')].map((one) => ({ declaration: one, services: undefined })),
    kernel: () => ({ threads }) as unknown as Kernel,
    changes: feed,
    slots: { quick: 1, long: 1 },
    ...parts,
  })
  workers.push(worker)
  await worker.start()
  return worker
}

async function enqueue(kind: keyof typeof kinds, tenantId: TenantId = tenantA, runAt = 0): Promise<string> {
  const id = world.random.uuid()
  await world.db.tenant({ tenantId }, (tx) => tx.enqueue({ id, kind: kinds[kind], payload: {}, runAt }))
  return id
}

const cancel = (id: string, tenantId: TenantId = tenantA) => world.db.tenant({ tenantId }, (tx) => tx.cancel(id))

const rowOf = async (id: string) =>
  (
    await world.db.system('test', (tx) =>
      tx.query(sql<{ status: string; progress: number; result: unknown; attempts: number }>`
        select status, progress, result, attempts from job where id = ${id}`),
    )
  )[0]
const statusOf = async (id: string) => (await rowOf(id))?.status

/** Effects of these jobs are further jobs, which do not run. */
const effects = async (): Promise<number> =>
  (await world.db.system('test', (tx) => tx.query(sql`select id from job where kind = 'test.effect'`))).length
const effect = { kind: 'test.effect', payload: {} }

/** Work that goes on until it is let go, and ignores its signal. */
function held() {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  return { gate, release: () => release() }
}

describe('C27 lanes', () => {
  test('long jobs never take the slots of quick ones, nor quick ones theirs', async () => {
    const { gate, release } = held()
    let [running, most, quick] = [0, 0, 0]
    const worker = await start({
      long: async () => {
        running += 1
        most = Math.max(most, running)
        await gate
        running -= 1
      },
      quick: async () => {
        quick += 1
      },
    })
    const long = [await enqueue('long', tenantA), await enqueue('long', tenantB), await enqueue('long', tenantA)]
    await until(() => running === 1)
    const ids = [await enqueue('quick', tenantA), await enqueue('quick', tenantB)]
    worker.wake(world.clock.now())
    await until(() => quick === 2)
    for (const id of ids) await until(async () => (await statusOf(id)) === 'done')
    release()
    for (const id of long) await until(async () => (await statusOf(id)) === 'done')
    expect(most).toBe(1)
  })

  test('a long job whose process was killed is taken again after its lease, on the long lane', async () => {
    const id = await enqueue('long')
    const claim = { owner: 'killed', kinds: [kinds.long], limit: 1, now: world.clock.iso(), after: null, leaseMs: 1 }
    await world.db.system('test', (tx) => claimJobs(tx, claim))
    await start({})
    await until(async () => {
      world.clock.advance(1_000)
      return (await statusOf(id)) === 'done'
    })
    expect((await rowOf(id))?.attempts).toBe(2)
  })
})

describe('a job that is cancelled', () => {
  test('while it waits never runs, and is cancelled once', async () => {
    let ran = 0
    await start({
      quick: async () => {
        ran += 1
      },
    })
    const id = await enqueue('quick', tenantA, world.clock.now() + 3_600_000)
    expect(await Promise.all([cancel(id), cancel(id)])).toEqual(expect.arrayContaining([true, false]))
    expect(await statusOf(id)).toBe('cancelled')
    world.clock.advance(3_600_000)
    const after = await enqueue('quick')
    await until(async () => (await statusOf(after)) === 'done')
    expect([ran, await statusOf(id)]).toEqual([1, 'cancelled'])
  })

  test('stays as it was where the transaction is rolled back, and for another tenant', async () => {
    const id = await enqueue('quick', tenantA, world.clock.now() + 3_600_000)
    const undone = world.db.tenant({ tenantId: tenantA }, async (tx) => {
      expect(await tx.cancel(id)).toBe(true)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await cancel(id, tenantB)).toBe(false)
    expect(await statusOf(id)).toBe('waiting')
  })

  test('C10 is not stopped by another tenant while it runs', async () => {
    const { gate, release } = held()
    let signal: AbortSignal | null = null
    await start({
      long: async (context) => {
        signal = context.signal
        await gate
      },
    })
    const id = await enqueue('long')
    await until(() => signal !== null)
    expect(await cancel(id, tenantB)).toBe(false)
    expect(signal).toMatchObject({ aborted: false })
    release()
    await until(async () => (await statusOf(id)) === 'done')
    expect(await cancel(id)).toBe(false)
  })

  test('while it runs is told at commit, does nothing more, and its slot is free', async () => {
    let signal: AbortSignal | null = null
    let outcome: unknown = null
    const { gate, release } = held()
    await start({
      long: async (context) => {
        signal ??= context.signal
        if (context.signal !== signal) return
        await gate
        await context
          .transaction((tx) => tx.enqueue(effect))
          .catch((error: unknown) => {
            outcome = error
          })
      },
    })
    const id = await enqueue('long')
    await until(() => signal !== null)
    const after = await enqueue('long', tenantB)
    expect(await cancel(id)).toBe(true)
    expect(signal).toMatchObject({ aborted: true })
    // Its work does not listen, and yet another job has the slot.
    await until(async () => (await statusOf(after)) === 'done')
    release()
    await until(() => outcome !== null)
    expect(outcome).toMatchObject({ name: 'JobLost' })
    expect([await statusOf(id), await effects()]).toEqual(['cancelled', 0])
    expect(world.meter.counts.get('job_cancelled_total')).toBe(1)
    expect(world.meter.counts.get('job_done_total')).toBe(1)
  })

  test('between two looks of its worker commits nothing: the transaction is rolled back', async () => {
    const { gate, release } = held()
    let [begun, outcome] = [false, null as unknown]
    // A worker that hears of nothing: only the row tells it.
    await start(
      {
        long: async (context) => {
          begun = true
          await gate
          await context
            .complete((tx) => tx.enqueue(effect))
            .catch((error: unknown) => {
              outcome = error
            })
        },
      },
      { changes: { on: () => () => undefined } },
    )
    const id = await enqueue('long')
    await until(() => begun)
    expect(await cancel(id)).toBe(true)
    release()
    await until(() => outcome !== null)
    expect(outcome).toMatchObject({ name: 'JobLost' })
    expect([await statusOf(id), await effects()]).toEqual(['cancelled', 0])
  })

  for (const [how, task] of [
    ['that listens', patientLong],
    ['that does not', deafLong],
  ] as const)
    test(`in a thread ${how}: the thread is free for the next one`, async () => {
      const begun: Begun = new Int32Array(new SharedArrayBuffer(4))
      await start({
        long: async ({ thread }) => {
          await thread<Begun, unknown>(task, begun)
        },
      })
      const id = await enqueue('long')
      await until(() => Atomics.load(begun, 0) === 1)
      expect(await cancel(id)).toBe(true)
      expect(await threads.run(threadLong, null)).toBeGreaterThan(0)
      expect(await statusOf(id)).toBe('cancelled')
      expect(world.meter.counts.get('job_retried_total')).toBeUndefined()
    })

  test('on another instance is stopped by the change feed', async () => {
    const there = createLiveFeed(world)
    await there.start()
    let signal: AbortSignal | null = null
    await start(
      {
        long: (context) => {
          signal = context.signal
          return new Promise(() => undefined)
        },
      },
      { node: 'node-2', changes: there },
    )
    const id = await enqueue('long')
    await until(() => signal !== null)
    expect(await cancel(id)).toBe(true)
    await until(() => {
      world.clock.advance(1_000)
      return signal?.aborted === true
    })
    await there.stop()
  })

  test('and whose worker hears nothing else is stopped when the lease is renewed', async () => {
    let signal: AbortSignal | null = null
    await start(
      {
        long: (context) => {
          signal = context.signal
          return new Promise(() => undefined)
        },
      },
      { leaseMs: 30_000, changes: { on: () => () => undefined } },
    )
    const id = await enqueue('long')
    await until(() => signal !== null)
    expect(await cancel(id)).toBe(true)
    await until(() => {
      world.clock.advance(10_000)
      return signal?.aborted === true
    })
    expect(await statusOf(id)).toBe('cancelled')
  })
})

describe('a job of the long lane', () => {
  test('shows the progress of its thread in its row while it runs', async () => {
    const begun: Begun = new Int32Array(new SharedArrayBuffer(4))
    await start({
      long: async ({ thread, result }) => result({ answer: await thread(halfway, begun) }),
    })
    const id = await enqueue('long')
    await until(async () => (await rowOf(id))?.progress === 0.5)
    expect(await statusOf(id)).toBe('running')
    Atomics.store(begun, 0, 2)
    await until(async () => (await statusOf(id)) === 'done')
    expect(await rowOf(id)).toMatchObject({ progress: 1, result: { answer: 'released' } })
  })

  test('ends in the commit of its effects, or not at all', async () => {
    let attempt = 0
    await start({
      long: async ({ complete, result, ...context }) => {
        attempt = context.attempt
        result({ attempt })
        await complete(async (tx) => {
          await tx.enqueue(effect)
          if (attempt === 1) throw new Error('not yet')
        })
      },
    })
    const id = await enqueue('long')
    await until(async () => {
      world.clock.advance(1_000)
      return (await statusOf(id)) === 'done'
    })
    expect([await effects(), (await rowOf(id))?.result]).toEqual([1, { attempt: 2 }])
    expect(await cancel(id)).toBe(false)
    expect(world.meter.counts.get('job_done_total')).toBe(1)
  })
})
