import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Bus, BusMessage } from './port.ts'

/** Makes a connected bus of its own. */
export type MakeBus = (onError: (error: unknown) => void) => Promise<Bus>

const message = (subject: string, text = ''): BusMessage => ({
  subject,
  id: randomUUID(),
  body: new TextEncoder().encode(text),
})

/** Collects what a subscription gets and resolves when `count` messages are there. */
export async function collect(bus: Bus, prefix: string, count: number) {
  const received: BusMessage[] = []
  let done = () => {}
  const all = new Promise<readonly BusMessage[]>((resolve) => {
    done = () => resolve(received)
  })
  const end = await bus.subscribe(prefix, (one) => {
    received.push(one)
    if (received.length === count) done()
  })
  return { received, all, end }
}

/** The contract of every bus. */
export function describeBusContract(name: string, makeAdapter: MakeBus): void {
  describe(`${name} bus`, () => {
    let bus: Bus
    let errors: unknown[]
    beforeEach(async () => {
      errors = []
      bus = await makeAdapter((error) => errors.push(error))
    })
    afterEach(() => bus.close())

    test('a message reaches a subscriber of its prefix with its id and bytes', async () => {
      const { all } = await collect(bus, 'ev.t1', 1)
      const sent = { ...message('ev.t1.iam.user'), body: new Uint8Array([0, 255, 10]) }
      await bus.publish(sent)
      const [got] = await all
      expect(got).toMatchObject({ subject: sent.subject, id: sent.id })
      expect([...(got?.body ?? [])]).toEqual([0, 255, 10])
    })

    test('a prefix ends at a dot', async () => {
      const { all } = await collect(bus, 'ev.t1', 1)
      for (const subject of ['ev.t10.x', 'ev.t1', 'ev.t2.x', 'ctl.t1.x', 'ev.t1.x']) await bus.publish(message(subject))
      expect((await all).map((got) => got.subject)).toEqual(['ev.t1.x'])
    })

    test('every subscriber gets every message, in the order of publishing', async () => {
      const subscribers = [await collect(bus, 'ev', 50), await collect(bus, 'ev', 50), await collect(bus, 'ev.t1', 50)]
      for (let turn = 0; turn < 50; turn += 1) await bus.publish(message('ev.t1.count', `${turn}`))
      for (const { all } of subscribers) {
        const texts = (await all).map((got) => new TextDecoder().decode(got.body))
        expect(texts).toEqual(Array.from({ length: 50 }, (_, turn) => `${turn}`))
      }
    })

    test('what was published before is not delivered', async () => {
      await bus.publish(message('ctl.settings', 'before'))
      const { all } = await collect(bus, 'ctl', 1)
      await bus.publish(message('ctl.settings', 'after'))
      expect((await all).map((got) => new TextDecoder().decode(got.body))).toEqual(['after'])
    })

    test('a subscription that ended gets nothing more', async () => {
      const ended = await collect(bus, 'ev.t1', 1)
      const stays = await collect(bus, 'ev.t1', 1)
      await ended.end()
      await ended.end()
      await bus.publish(message('ev.t1.x'))
      await stays.all
      expect(ended.received).toEqual([])
    })

    test('a prefix can be subscribed to again', async () => {
      await (await collect(bus, 'ev.t1', 1)).end()
      const again = await collect(bus, 'ev.t1', 1)
      await bus.publish(message('ev.t1.x'))
      expect(await again.all).toHaveLength(1)
    })

    test('a handler that throws is reported and keeps nothing from anyone', async () => {
      await bus.subscribe('ev', () => {
        throw new Error('handler broke')
      })
      const { all } = await collect(bus, 'ev', 2)
      await bus.publish(message('ev.t1.a'))
      await bus.publish(message('ev.t1.b'))
      await all
      expect(errors.map(String)).toEqual(['Error: handler broke', 'Error: handler broke'])
    })

    test.each(['', 'ev', 'other.x', 'ev..x', 'ev.*', 'ev.>', 'ev.a b', 'ev.a\r\nPUB'])(
      'the subject %j is reported, not sent',
      async (subject) => {
        await bus.publish(message(subject))
        expect(errors).toHaveLength(1)
        expect(errors[0]).toBeInstanceOf(RangeError)
      },
    )

    test.each(['', 'other', 'ev.', 'ev.*', '>'])('the prefix %j is refused', async (prefix) => {
      await expect(bus.subscribe(prefix, () => {})).rejects.toThrow(RangeError)
    })

    test('a closed bus is not healthy, and publishing on it is reported, not thrown', async () => {
      expect(bus.healthy()).toBe(true)
      await bus.close()
      expect(bus.healthy()).toBe(false)
      await bus.publish(message('ev.t1.x'))
      expect(errors).toHaveLength(1)
    })
  })
}
