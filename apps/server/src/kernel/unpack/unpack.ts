/**
 * Opens files of strangers in a thread of its own, one at a time. Promises that a file costs no more memory and time than
 * the room has, that one that kills its thread takes nothing else along, and that too many waiting are refused at once.
 * Tested in unpack.test.ts.
 */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../base/clock.ts'
import { apiErrors } from '../errors/errors.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { mostInput } from './limits.ts'
import type { UnpackOrder, UnpackReport } from './order.ts'
import { type ArchiveEntry, type DocumentText, type Unpack, UnpackError } from './port.ts'

export interface UnpackParts {
  /** The file the thread starts with. */
  readonly entry: URL
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds of one file; default 30,000. */
  readonly limitMs?: number
  /** Limit of the thread's heap; default 512 MiB. The bytes that files may unpack to bound the memory outside of it. */
  readonly heapMib?: number
  /** Files that may wait; default 32. */
  readonly queueLimit?: number
}

/** Milliseconds after which a thread without work goes, and with it what its libraries hold. */
const idleMs = 60_000

export function createUnpack(parts: UnpackParts): Unpack & Activity {
  const { clock, queueLimit = 32 } = parts
  let thread: Worker | null = null
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  let idle: { stop(): void } | null = null
  let stopping = false

  const end = async (): Promise<void> => {
    const ended = thread
    thread = null
    await ended?.terminate()
  }

  const perform = async (order: UnpackOrder): Promise<unknown> => {
    if (stopping) throw apiErrors.unavailable({ what: 'This instance is stopping.' })
    idle?.stop()
    thread ??= startThread(parts)
    try {
      return await answerOf(thread, order, parts)
    } catch (error) {
      // One that was stopped in the middle, or died, is of no more use.
      if (!(error instanceof UnpackError) || error.kind === 'timeout' || error.kind === 'memory') await end()
      throw error
    } finally {
      thread?.unref()
      idle = clock.after(idleMs, () => void end())
    }
  }

  const inTurn = async <T>(order: UnpackOrder): Promise<T> => {
    if (order.bytes.byteLength > mostInput)
      throw new UnpackError('too_large', `The file is larger than ${mostInput} bytes.`)
    if (waiting >= queueLimit) throw apiErrors.unavailable({ what: 'Too many files are waiting. Try again in 10 s.' })
    waiting += 1
    const turn = last.then(() => perform(order))
    last = turn.catch(() => undefined)
    try {
      return (await turn) as T
    } finally {
      waiting -= 1
    }
  }

  return {
    name: 'unpacking',
    text: (format, bytes) => inTurn<DocumentText>({ format, bytes }),
    entries: (format, bytes) => inTurn<readonly ArchiveEntry[]>({ format, bytes }),
    yaml: (bytes) => inTurn<unknown>({ format: 'yaml', bytes }),
    start: async () => {},
    stop: async () => {
      stopping = true
      await end()
    },
  }
}

/** It gets no environment, and with it no secret of the settings. */
function startThread({ entry, heapMib = 512 }: UnpackParts): Worker {
  const isSource = entry.pathname.endsWith('.ts')
  const file = isSource ? new URL('../threads/thread-source.mjs', import.meta.url) : entry
  const resourceLimits = { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 64 }
  const worker = new Worker(file, { workerData: { entry: entry.href }, execArgv: [], env: {}, resourceLimits })
  // Waiting callers hear it, too; without work there are none.
  worker.on('error', () => undefined)
  return worker
}

function answerOf(thread: Worker, order: UnpackOrder, { clock, limitMs = 30_000 }: UnpackParts): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      limit.stop()
      thread.off('message', told).off('error', died).off('exit', gone)
      how()
    }
    const told = (report: UnpackReport): void =>
      settle(() => (report.ok ? resolve(report.output) : reject(new UnpackError(report.kind, report.text))))
    const died = (error: unknown): void => settle(() => reject(deathOf(error)))
    const gone = (): void => settle(() => reject(new Error('The thread of the unpacking room ended')))
    const limit = clock.after(limitMs, () =>
      settle(() => reject(new UnpackError('timeout', `The file took longer than ${limitMs / 1000} s to read.`))),
    )
    thread.on('message', told).on('error', died).on('exit', gone)
    thread.ref()
    thread.postMessage(order)
  })
}

function deathOf(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new UnpackError('memory', 'The file takes more memory to read than there is for it.', error)
  return error instanceof Error ? error : new Error(String(error))
}
