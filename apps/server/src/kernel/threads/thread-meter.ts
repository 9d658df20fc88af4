import { type ThreadLane, threadLanes } from '../base/lane.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { AnyThreadTask } from './thread-task.ts'

/** State of a pool; times in milliseconds. */
export interface PoolMeter {
  waited(task: string, ms: number): void
  ran(task: string, ms: number): void
  /** A task was turned away because too many wait. */
  refused(): void
  /** A thread died or was ended under its task. */
  lost(): void
}

// Seconds. From a text just worth the journey to the longest a caller waits, and then what jobs take.
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

interface MeterParts {
  readonly tasks: readonly AnyThreadTask[]
  readonly metrics: Pick<Metrics, 'observedBy' | 'histogram' | 'counter'>
}

export interface PoolState {
  readonly waiting: () => number
  readonly running: () => number
}

/** Meters of the pools, by lane and by the names of the declared tasks. */
export function createThreadMeter({ tasks, metrics }: MeterParts): (lane: ThreadLane, state: PoolState) => PoolMeter {
  const states = new Map<ThreadLane, PoolState>()
  const byLane = (read: (state: PoolState) => number) => () => {
    const of = (lane: ThreadLane): number => {
      const state = states.get(lane)
      return state === undefined ? 0 : read(state)
    }
    return { quick: of('quick'), bulk: of('bulk'), long: of('long') }
  }
  const gauge = { label: 'lane', values: threadLanes } as const
  const queue = { ...gauge, name: 'threads_queue_length', help: 'Tasks that wait for a thread' }
  metrics.observedBy(
    queue,
    byLane((state) => state.waiting()),
  )
  const busy = { ...gauge, name: 'threads_busy', help: 'Threads that work on a task' }
  metrics.observedBy(
    busy,
    byLane((state) => state.running()),
  )
  const labels = { task: tasks.map(({ name }) => name) }
  const wait = metrics.histogram({ name: 'threads_wait_seconds', help: 'Wait of tasks for a thread', labels, buckets })
  const run = metrics.histogram({ name: 'threads_run_seconds', help: 'Run of tasks in a thread', labels, buckets })
  const perLane = { labels: { lane: threadLanes } }
  const refused = metrics.counter({
    ...perLane,
    name: 'threads_refused_total',
    help: 'Tasks refused because too many waited',
  })
  const lost = metrics.counter({ ...perLane, name: 'threads_lost_total', help: 'Threads that ended under their task' })
  return (lane, state) => {
    states.set(lane, state)
    return {
      waited: (task, ms) => wait.observe({ task }, ms / 1000),
      ran: (task, ms) => run.observe({ task }, ms / 1000),
      refused: () => refused.add({ lane }),
      lost: () => lost.add({ lane }),
    }
  }
}
