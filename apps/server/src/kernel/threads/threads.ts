/**
 * Threads for work that would stop the event loop, in a pool for each lane: quick tasks, which callers wait for, bulk ones of
 * calls, and long ones of jobs. Promises that no lane takes the threads of another. Tested in threads.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import { type ThreadLane, threadLanes } from '../base/lane.ts'
import type { Activity } from '../lifecycle/activity.ts'
import type { Metrics } from '../observe/metrics.ts'
import { createPool } from './pool.ts'
import type { RunOptions } from './thread.ts'
import { createThreadMeter } from './thread-meter.ts'
import type { AnyThreadTask, ThreadTask } from './thread-task.ts'

export interface Threads {
  /**
   * Runs the task in a thread of its lane. @throws API-009 when too many wait, or while stopping; the signal's reason;
   * the task's own error; Error when the limit passed, or its thread died or ran out of memory
   */
  run<I, O>(task: ThreadTask<I, O>, input: I, options?: RunOptions): Promise<O>
}

export interface ThreadsParts {
  /** The file a thread starts with; it serves the tasks. */
  readonly entry: URL
  readonly tasks: readonly AnyThreadTask[]
  /** Threads for quick tasks. */
  readonly size: number
  /** Threads for long tasks; default 1. */
  readonly longSize?: number
  /** Mebibytes of JavaScript objects of each thread; default 2,048. */
  readonly memoryMb?: number
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly metrics: Pick<Metrics, 'observedBy' | 'histogram' | 'counter'>
  /** Tasks of a lane that may wait; default 64 for each thread. */
  readonly queueLimit?: number
  /** Milliseconds a task that was asked to stop may go on; default by lane. */
  readonly graceMs?: number
}

/** A quick task ends soon by itself, and its thread is warm; a long one that does not listen is not waited for. */
const defaultGraceMs: Readonly<Record<ThreadLane, number>> = { quick: 250, bulk: 250, long: 50 }
const waitingPerThread = 64

export function createThreads(parts: ThreadsParts): Threads & Activity {
  const known = new Set(parts.tasks.map(({ name }) => name))
  const meter = createThreadMeter(parts)
  const sizes: Readonly<Record<ThreadLane, number>> = {
    quick: parts.size,
    bulk: 1,
    long: parts.longSize ?? 1,
  }
  const poolOf = (lane: ThreadLane) =>
    createPool({
      kind: { entry: parts.entry, lane, memoryMb: parts.memoryMb ?? 2_048 },
      size: sizes[lane],
      clock: parts.clock,
      meter: (state) => meter(lane, state),
      queueLimit: parts.queueLimit ?? sizes[lane] * waitingPerThread,
      graceMs: parts.graceMs ?? defaultGraceMs[lane],
    })
  const pools = { quick: poolOf('quick'), bulk: poolOf('bulk'), long: poolOf('long') }
  return {
    name: 'threads',
    run: async <I, O>(task: ThreadTask<I, O>, input: I, options: RunOptions = {}): Promise<O> => {
      if (!known.has(task.name)) throw new TypeError(`${task.name} is not declared by any module`)
      return pools[task.lane ?? 'quick'].run<O>({ name: task.name, input }, options)
    },
    start: async () => {},
    stop: async () => {
      await Promise.all(threadLanes.map((lane) => pools[lane].stop()))
    },
  }
}
