/**
 * A bounded pool of threads. Promises that no thread exists before the first task, that an abandoned task
 * gives its thread back or loses it, that a thread that dies takes only its own task along, and that a full queue refuses
 * at once. It does not order by importance and does not retry. Tested in threads.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import { apiErrors } from '../errors/errors.ts'
import { NoThreadFree, openThread, type RunOptions, type Thread, type ThreadKind } from './thread.ts'
import type { PoolMeter, PoolState } from './thread-meter.ts'
import type { ThreadOrder } from './thread-task.ts'

export interface Pool {
  /** @throws as `Threads.run` */
  run<O>(order: ThreadOrder, options: RunOptions): Promise<O>
  stop(): Promise<void>
}

export interface PoolParts {
  readonly kind: ThreadKind
  readonly size: number
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly meter: (state: PoolState) => PoolMeter
  /** Tasks that may wait. */
  readonly queueLimit: number
  /** Milliseconds a task that was asked to stop may go on. */
  readonly graceMs: number
}

interface Waiting {
  readonly order: ThreadOrder
  readonly options: RunOptions
  /** Of the monotonic clock. */
  readonly sinceMs: number
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
  /** Set while a thread works on it. */
  thread: Thread | null
}

/** Running tasks may finish at the end; the life cycle gives every activity 10 s. */
const drainMs = 5_000

export function createPool(parts: PoolParts): Pool {
  const { size, clock, queueLimit, graceMs } = parts
  const queue = new Set<Waiting>()
  const idle: Thread[] = []
  const busy = new Map<Thread, Waiting>()
  let stopping = false
  let quiet: () => void = () => undefined
  const meter = parts.meter({ waiting: () => queue.size, running: () => busy.size })

  const freeThread = (): Thread | null => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.running()) return thread
    return busy.size < size ? openThread(parts.kind) : null
  }

  const begin = (): void => {
    for (const waiting of queue) {
      try {
        const thread = freeThread()
        if (thread === null) return
        queue.delete(waiting)
        void work(thread, waiting)
      } catch (error) {
        // No thread can be made. The others learn it the same way instead of waiting behind this one for ever.
        queue.delete(waiting)
        waiting.reject(error)
      }
    }
    if (busy.size === 0) quiet()
  }

  const work = async (thread: Thread, waiting: Waiting): Promise<void> => {
    busy.set(thread, waiting)
    waiting.thread = thread
    const startedMs = clock.monotonic()
    meter.waited(waiting.order.name, startedMs - waiting.sinceMs)
    try {
      waiting.resolve(await thread.perform(waiting.order, waiting.options))
    } catch (error) {
      if (!thread.running()) meter.lost()
      waiting.reject(error)
    }
    meter.ran(waiting.order.name, clock.monotonic() - startedMs)
    busy.delete(thread)
    waiting.thread = null
    if (thread.running()) idle.push(thread)
    begin()
  }

  const abandon = (waiting: Waiting, reason: unknown): void => {
    waiting.reject(reason)
    queue.delete(waiting)
    const { thread } = waiting
    if (thread === null) return
    thread.cancel()
    clock.after(graceMs, () => {
      if (busy.get(thread) === waiting) void thread.end()
    })
  }

  const refusal = (): Error | null => {
    if (stopping) return apiErrors.unavailable({ what: 'This instance is stopping.' })
    if (queue.size < queueLimit || busy.size < size) return null
    meter.refused()
    return apiErrors
      .unavailable({ what: 'Too much work is waiting. Try again in 1 s.' })
      .withHeaders({ 'retry-after': '1' })
  }

  const enqueue = <O>(order: ThreadOrder, options: RunOptions): Promise<O> =>
    new Promise((resolve, reject) => {
      const { signal, limitMs } = options
      const waiting: Waiting = {
        order,
        options,
        sinceMs: clock.monotonic(),
        resolve: (output) => settled(() => resolve(output as O)),
        reject: (error) => settled(() => reject(error)),
        thread: null,
      }
      const leave = (): void => abandon(waiting, signal?.reason)
      const limit =
        limitMs === undefined
          ? null
          : clock.after(limitMs, () => abandon(waiting, new Error(`${order.name} took longer than ${limitMs} ms`)))
      const settled = (tell: () => void): void => {
        signal?.removeEventListener('abort', leave)
        limit?.stop()
        tell()
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.add(waiting)
      begin()
    })

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const limit = clock.after(drainMs, resolve)
      quiet = () => {
        limit.stop()
        resolve()
      }
      if (busy.size === 0 && queue.size === 0) quiet()
    })

  return {
    run: async (order, options) => {
      options.signal?.throwIfAborted()
      const refused = refusal()
      if (refused !== null) throw refused
      if (options.onlyIfFree === true && queue.size + busy.size >= size) throw new NoThreadFree('all threads work')
      return enqueue(order, options)
    },
    stop: async () => {
      stopping = true
      await drained()
      for (const waiting of queue) abandon(waiting, refusal())
      await Promise.all([...idle.splice(0), ...busy.keys()].map((thread) => thread.end()))
    },
  }
}
