import { expect, test } from 'vitest'
import { until } from '../testing/event-world.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createHousekeeping } from './housekeeping.ts'

const silent = { warn: () => undefined, error: () => undefined }

test('every chore is repeated until nothing is left, and again an hour later', async () => {
  const clock = createFakeClock()
  const calls: string[] = []
  const left = { a: 2, b: 0 }
  const chore = (name: 'a' | 'b') => ({
    name,
    run: async () => {
      calls.push(name)
      const gone = Math.min(left[name], 1)
      left[name] -= gone
      return gone
    },
  })
  const meter = { count: () => undefined, gauge: () => undefined }
  const housekeeping = createHousekeeping({ clock, log: silent, meter, chores: [chore('a'), chore('b')] })
  await housekeeping.start()
  await until(() => calls.length === 4)
  expect(calls).toEqual(['a', 'a', 'a', 'b'])
  await until(() => {
    clock.advance(3_600_000)
    return calls.length >= 6
  })
  await housekeeping.stop()
})
