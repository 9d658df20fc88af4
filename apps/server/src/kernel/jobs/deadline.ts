import type { Clock } from '../base/clock.ts'
import type { JobDeclaration } from '../module/module.ts'

/** Of kinds that declare none: long for any work, short for a worker that hangs. */
const defaultMs = 6 * 3_600_000

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'

  constructor(ms: number) {
    super(`the job took longer than ${ms / 1000} s`)
  }
}

export interface Deadline {
  /** Aborts at the deadline, so that work that listens ends. */
  readonly signal: AbortSignal
  /** Rejects then, so that work that does not listen holds no slot for ever. */
  readonly over: Promise<never>
  stop(): void
}

/** The time one attempt of a kind may take. */
export function keepTime(
  clock: Pick<Clock, 'after'>,
  { deadlineMs = defaultMs }: Pick<JobDeclaration<unknown>, 'deadlineMs'>,
): Deadline {
  const abort = new AbortController()
  const timer = clock.after(deadlineMs, () => abort.abort(new DeadlineExceeded(deadlineMs)))
  const over = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
  })
  // A rejection during the race reaches its caller; a later one has no reader.
  over.catch(() => undefined)
  return { signal: abort.signal, over, stop: () => timer.stop() }
}
