import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { createFaults } from '../../faults/seams.ts'
import { createWorker } from '../../jobs/worker.ts'
import type { Kernel } from '../../kernel.ts'
import { openWorld, tenantA, until, type World } from '../../testing/event-world.ts'
import { type Attempt, type Deliveries, defineDeliveries, pauseAfter, retryPausesMs } from './deliveries.ts'

const secrets = [{ value: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: null }]
const told: Attempt[] = []
const ids: unknown[] = []
let statuses: number[] = []
let withdrawn = false
let failing = 0
let world: World
let url: string

beforeAll(async () => {
  world = await openWorld()
  const port = await httpServer((request, response) => {
    ids.push(request.headers['webhook-id'])
    response.writeHead(statuses.shift() ?? 200).end()
  })
  url = `http://127.0.0.1:${port}/`
})
beforeEach(() => {
  for (const list of [told, ids]) list.splice(0)
  statuses = []
  withdrawn = false
  failing = 0
})
afterAll(async () => {
  await world.close()
  await closeAll()
})

const deliveries: Deliveries<unknown> = defineDeliveries({
  kind: 'test.delivery',
  message: async () => (withdrawn ? null : { url, body: '{}', secrets }),
  outcome: async (_context, attempt) => {
    failing -= 1
    if (failing >= 0) throw new Error('the outcome cannot be stored')
    told.push(attempt)
  },
})

/** Delivers one message, in a time that passes, until the condition holds. */
async function deliver(id: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const parts = { db: world.db, clock: world.clock, random: world.random, egress: egressWith(), faults: createFaults() }
  const kernel = () => parts as unknown as Kernel
  const worker = createWorker({ ...world, node: 'n', jobs: [{ declaration: deliveries.job, services: null }], kernel })
  await world.db.tenant({ tenantId: tenantA }, (tx) => deliveries.deliver(tx, id))
  await worker.start()
  await until(async () => {
    if (await condition()) return true
    const [job] = await open()
    // Not while it runs: an attempt has a deadline.
    if (job?.status === 'waiting') world.clock.advance(Math.max(1_000, Date.parse(job.run_at) - world.clock.now()))
    return false
  })
  await worker.stop()
}

/** Jobs that wait or run. */
const open = () =>
  world.db.system('test', (tx) =>
    tx.query(sql<{ status: string; run_at: string }>`
      select status, run_at from job where kind = 'test.delivery' and status in ('waiting', 'running')`),
  )
const isIdle = async (): Promise<boolean> => (await open()).length === 0

test('a failed attempt is made again later with the same id, and each is told', async () => {
  statuses = [500, 503]
  await deliver('msg_1', isIdle)
  expect(ids).toEqual(['msg_1', 'msg_1', 'msg_1'])
  expect(told.map(({ attempt, delivered, status }) => [attempt, delivered, status])).toEqual([
    [1, false, 500],
    [2, false, 503],
    [3, true, 200],
  ])
  expect(told.map(({ nextAt }) => nextAt === null)).toEqual([false, false, true])
})

test('a receiver that is gone gets no second attempt, nor does a message that is not to be sent any more', async () => {
  statuses = [410]
  await deliver('msg_2', isIdle)
  expect(told[0]).toMatchObject({ gone: true, nextAt: null })
  withdrawn = true
  await deliver('msg_3', isIdle)
  expect(ids).toEqual(['msg_2'])
})

test('an attempt whose outcome could not be stored is repeated', async () => {
  failing = 1
  await deliver('msg_4', isIdle)
  expect(ids).toEqual(['msg_4', 'msg_4'])
  expect(told).toMatchObject([{ attempt: 1, delivered: true }])
})

test('the pauses grow as Standard Webhooks recommends, respect the receiver and end', () => {
  const failed = {
    delivered: false,
    status: 500,
    error: '',
    answer: '',
    gone: false,
    retryAfterMs: null,
    durationMs: 1,
  }
  const pauses = retryPausesMs.map((_, index) => pauseAfter(failed, index + 1, 0))
  expect(pauses).toEqual(retryPausesMs)
  expect(pauseAfter(failed, retryPausesMs.length + 1, 0)).toBeNull()
  expect(pauseAfter({ ...failed, retryAfterMs: 60_000 }, 1, 0)).toBe(60_000)
  expect(pauseAfter({ ...failed, retryAfterMs: 60_000 }, 2, 0.5)).toBe(315_000)
})
