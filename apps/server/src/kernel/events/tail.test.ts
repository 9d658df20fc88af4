import Type from 'typebox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import type { Database } from '../db/port.ts'
import { moveAll, openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { defineEvent } from './catalogue/catalogue.ts'
import { createTail, type EventTail } from './tail.ts'

const counted = defineEvent({
  channel: 'risk.case.counted',
  type: 'CaseCounted',
  summary: 'A case was counted.',
  schema: Type.Object({ number: Type.Integer() }),
})

let world: World
let tail: EventTail
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => tail.stop())
afterAll(() => world.close())

async function log(tenantId: TenantId, ...numbers: readonly number[]): Promise<void> {
  await world.db.tenant({ tenantId }, async (tx) => {
    for (const number of numbers) await tx.emit(counted, 'case', { number })
  })
  await moveAll(world)
}

/** Follows tenants and keeps what it is handed. */
function follow(...tenants: readonly TenantId[]) {
  const numbers: unknown[] = []
  const end = tail.subscribe({
    tenants: () => tenants,
    read: (events) => numbers.push(...events.map(({ data }) => data.number)),
  })
  return { numbers, end }
}

test('hands over the events of the tenants that are followed, and moves past those of others', async () => {
  tail = createTail(world)
  await tail.start()
  const before = tail.position()
  const { numbers } = follow(tenantA)
  await log(tenantB, 1)
  await log(tenantA, 2)
  await log(tenantB, 3)
  tail.wake()
  await until(() => tail.position() === before + 3)
  expect(numbers).toEqual([2])
})

test('reads no events while nobody follows a tenant, and nobody is handed what came before', async () => {
  const statements: string[] = []
  tail = createTail({ ...world, db: watched((text) => statements.push(text)) })
  await tail.start()
  const before = tail.position()
  await log(tenantA, 4)
  tail.wake()
  await until(() => {
    world.clock.advance(1_000)
    return tail.position() === before + 1
  })
  expect(statements.some((text) => text.includes('event_log'))).toBe(false)

  const { numbers, end } = follow(tenantA)
  await log(tenantA, 5)
  tail.wake()
  await until(() => numbers.length > 0)
  expect(numbers).toEqual([5])
  end()
})

test('whoever waits for the look under way is handed all that is logged from then on', async () => {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let holding = false
  tail = createTail({ ...world, db: watched(() => (holding ? held : undefined)) })
  follow(tenantB)
  await tail.start()
  await tail.settled()
  holding = true
  tail.wake()
  const late = follow(tenantA)
  let settled = false
  const waiting = tail.settled().then(() => {
    settled = true
  })
  await log(tenantA, 6)
  expect(settled).toBe(false)
  holding = false
  letGo()
  await waiting

  await log(tenantA, 7)
  tail.wake()
  await until(() => late.numbers.includes(7))
  expect(late.numbers.at(-1)).toBe(7)
})

/** The database, whose system transactions wait for `told`'s answer to their statements. */
function watched(told: (text: string) => unknown): Pick<Database, 'system'> {
  return {
    system: (reason, work) =>
      world.db.system(reason, async (tx) => {
        const query: typeof tx.query = async (statement) => {
          await told(statement.text)
          return tx.query(statement)
        }
        const first: typeof tx.first = async (statement) => (await query(statement))[0] ?? null
        return work(Object.assign(Object.create(tx), { query, first }))
      }),
  }
}
