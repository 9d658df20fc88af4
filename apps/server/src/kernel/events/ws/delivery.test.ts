import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveAll, openWorld, tenantA, until, type World } from '../../testing/event-world.ts'
import { defineEvent } from '../catalogue/catalogue.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { eventsOf } from '../log.ts'
import { Delivery } from './delivery.ts'
import { beginFeed, openFeed } from './feed.ts'
import type { ControlFrame } from './frames.ts'
import { defaultLimits, type StreamLimits } from './limits.ts'
import { Wire } from './wire.ts'

const counted = defineEvent({
  channel: 'risk.score.changed',
  type: 'ScoreChanged',
  summary: 'A score changed.',
  schema: Type.Object({ n: Type.Integer() }),
  conflatable: true,
})

let world: World
let log: readonly LoggedEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  await world.db.tenant({ tenantId: tenantA }, async (tx) => {
    for (let n = 1; n <= 60; n += 1) await tx.emit(counted, `risk-${n % 3}`, { n })
  })
  await moveAll(world)
  log = await world.db.system('test', (tx) => tx.query(eventsOf([tenantA], { position: 0, limit: 1_000 })))
})
afterAll(() => world.close())

interface Sent {
  readonly n: number
  readonly conflated: number
}

/** A connection whose other side takes data only when told to. */
function connection(limits: Partial<StreamLimits> = {}, conflate = false) {
  const all = { ...defaultLimits, ...limits }
  const taken: (() => void)[] = []
  const sent: Sent[] = []
  const control: ControlFrame[] = []
  let slow = false
  let stalled = false
  const socket = {
    send: (data: string | Uint8Array, done: () => void) => {
      sent.push(JSON.parse(data.toString()) as Sent)
      if (slow) taken.push(done)
      else done()
    },
    ping: () => undefined,
    close: () => undefined,
    terminate: () => undefined,
    buffered: () => taken.length * 100,
  }
  const wire = new Wire(socket, all, () => world.clock.now())
  const delivery = new Delivery({
    ...world,
    limits: all,
    wire,
    tenantId: tenantA,
    encode: (event, conflated) => Buffer.from(JSON.stringify({ n: event.data.n, conflated })),
    control: (frame) => control.push(frame),
    tooSlow: () => {
      stalled = true
      wire.close(4430, '')
    },
    readSlot: (read) => read(),
  })
  const feed = openFeed(counted.channel, conflate)
  delivery.add(feed)
  return {
    delivery,
    feed,
    sent,
    control,
    wire,
    begin: (sequence: number) => {
      beginFeed(feed, { sequence, newest: null, replay: null, gap: null })
      delivery.catchUp()
    },
    offer: (from: number, through: number) => {
      for (const event of log.slice(from - 1, through)) delivery.offer(event)
    },
    slow: () => {
      slow = true
    },
    /** The other side takes everything that waits. */
    take: () => {
      slow = false
      for (const done of taken.splice(0)) done()
    },
    stalled: () => stalled,
  }
}
const upTo = (from: number, through: number): number[] => Array.from({ length: through - from + 1 }, (_, i) => from + i)
const numbers = (sent: readonly Sent[]): number[] => sent.map((each) => each.n)

describe('delivery', () => {
  test('a receiver that keeps up gets every event once, doubles and old ones left out', () => {
    const it = connection()
    it.begin(10)
    it.offer(5, 20)
    it.offer(15, 25)
    expect(numbers(it.sent)).toEqual(upTo(11, 25))
  })

  test('events that come while the start is looked up are not lost', async () => {
    const it = connection()
    it.offer(1, 30)
    it.begin(20)
    await until(() => it.feed.mode === 'live')
    it.offer(31, 60)
    await until(() => it.sent.at(-1)?.n === 60)
    expect(numbers(it.sent)).toEqual(upTo(21, 60))
  })

  test('a hole in what the tail hands over is filled from the table', async () => {
    const it = connection()
    it.begin(0)
    it.offer(1, 3)
    it.offer(7, 8)
    await until(() => it.feed.mode === 'live')
    expect(numbers(it.sent).slice(0, 8)).toEqual(upTo(1, 8))
  })

  test('C23 a slow receiver costs no memory, is told that it lags, and misses nothing', async () => {
    const it = connection({ unsentFrames: 5 })
    it.begin(0)
    it.slow()
    it.offer(1, 40)
    expect(it.sent.filter((each) => each.n !== undefined)).toHaveLength(5)
    expect(it.control).toMatchObject([{ type: 'lagging', channel: counted.channel }])
    it.take()
    await until(() => it.sent.at(-1)?.n === 60)
    expect(numbers(it.sent)).toEqual(upTo(1, 60))
  })

  test('C23 a receiver that lags for more than a minute is sent away, with the last event it got', () => {
    const it = connection({ unsentFrames: 5 })
    it.begin(0)
    it.slow()
    it.offer(1, 40)
    it.delivery.tick(world.clock.now())
    expect(it.stalled()).toBe(false)
    it.delivery.tick(world.clock.now() + 61_000)
    expect(it.stalled()).toBe(true)
    expect(it.control.at(-1)).toMatchObject({ type: 'lagging', last_event_id: log[4]?.id })
  })

  test('C23 a receiver too many events behind is sent away at once', () => {
    const it = connection({ unsentFrames: 5, laggingEvents: 20 })
    it.begin(0)
    it.slow()
    it.offer(1, 40)
    it.delivery.tick(world.clock.now())
    expect(it.stalled()).toBe(true)
  })

  test('with conflation the newest event per subject stands for the older ones and says how many', async () => {
    const it = connection({ conflateBeyondBytes: 300 }, true)
    it.begin(0)
    it.slow()
    it.offer(1, 30)
    expect(numbers(it.sent)).toEqual([1, 2, 3])
    it.take()
    await until(() => it.sent.length === 6)
    expect(it.sent.slice(3)).toEqual([
      { n: 28, conflated: 8 },
      { n: 29, conflated: 8 },
      { n: 30, conflated: 8 },
    ])
    it.offer(31, 32)
    expect(numbers(it.sent).slice(6)).toEqual([31, 32])
  })

  test('nothing is read while nobody follows anything', async () => {
    const it = connection()
    it.begin(0)
    it.delivery.remove(counted.channel)
    it.offer(1, 60)
    expect(it.sent).toEqual([])
  })

  test('whatever the pace of both sides, every event goes out once and in order', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('offer' as const), count: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ kind: fc.constantFrom('slow' as const, 'take' as const, 'turn' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (steps, unsentFrames) => {
          const it = connection({ unsentFrames, pageSize: 7 })
          it.begin(0)
          let next = 1
          for (const each of steps) {
            if (each.kind === 'offer') {
              it.offer(next, next + each.count - 1)
              next += each.count
            } else if (each.kind === 'turn') await new Promise<void>((resolve) => setImmediate(resolve))
            else it[each.kind]()
          }
          it.take()
          it.offer(next, 60)
          await until(() => {
            it.take()
            return it.sent.at(-1)?.n === 60
          })
          expect(numbers(it.sent)).toEqual(upTo(1, 60))
          it.wire.closed()
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('a message that is not logged', () => {
  const live = (subject: string, n: number): LoggedEvent => ({
    ...{ position: 0, id: `${subject}-${n}`, tenantId: tenantA, channel: counted.channel, sequence: 0 },
    ...{ type: 'ScoreChanged', subject, time: '', data: { n }, traceparent: null, causationDepth: 0 },
  })

  test('goes out at once, and waits for a slow socket with the newest of its subject alone', async () => {
    const it = connection({ conflateBeyondBytes: 100 })
    it.delivery.offer(live('a', 1))
    expect(it.sent).toEqual([])
    it.begin(0)
    it.delivery.offer(live('a', 2))
    expect(numbers(it.sent)).toEqual([2])
    it.slow()
    for (const n of [3, 4, 5]) it.delivery.offer(live('a', n))
    it.delivery.offer(live('b', 6))
    expect(numbers(it.sent)).toEqual([2, 3])
    it.take()
    await until(() => it.sent.length >= 4)
    expect(numbers(it.sent)).toEqual([2, 3, 5, 6])
  })
})
