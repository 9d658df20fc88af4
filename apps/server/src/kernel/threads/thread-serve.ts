import { constants, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { AnyThreadTask, ThreadOrder, ThreadReport, ThreadStart, ThreadWork } from './thread-task.ts'

/** Milliseconds between two reports of progress. */
const reportEveryMs = 500

/** The whole life of a thread: takes an order, runs its task, reports. Called once, by the file a thread starts with. */
export function serveThread(tasks: readonly AnyThreadTask[]): void {
  if (parentPort === null) throw new Error('This file is for threads of the server')
  const port = parentPort
  const { stop, lane } = workerData as ThreadStart
  if (lane !== 'quick') yieldProcessor()
  const flag = new Int32Array(stop)
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const stopped = (): boolean => Atomics.load(flag, 0) === 1
  port.on('message', (order: ThreadOrder) =>
    perform(port, byName.get(order.name), { order, work: { stopped, progress: reporter(port) } }),
  )
}

/**
 * Lets the scheduler prefer the event loop and the quick threads. On Linux a priority is a thread's; elsewhere it would be
 * the process's.
 */
function yieldProcessor(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

/** At once, and then a few times a second: a message costs its receiver a turn of the event loop. */
function reporter(port: MessagePort): ThreadWork['progress'] {
  let next = 0
  return (fraction) => {
    const now = performance.now()
    if (now < next) return
    next = now + reportEveryMs
    port.postMessage({ kind: 'progress', fraction } satisfies ThreadReport)
  }
}

interface Ordered {
  readonly order: ThreadOrder
  readonly work: ThreadWork
}

function perform(port: MessagePort, task: AnyThreadTask | undefined, { order, work }: Ordered): void {
  try {
    if (task === undefined) throw new TypeError(`No thread knows the task ${order.name}`)
    // Bytes become types here: the sender of the order has the task's own declaration.
    const output = task.run(order.input as never, work)
    send(port, { kind: 'done', output }, task.transfer?.(output) ?? [])
  } catch (error) {
    send(port, { kind: 'failed', error }, [])
  }
}

function send(port: MessagePort, report: ThreadReport, moved: readonly ArrayBuffer[]): void {
  try {
    port.postMessage(report, [...moved])
  } catch (error) {
    port.postMessage({ kind: 'failed', error: new TypeError(`The result cannot travel: ${String(error)}`) })
  }
}
