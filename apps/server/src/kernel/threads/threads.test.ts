import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import {
  type Begun,
  deaf,
  deafLong,
  die,
  double,
  doubled,
  greedy,
  halfway,
  niceness,
  nicenessLong,
  patient,
  refuse,
  testTasks,
  thread,
  threadLong,
  unsendable,
} from '../testing/thread-tasks.ts'
import { createThreads, type ThreadsParts } from './threads.ts'

type Pool = ReturnType<typeof createThreads>

const open: Pool[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.stop()))
})

const entry = new URL('../testing/thread-entry.ts', import.meta.url)

function pool(over: Partial<ThreadsParts> = {}) {
  const metrics = createMetrics()
  const threads = createThreads({
    entry,
    tasks: testTasks,
    size: 1,
    clock: systemClock(),
    metrics,
    graceMs: 1,
    ...over,
  })
  open.push(threads)
  return { threads, metrics }
}

const share = (): Begun => new Int32Array(new SharedArrayBuffer(4))

/** Lets the event loop turn until the task has set its number. */
async function until(begun: Begun, wanted: number): Promise<void> {
  while (Atomics.load(begun, 0) !== wanted) await new Promise((resolve) => setImmediate(resolve))
}

async function meterOf(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string | undefined> {
  return (await metrics.render())
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.split(' ')
    .at(-1)
}

// A thread's first start reads TypeScript, which takes a second or more on a busy machine.
describe('the pool', () => {
  test('runs a task in a thread and keeps the thread for the next one', async () => {
    const { threads } = pool()
    expect(await threads.run(double, 21)).toBe(42)
    expect(await threads.run(thread, null)).toBe(1)
    expect(await threads.run(thread, null)).toBe(2)
  })

  test('starts no thread before the first task and stops without one', async () => {
    const { threads } = pool({ entry: new URL('file:///nowhere.mjs') })
    await threads.start()
    await threads.stop()
  })

  test('answers with what the task threw and goes on', async () => {
    const { threads } = pool()
    await expect(threads.run(refuse, 'not this one')).rejects.toThrow(new RangeError('not this one'))
    await expect(threads.run(unsendable, null)).rejects.toThrow('cannot travel')
    expect(await threads.run(thread, null)).toBe(1)
  })

  test('refuses a task that no module declares', async () => {
    const { threads } = pool()
    await expect(threads.run({ name: 'test.unknown', run: () => 0 }, null)).rejects.toThrow('test.unknown')
  })

  test('loses only the task of a thread that dies, and works on with a new one', async () => {
    const { threads, metrics } = pool()
    const lost = threads.run(die, null)
    const next = threads.run(double, 4)
    await expect(lost).rejects.toThrow('ended with code 3')
    expect(await next).toBe(8)
    expect(await meterOf(metrics, 'parapet_threads_lost_total')).toBe('1')
  })

  test('tells a start that fails to the task that needed the thread', async () => {
    const { threads } = pool({ entry: new URL('./missing-entry.mjs', import.meta.url) })
    await expect(threads.run(double, 1)).rejects.toThrow('missing-entry.mjs')
  })

  test('does not keep a task waiting for a thread that cannot be made', async () => {
    const { threads, metrics } = pool({ entry: new URL('https://example.org/thread.mjs') })
    await expect(threads.run(double, 1)).rejects.toThrow()
    await expect(threads.run(double, 2)).rejects.toThrow()
    expect(await meterOf(metrics, 'parapet_threads_queue_length')).toBe('0')
  })

  test('runs as many tasks at once as it has threads', async () => {
    const { threads } = pool({ size: 2 })
    const [first, second] = [share(), share()]
    const both = [threads.run(deaf, first), threads.run(deaf, second)]
    await Promise.all([until(first, 1), until(second, 1)])
    for (const begun of [first, second]) Atomics.store(begun, 0, 2)
    expect(await Promise.all(both)).toEqual(['released', 'released'])
  })
})

describe('a journey', () => {
  test('moves the buffers that are named, both ways', async () => {
    const { threads } = pool()
    const numbers = new Float64Array([1, 2, 3])
    const done = await threads.run(doubled, numbers, { transfer: [numbers.buffer] })
    expect([...done]).toEqual([2, 4, 6])
    expect(numbers.byteLength).toBe(0)
  })

  test('tells how far the task has come, while it runs', async () => {
    const { threads } = pool()
    const begun = share()
    const told: number[] = []
    const task = threads.run(halfway, begun, { progress: (fraction) => told.push(fraction) })
    await until(begun, 1)
    while (told.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual([0.5])
    Atomics.store(begun, 0, 2)
    expect(await task).toBe('released')
  })

  test('C27 ends where its task takes more memory than a thread has, and takes nothing else along', async () => {
    const { threads } = pool({ memoryMb: 128 })
    await expect(threads.run(greedy, null)).rejects.toThrow(/memory limit/)
    expect(await threads.run(double, 2)).toBe(4)
  })
})

describe('the lanes', () => {
  test('C27 have threads of their own: long tasks keep no quick one waiting', async () => {
    const { threads, metrics } = pool({ longSize: 1 })
    const [first, second] = [share(), share()]
    const both = [threads.run(deafLong, first), threads.run(deafLong, second)]
    await until(first, 1)
    expect(await threads.run(double, 21)).toBe(42)
    const shown = await metrics.render()
    expect(shown).toContain('parapet_threads_queue_length{lane="long"} 1')
    expect(shown).toContain('parapet_threads_busy{lane="quick"} 0')
    Atomics.store(first, 0, 2)
    await until(second, 1)
    Atomics.store(second, 0, 2)
    expect(await Promise.all(both)).toEqual(['released', 'released'])
  })

  test('end a long task that does not listen, and give its place to the next', async () => {
    const { threads } = pool()
    const begun = share()
    const abort = new AbortController()
    const task = threads.run(deafLong, begun, { signal: abort.signal })
    await until(begun, 1)
    const next = threads.run(threadLong, null)
    abort.abort(new Error('gone'))
    await expect(task).rejects.toThrow('gone')
    expect(await next).toBe(1)
  })

  test.runIf(process.platform === 'linux')('let the processor prefer quick threads (Linux)', async () => {
    const { threads } = pool()
    expect(await threads.run(nicenessLong, null)).toBeGreaterThan(await threads.run(niceness, null))
  })
})

describe('a task nobody waits for', () => {
  test('is not begun when its signal is aborted already', async () => {
    const { threads } = pool()
    await expect(threads.run(double, 1, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  })

  test('leaves the queue', async () => {
    const { threads, metrics } = pool()
    const begun = share()
    const first = threads.run(deaf, begun)
    const abort = new AbortController()
    const second = threads.run(double, 1, { signal: abort.signal })
    expect(await meterOf(metrics, 'parapet_threads_queue_length')).toBe('1')
    abort.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    expect(await meterOf(metrics, 'parapet_threads_queue_length')).toBe('0')
    await until(begun, 1)
    Atomics.store(begun, 0, 2)
    expect(await first).toBe('released')
  })

  test('is asked to stop and gives its thread back', async () => {
    const { threads } = pool({ graceMs: 60_000 })
    await threads.run(thread, null)
    const begun = share()
    const abort = new AbortController()
    const task = threads.run(patient, begun, { signal: abort.signal })
    await until(begun, 1)
    abort.abort(new Error('gone'))
    await expect(task).rejects.toThrow('gone')
    await until(begun, 2)
    expect(await threads.run(thread, null)).toBe(2)
  })

  test('loses its thread when it does not listen', async () => {
    const { threads } = pool()
    await threads.run(thread, null)
    const begun = share()
    const abort = new AbortController()
    const task = threads.run(deaf, begun, { signal: abort.signal })
    await until(begun, 1)
    abort.abort(new Error('gone'))
    await expect(task).rejects.toThrow('gone')
    // A new thread counts from one again.
    expect(await threads.run(thread, null)).toBe(1)
  })

  test('C27 ends when its limit has passed', async () => {
    const clock = createFakeClock()
    const { threads } = pool({ clock })
    const begun = share()
    const task = threads.run(deaf, begun, { limitMs: 10_000 })
    await until(begun, 1)
    clock.advance(10_000)
    await expect(task).rejects.toThrow('took longer than 10000 ms')
    clock.advance(1)
    expect(await threads.run(double, 3)).toBe(6)
  })
})

describe('a pool with no room', () => {
  test('C27 refuses with 503 and says when to come back, and takes work again afterwards', async () => {
    const { threads, metrics } = pool({ queueLimit: 1 })
    const begun = share()
    const running = threads.run(deaf, begun)
    const waiting = threads.run(double, 1)
    await expect(threads.run(double, 2)).rejects.toMatchObject({
      code: 'API-009',
      status: 503,
      headers: { 'retry-after': '1' },
    })
    expect(await meterOf(metrics, 'parapet_threads_refused_total')).toBe('1')
    await until(begun, 1)
    Atomics.store(begun, 0, 2)
    expect(await Promise.all([running, waiting])).toEqual(['released', 2])
    expect(await threads.run(double, 2)).toBe(4)
  })
})

describe('stopping', () => {
  test('lets running and waiting tasks end, and takes no new ones', async () => {
    const { threads } = pool()
    const begun = share()
    const running = threads.run(deaf, begun)
    const waiting = threads.run(double, 5)
    await until(begun, 1)
    const stopped = threads.stop()
    await expect(threads.run(double, 6)).rejects.toMatchObject({ code: 'API-009' })
    Atomics.store(begun, 0, 2)
    expect(await Promise.all([running, waiting])).toEqual(['released', 10])
    await stopped
  })

  test('ends what does not finish in time', async () => {
    const clock = createFakeClock()
    const { threads } = pool({ clock })
    const begun = share()
    const running = threads.run(deaf, begun)
    const waiting = threads.run(double, 5)
    const outcomes = Promise.allSettled([running, waiting])
    await until(begun, 1)
    const stopped = threads.stop()
    clock.advance(5_000)
    await stopped
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
