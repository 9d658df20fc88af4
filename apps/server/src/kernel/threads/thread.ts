import { Worker } from 'node:worker_threads'
import type { AbortWatch } from '../base/abort.ts'
import type { ThreadLane } from '../base/lane.ts'
import type { ThreadOrder, ThreadReport, ThreadStart } from './thread-task.ts'

/** One thread, with at most one task at a time. */
export interface Thread {
  /** @throws what the task threw, or Error when the thread ended under it */
  perform(order: ThreadOrder, journey?: Journey): Promise<unknown>
  /** Asks the running task to stop; it need not listen. */
  cancel(): void
  /** False once it has ended, for any reason. */
  running(): boolean
  /** Ends it in the middle of its work. */
  end(): Promise<void>
}

export interface Journey {
  /** Buffers of the input that move instead of being copied; the sender has them no longer. */
  readonly transfer?: readonly ArrayBuffer[]
  /** Told twice a second how much is done, 0 to 1, as far as the task tells. */
  readonly progress?: (fraction: number) => void
}

export interface RunOptions extends Journey {
  /** Ends the wait with the signal's reason, and the task with it. */
  readonly signal?: AbortWatch
  /** Milliseconds the caller waits at most, in the queue and for the result. Default as long as it takes. */
  readonly limitMs?: number
  /** Rejects with `NoThreadFree` instead of waiting for a thread. */
  readonly onlyIfFree?: boolean
}

/** No thread can begin the task at once. */
export class NoThreadFree extends Error {
  override readonly name = 'NoThreadFree'
}

export interface ThreadKind {
  /** The file a thread starts with. */
  readonly entry: URL
  readonly lane: ThreadLane
  /** Mebibytes of JavaScript objects; a thread that needs more ends, and only its task fails. Buffers do not count. */
  readonly memoryMb: number
}

interface Waiting extends Pick<Journey, 'progress'> {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts a thread. A failed start is reported to the first task. */
export function openThread(kind: ThreadKind): Thread {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const worker = startWorker(kind, flag.buffer)
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
  worker.on('message', (report: ThreadReport) => {
    if (report.kind === 'progress') waiting?.progress?.(report.fraction)
    else if (report.kind === 'done') settle(({ resolve }) => resolve(report.output))
    else settle(({ reject }) => reject(asError(report.error)))
  })
  worker.on('messageerror', (error) => settle(({ reject }) => reject(error)))
  worker.on('error', (error) => lost(asError(error)))
  worker.on('exit', (code) => lost(new Error(`The thread ended with code ${code}`)))
  worker.unref()
  return {
    perform: (order, { transfer = [], progress } = {}) =>
      new Promise((resolve, reject) => {
        Atomics.store(flag, 0, 0)
        worker.postMessage(order, [...transfer])
        waiting = { resolve, reject, ...(progress !== undefined && { progress }) }
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

function startWorker({ entry, lane, memoryMb }: ThreadKind, stop: SharedArrayBuffer): Worker {
  const workerData: ThreadStart = { entry: entry.href, stop, lane }
  const file = entry.pathname.endsWith('.ts') ? new URL('./thread-source.mjs', import.meta.url) : entry
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb }
  // A task is a function of its input, so it gets no environment, and with it no secret of the settings.
  return new Worker(file, { workerData, resourceLimits, execArgv: [], env: {} })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
