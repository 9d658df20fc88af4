import { beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../observe/log.ts'
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts'
import type { Activity } from './activity.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'

let events: string[]
let logged: string[]
let clock: FakeClock
let lifecycle: Lifecycle

beforeEach(() => {
  events = []
  logged = []
  clock = createFakeClock()
  const log = createLogger({ level: 'info', now: clock.now, destination: { write: (line) => void logged.push(line) } })
  lifecycle = createLifecycle({ log, clock })
})

function activity(name: string, parts: Partial<Pick<Activity, 'start' | 'stop'>> = {}): Activity {
  return {
    name,
    start: async () => {
      events.push(`start ${name}`)
      await parts.start?.()
    },
    stop: async () => {
      events.push(`stop ${name}`)
      await parts.stop?.()
    },
  }
}

/** Lets everything run that waits for nothing but its turn. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const fails = (): Promise<void> => Promise.reject(new Error('out of order'))

test('activities start in their order, each after the one before, and stop in the reverse one', async () => {
  let begun = (): void => undefined
  const slow = new Promise<void>((resolve) => {
    begun = resolve
  })
  lifecycle.add(activity('a', { start: () => slow }))
  lifecycle.add(activity('b'))
  const started = lifecycle.start()
  expect(events).toEqual(['start a'])
  begun()
  await started
  await lifecycle.stop()
  expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a'])
})

describe('when an activity does not start', () => {
  test('those before it are stopped, it and those after it are not, and the reason is passed on', async () => {
    lifecycle.add(activity('a'))
    lifecycle.add(activity('b', { start: fails }))
    lifecycle.add(activity('c'))
    await expect(lifecycle.start()).rejects.toThrow('out of order')
    expect(events).toEqual(['start a', 'start b', 'stop a'])
  })

  test('stopping afterwards stops nothing twice', async () => {
    lifecycle.add(activity('a'))
    lifecycle.add(activity('b', { start: fails }))
    await expect(lifecycle.start()).rejects.toThrow()
    await lifecycle.stop()
    expect(events.filter((event) => event === 'stop a')).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('goes on after an activity that fails to stop, and says so', async () => {
    lifecycle.add(activity('a'))
    lifecycle.add(activity('b', { stop: fails }))
    await lifecycle.start()
    await lifecycle.stop()
    expect(events.slice(2)).toEqual(['stop b', 'stop a'])
    expect(logged.join()).toContain('failed to stop')
  })

  test('goes on after an activity that throws instead of answering', async () => {
    lifecycle.add(activity('a'))
    lifecycle.add({
      name: 'b',
      start: async () => {},
      stop: () => {
        throw new Error('not even a promise')
      },
    })
    await lifecycle.start()
    await lifecycle.stop()
    expect(events).toEqual(['start a', 'stop a'])
    expect(logged.join()).toContain('failed to stop')
  })

  test('waits ten seconds for an activity that hangs, and not longer', async () => {
    lifecycle.add(activity('a'))
    lifecycle.add(activity('b', { stop: () => new Promise(() => undefined) }))
    await lifecycle.start()
    const stopped = lifecycle.stop()
    clock.advance(9_999)
    await turns()
    expect(events.at(-1)).toBe('stop b')
    clock.advance(1)
    await stopped
    expect(events.at(-1)).toBe('stop a')
    expect(logged.join()).toContain('did not stop in time')
  })

  test('happens once, however often it is asked for', async () => {
    lifecycle.add(activity('a'))
    await lifecycle.start()
    await Promise.all([lifecycle.stop(), lifecycle.stop()])
    await lifecycle.stop()
    expect(events).toEqual(['start a', 'stop a'])
  })

  test('of what never started is nothing', async () => {
    lifecycle.add(activity('a'))
    await lifecycle.stop()
    expect(events).toEqual([])
  })
})
