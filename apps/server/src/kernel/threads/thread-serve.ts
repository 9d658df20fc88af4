import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { AnyThreadTask, ThreadOrder, ThreadReport, ThreadStart, ThreadWork } from './thread-task.ts'

/** The whole life of a thread: takes an order, runs its task, reports. Called once, by the file a thread starts with. */
export function serveThread(tasks: readonly AnyThreadTask[]): void {
  if (parentPort === null) throw new Error('This file is for threads of the server')
  const port = parentPort
  const { stop } = workerData as ThreadStart
  const flag = new Int32Array(stop)
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const work: ThreadWork = { stopped: () => Atomics.load(flag, 0) === 1 }
  port.on('message', (order: ThreadOrder) => send(port, perform(byName.get(order.name), order, work)))
}

function perform(task: AnyThreadTask | undefined, { name, input }: ThreadOrder, work: ThreadWork): ThreadReport {
  try {
    if (task === undefined) throw new TypeError(`No thread knows the task ${name}`)
    // Bytes become types here: who sends the order has the task's own declaration.
    return { ok: true, output: task.run(input as never, work) }
  } catch (error) {
    return { ok: false, error }
  }
}

function send(port: MessagePort, report: ThreadReport): void {
  try {
    port.postMessage(report)
  } catch (error) {
    port.postMessage({ ok: false, error: new TypeError(`The result cannot travel: ${String(error)}`) })
  }
}
