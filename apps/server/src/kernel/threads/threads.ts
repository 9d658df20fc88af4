/**
 * A bounded pool of threads for work that would stop the event loop. Promises that no thread exists before the first
 * task, that a task nobody waits for any more gives its thread back or loses it, that a thread that dies takes only its
 * own task along, and that a full queue refuses at once. It does not order by importance and does not retry. Tested in
 * threads.test.ts.
 */

import type { AbortWatch } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import { apiErrors } from '../errors/errors.ts'
import type { Activity } from '../lifecycle/activity.ts'
import type { Metrics } from '../observe/metrics.ts'
import { openThread, type Thread } from './thread.ts'
import { createThreadMeter } from './thread-meter.ts'
import type { AnyThreadTask, ThreadOrder, ThreadTask } from './thread-task.ts'

export interface RunOptions {
  /** Ends the wait with the signal's reason, and the task with it. */
  readonly signal?: AbortWatch
  /** Milliseconds the caller waits at most, in the queue and for the result. Default as long as it takes. */
  readonly limitMs?: number
}

export interface Threads {
  /**
   * Runs the task in a thread. @throws API-009 when too many wait, or while stopping; the signal's reason; what the task
   * threw; Error when the limit passed or its thread died
   */
  run<I, O>(task: ThreadTask<I, O>, input: I, options?: RunOptions): Promise<O>
}

export interface ThreadsParts {
  /** The file a thread starts with; it serves the tasks. */
  readonly entry: URL
  readonly tasks: readonly AnyThreadTask[]
  readonly size: number
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly metrics: Pick<Metrics, 'observed' | 'histogram' | 'counter'>
  /** Tasks that may wait; default 64 for each thread. */
  readonly queueLimit?: number
  /** Milliseconds a task that was asked to stop may go on. */
  readonly graceMs?: number
}

interface Waiting {
  readonly order: ThreadOrder
  /** Of the monotonic clock. */
  readonly sinceMs: number
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
  /** Set while a thread works on it. */
  thread: Thread | null
}

const defaultGraceMs = 250
const waitingPerThread = 64
/** What runs at the end may finish; the life cycle gives every activity 10 s. */
const drainMs = 5_000

export function createThreads(parts: ThreadsParts): Threads & Activity {
  const { size, clock, queueLimit = size * waitingPerThread, graceMs = defaultGraceMs } = parts
  const known = new Set(parts.tasks.map(({ name }) => name))
  const queue = new Set<Waiting>()
  const idle: Thread[] = []
  const busy = new Map<Thread, Waiting>()
  let stopping = false
  let quiet: () => void = () => undefined
  const meter = createThreadMeter(parts, { waiting: () => queue.size, running: () => busy.size })

  const freeThread = (): Thread | null => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.running()) return thread
    return busy.size < size ? openThread(parts.entry) : null
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
      waiting.resolve(await thread.perform(waiting.order))
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

  const enqueue = <O>(order: ThreadOrder, { signal, limitMs }: RunOptions): Promise<O> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        order,
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
    name: 'threads',
    run: async <I, O>(task: ThreadTask<I, O>, input: I, options: RunOptions = {}): Promise<O> => {
      if (!known.has(task.name)) throw new TypeError(`${task.name} is not declared by any module`)
      options.signal?.throwIfAborted()
      const refused = refusal()
      if (refused !== null) throw refused
      return enqueue<O>({ name: task.name, input }, options)
    },
    start: async () => {},
    stop: async () => {
      stopping = true
      await drained()
      for (const waiting of queue) abandon(waiting, refusal())
      await Promise.all([...idle.splice(0), ...busy.keys()].map((thread) => thread.end()))
    },
  }
}
