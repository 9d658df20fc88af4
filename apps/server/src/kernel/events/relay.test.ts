import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chosenKind } from '../../../test/support/database.ts'
import { sql } from '../db/sql.ts'
import { moveAll, openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { defineEvent } from './catalogue/catalogue.ts'
import type { LoggedEvent } from './catalogue/logged-event.ts'
import { eventsOf } from './log.ts'
import { createRelay, moveBatch } from './relay.ts'
import { pruneEvents } from './retention.ts'
import { createTail } from './tail.ts'

const opened = defineEvent({
  channel: 'risk.case.opened',
  type: 'CaseOpened',
  summary: 'A case was opened.',
  schema: Type.Object({ number: Type.Integer() }),
})
const closed = defineEvent({ ...opened, channel: 'risk.case.closed', type: 'CaseClosed', retentionDays: 90 })

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  await world.db.system('test', async (tx) => {
    await tx.execute(sql`delete from outbox`)
    await tx.execute(sql`delete from event_log`)
    await tx.execute(sql`delete from event_position`)
    await tx.execute(sql`update event_head set position = 0`)
  })
})
afterAll(() => world.close())

const emit = (tenantId: typeof tenantA, numbers: readonly number[], event = opened): Promise<void> =>
  world.db.tenant({ tenantId }, async (tx) => {
    for (const number of numbers) await tx.emit(event, `case-${number}`, { number })
  })
const move = () => world.db.system('test', (tx) => moveBatch(tx, world.clock.iso()))
const logged = (): Promise<readonly LoggedEvent[]> =>
  world.db.system('test', (tx) => tx.query(eventsOf([tenantA, tenantB], { position: 0, limit: 10_000 })))

describe('the relay', () => {
  test('numbers events contiguously per tenant and channel and over all', async () => {
    await emit(tenantA, [1, 2])
    await emit(tenantB, [3])
    await emit(tenantA, [4], closed)
    await emit(tenantA, [5])
    await moveAll(world)
    await emit(tenantA, [6])
    await moveAll(world)
    const events = await logged()
    expect(events.map((event) => event.position)).toEqual([1, 2, 3, 4, 5, 6])
    const sequences = (tenantId: string, channel: string) =>
      events.filter((e) => e.tenantId === tenantId && e.channel === channel).map((e) => [e.sequence, e.data.number])
    expect(sequences(tenantA, opened.channel)).toEqual([
      [1, 1],
      [2, 2],
      [3, 5],
      [4, 6],
    ])
    expect(sequences(tenantB, opened.channel)).toEqual([[1, 3]])
    expect(sequences(tenantA, closed.channel)).toEqual([[1, 4]])
  })

  test('C70 gives every event the tenant it belongs to', async () => {
    await emit(tenantB, [1])
    await moveAll(world)
    expect((await logged())[0]).toMatchObject({
      data: { number: 1, tenant_id: tenantB },
      type: 'CaseOpened',
      causationDepth: 0,
    })
  })

  test('keeps events of a transaction that was rolled back out of the log', async () => {
    await expect(
      world.db.tenant({ tenantId: tenantA }, async (tx) => {
        await tx.emit(opened, 'case-1', { number: 1 })
        await tx.query(sql`select 1`)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await move()).toMatchObject({ count: 0 })
  })

  test('refuses a payload that is not as declared', async () => {
    const wrong = { number: 'one' } as unknown as { number: number }
    await expect(world.db.tenant({ tenantId: tenantA }, (tx) => tx.emit(opened, 'case-1', wrong))).rejects.toThrow(
      /not as declared/,
    )
  })

  test('carries events from commit to the tail in order', async () => {
    const seen: LoggedEvent[] = []
    const tail = createTail(world)
    const relay = createRelay({ ...world, moved: () => tail.wake() })
    world.committed.event = () => relay.wake()
    tail.subscribe({ tenants: () => [tenantA, tenantB], read: (events) => void seen.push(...events) })
    await tail.start()
    await relay.start()
    for (let number = 1; number <= 20; number += 1) await emit(number % 2 === 0 ? tenantA : tenantB, [number])
    await until(() => {
      world.clock.advance(10)
      return seen.length === 20
    })
    await relay.stop()
    await tail.stop()
    expect(seen.map((event) => event.position)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(tail.position()).toBe(20)
  })
})

describe('event retention', () => {
  test('removes the oldest beyond the number kept and beyond the age of the channel', async () => {
    await emit(tenantA, [1, 2, 3, 4, 5])
    await emit(tenantA, [6], closed)
    await moveAll(world)
    const catalogue = [opened, closed]
    expect(await pruneEvents({ db: world.db, catalogue, now: world.clock.now(), keep: 3 })).toBe(2)
    expect((await logged()).map((event) => event.data.number)).toEqual([3, 4, 5, 6])
    const inEightDays = world.clock.now() + 8 * 86_400_000
    expect(await pruneEvents({ db: world.db, catalogue, now: inEightDays })).toBe(3)
    expect((await logged()).map((event) => event.data.number)).toEqual([6])
  })
})

// One connection cannot hold a transaction open beside another: only the server shows late commits.
describe.skipIf(chosenKind() !== 'pg')('with several connections', () => {
  test('a transaction that commits late is not passed over', async () => {
    const late = world.db.open({ tenantId: tenantA })
    await late.emit(opened, 'case-1', { number: 1 })
    await late.query(sql`select 1`)
    await emit(tenantA, [2])
    expect(await move()).toMatchObject({ count: 0 })
    await late.commit()
    await moveAll(world)
    expect((await logged()).map((event) => event.data.number)).toEqual([1, 2])
  })

  test('one relay works at a time', async () => {
    await emit(tenantA, [1])
    await world.db.system('test', async (tx) => {
      expect(await moveBatch(tx, world.clock.iso())).not.toBeNull()
      expect(await move()).toBeNull()
    })
  })
})
