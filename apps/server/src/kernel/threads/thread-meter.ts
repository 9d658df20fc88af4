import type { Metrics } from '../observe/metrics.ts'
import type { AnyThreadTask } from './thread-task.ts'

/** What the pool tells about itself; times in milliseconds. */
export interface ThreadMeter {
  waited(task: string, ms: number): void
  ran(task: string, ms: number): void
  /** A task was turned away because too many wait. */
  refused(): void
  /** A thread died or was ended under its task. */
  lost(): void
}

// Seconds. From a text just worth the journey to the longest a caller waits.
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface MeterParts {
  readonly tasks: readonly AnyThreadTask[]
  readonly metrics: Pick<Metrics, 'observed' | 'histogram' | 'counter'>
}

interface PoolState {
  readonly waiting: () => number
  readonly running: () => number
}

/** Meters of the pool, by the names of the declared tasks. */
export function createThreadMeter({ tasks, metrics }: MeterParts, state: PoolState): ThreadMeter {
  const labels = { task: tasks.map(({ name }) => name) }
  metrics.observed({ name: 'threads_queue_length', help: 'Tasks that wait for a thread' }, state.waiting)
  metrics.observed({ name: 'threads_busy', help: 'Threads that work on a task' }, state.running)
  const wait = metrics.histogram({ name: 'threads_wait_seconds', help: 'Wait of tasks for a thread', labels, buckets })
  const run = metrics.histogram({ name: 'threads_run_seconds', help: 'Run of tasks in a thread', labels, buckets })
  const refused = metrics.counter({ name: 'threads_refused_total', help: 'Tasks refused because too many waited' })
  const lost = metrics.counter({ name: 'threads_lost_total', help: 'Threads that ended under their task' })
  return {
    waited: (task, ms) => wait.observe({ task }, ms / 1000),
    ran: (task, ms) => run.observe({ task }, ms / 1000),
    refused: () => refused.add({}),
    lost: () => lost.add({}),
  }
}
