/** The seam of deliveries: an event of one tenant is held back or repeated, nobody else waits, and none is lost. */
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createFaults, type Fault, type FaultPoint } from '../../faults/seams.ts'
import type { Kernel } from '../../kernel.ts'
import { moveAll, openWorld, tenantA, tenantB, until, type World } from '../../testing/event-world.ts'
import { defineEvent } from '../catalogue/catalogue.ts'
import { createHandlers } from './handlers.ts'

const opened = defineEvent({
  channel: 'risk.case.opened',
  type: 'CaseOpened',
  summary: 'A case was opened.',
  schema: Type.Object({ n: Type.Integer() }),
})

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() =>
  world.db.system('test', async (tx) => {
    for (const name of ['handled_through', 'handler_backlog', 'handler_position'])
      await tx.execute({ text: `delete from ${name}`, values: [], name: '' })
  }),
)
let current: { stop(): Promise<void> } | undefined
afterEach(() => current?.stop())
afterAll(() => world.close())

async function emit(tenantId: typeof tenantA, numbers: readonly number[]): Promise<void> {
  await world.db.tenant({ tenantId }, async (tx) => {
    for (const n of numbers) await tx.emit(opened, `case-${n}`, { n })
  })
  await moveAll(world)
}

/** Handlers that work from now on, behind a seam that is armed for the first tenant. */
async function open(faultFor: (point: FaultPoint) => Fault | null) {
  const seen: string[] = []
  const points: FaultPoint[] = []
  const faults = createFaults()
  const handlers = () =>
    createHandlers({
      ...{ ...world, node: 'node-1', faults, kernel: () => ({}) as unknown as Kernel },
      handlers: [
        {
          declaration: {
            ...{ name: 'risk.count', channels: [opened.channel] },
            handle: async ({ events }) =>
              void seen.push(...events.map(({ tenantId, data }) => nameOf(tenantId, data.n))),
          },
          services: null,
        },
      ],
    })
  // A new handler begins at the present: it must have been there before the events.
  const first = handlers()
  await first.start()
  await first.stop()
  const disarm = faults.arm('bus', (point) => {
    if (point.tenantId !== tenantA) return null
    points.push(point)
    return faultFor(point)
  })
  const running = handlers()
  current = running
  const passing = (condition: () => boolean | Promise<boolean>): Promise<void> =>
    until(async () => {
      if (await condition()) return true
      world.clock.advance(250)
      return false
    })
  return { seen, points, disarm, running, passing }
}

const nameOf = (tenantId: string, n: unknown) => `${tenantId === tenantA ? 'a' : 'b'}${String(n)}`
const owed = () =>
  world.db.system('test', (tx) =>
    tx.query(sql<{ attempts: number; parked: boolean; error: string | null }>`
      select attempts, parked, error from handler_backlog order by position`),
  )

test('a delayed event and those behind it come later, in their order; another tenant does not wait', async () => {
  const { seen, points, running, passing } = await open(() => ({ delayMs: 20_000 }))
  await emit(tenantA, [1, 2])
  await emit(tenantB, [9])
  await running.start()
  // The clock stands still, so that the delay cannot be over before the other tenant's event is handled.
  await until(() => seen.length > 0)
  expect(seen).toEqual(['b9'])
  await passing(() => seen.length === 3)
  expect(seen).toEqual(['b9', 'a1', 'a2'])
  expect(points[0]).toMatchObject({ target: 'risk.count', again: false, requestId: expect.any(String) })
  expect(points.filter(({ again }) => again === true).length).toBeGreaterThan(0)
})

test('an event whose delivery fails is never set aside, and comes when the fault is over', async () => {
  const { seen, points, disarm, running, passing } = await open(() => ({ failure: { kind: 'unavailable' } }))
  await emit(tenantA, [1])
  await running.start()
  await passing(() => points.length > 12)
  expect(seen).toEqual([])
  expect(await owed()).toEqual([{ attempts: 0, parked: false, error: 'An injected fault: bus unavailable' }])
  disarm()
  await passing(() => seen.length === 1)
  expect(seen).toEqual(['a1'])
})

test('an event that is delivered twice takes effect once', async () => {
  const { seen, points, running, passing } = await open(() => ({ twice: true }))
  await emit(tenantA, [1])
  await emit(tenantB, [2])
  await running.start()
  await passing(() => seen.length === 2)
  expect([seen.toSorted(), points.length]).toEqual([['a1', 'b2'], 1])
})
