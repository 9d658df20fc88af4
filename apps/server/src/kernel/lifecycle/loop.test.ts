import { describe, expect, test } from 'vitest'
import { until } from '../testing/event-world.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createLoop } from './loop.ts'

const silent = { warn: () => undefined, error: () => undefined }

function counted(run: (calls: number) => Promise<boolean>) {
  const clock = createFakeClock()
  let calls = 0
  const loop = createLoop({ name: 'test', clock, log: silent, everyMs: 1_000, run: () => run(++calls) })
  return { clock, loop, calls: () => calls }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a loop', () => {
  test('runs at once and then after every rest', async () => {
    const { clock, loop, calls } = counted(async () => false)
    loop.start()
    await settled()
    expect(calls()).toBe(1)
    clock.advance(1_000)
    await settled()
    expect(calls()).toBe(2)
    await loop.stop()
    clock.advance(10_000)
    await settled()
    expect(calls()).toBe(2)
  })

  test('goes on without rest while there is more', async () => {
    const { loop, calls } = counted(async (call) => call < 5)
    loop.start()
    await until(() => calls() === 5)
    await loop.stop()
  })

  test('never overlaps: wakes during a run cause one more run', async () => {
    let release = (): void => undefined
    let running = 0
    let most = 0
    const { loop, calls } = counted(async (call) => {
      running += 1
      most = Math.max(most, running)
      if (call === 1) await new Promise<void>((resolve) => (release = resolve))
      running -= 1
      return false
    })
    loop.start()
    loop.wake()
    loop.wake()
    release()
    await settled()
    expect(calls()).toBe(2)
    expect(most).toBe(1)
    await loop.stop()
  })

  test('gathers wakes: one run serves all that came in the time, also those of a run in progress', async () => {
    const clock = createFakeClock()
    let calls = 0
    const run = async () => {
      calls += 1
      if (calls === 2) loop.wake()
      return false
    }
    const loop = createLoop({ name: 'test', clock, log: silent, everyMs: 1_000, gatherMs: 50, run })
    const after = async (ms: number) => {
      clock.advance(ms)
      await settled()
      return calls
    }
    loop.start()
    expect(await after(0)).toBe(1)
    loop.wake()
    expect(await after(30)).toBe(1)
    loop.wake()
    expect(await after(19)).toBe(1)
    expect(await after(1)).toBe(2)
    expect(await after(49)).toBe(2)
    expect(await after(1)).toBe(3)
    expect(await after(999)).toBe(3)
    expect(await after(1)).toBe(4)
    await loop.stop()
  })

  test('tries again after a failure with growing pauses, and a wake does not shorten them', async () => {
    const { clock, loop, calls } = counted(async (call) => {
      if (call <= 3) throw new Error('no database')
      return false
    })
    loop.start()
    await settled()
    loop.wake()
    await settled()
    expect(calls()).toBe(1)
    for (const pause of [200, 400, 800]) {
      clock.advance(pause - 1)
      await settled()
      const before = calls()
      clock.advance(1)
      await settled()
      expect(calls()).toBe(before + 1)
    }
    await loop.stop()
  })

  test('stop waits for the run in progress', async () => {
    let release = (): void => undefined
    let ended = false
    const { loop } = counted(async () => {
      await new Promise<void>((resolve) => (release = resolve))
      ended = true
      return true
    })
    loop.start()
    const stopped = loop.stop()
    release()
    await stopped
    expect(ended).toBe(true)
  })
})
