import { Worker } from 'node:worker_threads'

/** Requests are answered in the order they were made. */
export interface PgliteThread {
  request(request: Uint8Array<ArrayBuffer> | 'close'): Promise<Uint8Array<ArrayBuffer>>
  /** False after the thread ended, for any reason. */
  running(): boolean
  stop(): Promise<void>
}

/** Beside this file in the source tree, beside the bundle after a build. */
export const workerFile = new URL('./pglite-worker.mjs', import.meta.url)

interface Waiting {
  readonly resolve: (bytes: Uint8Array<ArrayBuffer>) => void
  readonly reject: (error: Error) => void
}

/** The engine's code, which threads of one process can share with all that the compiler learned about it. */
export interface CompiledEngine {
  readonly pgliteWasmModule: WebAssembly.Module
  readonly initdbWasmModule: WebAssembly.Module
}

export interface ThreadData {
  readonly dataDir: string | null
  /** In memory only: folder of a cluster to start from a copy of; without it the engine makes one. */
  readonly cluster: string | null
  /** Default: compiled by the thread. */
  readonly engine?: CompiledEngine
}

/** Starts the database's thread; resolves once it answers. */
export function startThread(workerData: ThreadData): Promise<PgliteThread> {
  const worker = new Worker(workerFile, { workerData, execArgv: [] })
  const waiting: Waiting[] = []
  let running = true
  const fail = (error: Error): void => {
    running = false
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  const thread: PgliteThread = {
    request: (request) =>
      new Promise((resolve, reject) => {
        if (!running) {
          reject(new Error('The embedded database has stopped'))
          return
        }
        waiting.push({ resolve, reject })
        worker.postMessage(request, typeof request === 'string' ? [] : [request.buffer])
      }),
    running: () => running,
    stop: async () => {
      await worker.terminate()
    },
  }
  return new Promise((resolve, reject) => {
    worker.on('message', (message: 'ready' | Uint8Array<ArrayBuffer>) => {
      if (message === 'ready') resolve(thread)
      else waiting.shift()?.resolve(message)
    })
    worker.on('error', (error: Error) => {
      fail(error)
      reject(error)
    })
    worker.on('exit', (code) => {
      const error = new Error(`The embedded database ended with code ${code}`)
      fail(error)
      reject(error)
    })
  })
}
