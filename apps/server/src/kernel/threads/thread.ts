import { Worker } from 'node:worker_threads'
import type { ThreadOrder, ThreadReport, ThreadStart } from './thread-task.ts'

/** One thread, with at most one task at a time. */
export interface Thread {
  /** @throws what the task threw, or Error when the thread ended under it */
  perform(order: ThreadOrder): Promise<unknown>
  /** Asks the running task to stop; it need not listen. */
  cancel(): void
  /** False once it has ended, whatever the reason. */
  running(): boolean
  /** Ends it in the middle of whatever it does. */
  end(): Promise<void>
}

interface Waiting {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts a thread. A start that fails is told to the first task. */
export function openThread(entry: URL): Thread {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const worker = startWorker(entry, flag.buffer)
  let waiting: Waiting | null = null
  let running = true
  const settle = (how: (task: Waiting) => void): void => {
    const task = waiting
    waiting = null
    // A thread without work does not keep the process.
    worker.unref()
    if (task !== null) how(task)
  }
  const lost = (error: Error): void => {
    running = false
    settle(({ reject }) => reject(error))
  }
  worker.on('message', (report: ThreadReport) =>
    settle(({ resolve, reject }) => (report.ok ? resolve(report.output) : reject(asError(report.error)))),
  )
  worker.on('messageerror', (error) => settle(({ reject }) => reject(error)))
  worker.on('error', (error) => lost(asError(error)))
  worker.on('exit', (code) => lost(new Error(`The thread ended with code ${code}`)))
  worker.unref()
  return {
    perform: (order) =>
      new Promise((resolve, reject) => {
        Atomics.store(flag, 0, 0)
        worker.postMessage(order)
        waiting = { resolve, reject }
        worker.ref()
      }),
    cancel: () => void Atomics.store(flag, 0, 1),
    running: () => running,
    end: async () => {
      running = false
      await worker.terminate()
    },
  }
}

function startWorker(entry: URL, stop: SharedArrayBuffer): Worker {
  const workerData: ThreadStart = { entry: entry.href, stop }
  const file = entry.pathname.endsWith('.ts') ? new URL('./thread-source.mjs', import.meta.url) : entry
  // A task is a function of its input, so it gets no environment, and with it no secret of the settings.
  return new Worker(file, { workerData, execArgv: [], env: {} })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
