/**
 * Fault seams: the places at which a fault can be injected into running work, for experiments on resilience. A seam is
 * inert until a hook is armed, and an inert seam costs one check for undefined. The hook sees the tenant and the target,
 * so that a fault reaches nobody else. The kernel's own work across tenants has no seam, so that experiments can always
 * be stopped. Tested in seams.test.ts and test/kernel/fault-seams.test.ts.
 */
import type { AbortWatch } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'

/**
 * - `upstream`: a call to a model, before it is sent; the target is `<provider>/<model>`.
 * - `database`: a transaction of a tenant, before it gets a connection; the target is `transaction` or `read`.
 * - `cache` and `blob`: an operation; the target is its name in `Cache` and `BlobStore`.
 * - `job`: one attempt of a job; the target is its kind.
 * - `bus`: the delivery of one logged event to one handler; the target is the handler's name.
 * - `http_out`: a request to a system outside on behalf of a tenant; the target is the work, such as `platform.delivery`.
 */
export const seamNames = ['upstream', 'database', 'cache', 'blob', 'job', 'bus', 'http_out'] as const
export type SeamName = (typeof seamNames)[number]

/** The operation that is about to begin. */
export interface FaultPoint {
  readonly tenantId: string
  readonly target: string
  /** The request that it belongs to, of `upstream` and `database`, or the event of `bus`; another attempt for it has the same. */
  readonly requestId?: string | null
  /** Of `database`: the declared path of the route whose transaction it is; null for all other work. */
  readonly route?: string | null
  /** Of `bus`: the same fault held the event back before, and counts it once. */
  readonly again?: boolean
}

/** The way an operation fails; each seam turns it into the error that its callers know. */
export interface Failure {
  readonly kind: 'unavailable' | 'timeout' | 'rate_limited' | 'server_error'
  /** HTTP status that an upstream is said to have answered; default by the kind. */
  readonly status?: number
  /** Milliseconds after which an upstream is said to want the next try. */
  readonly retryAfterMs?: number
}

/** How the answer of a model call is spoiled after the call was sent; counts are of pieces of text. */
export interface AnswerFault {
  /** Milliseconds by which the first piece of the answer comes later. */
  readonly firstPieceDelayMs?: number
  /** The connection breaks after so many pieces; a whole answer breaks before its end. */
  readonly resetAfter?: number
  /** After so many pieces comes one that cannot be parsed. */
  readonly malformedAfter?: number
}

export interface Fault {
  /** Milliseconds by which the operation begins later; default 0. */
  readonly delayMs?: number
  /** With it the operation does not take place. */
  readonly failure?: Failure
  /** Of `upstream` only. */
  readonly answer?: AnswerFault
  /** Of `bus` only: the event is delivered twice. */
  readonly twice?: boolean
  /** Once it aborts, waiting operations continue at once and unharmed: stopping an experiment stops it here too. */
  readonly release?: AbortWatch
}

/** Decides on one operation: null leaves it alone. Synchronous, because every operation of an armed seam asks it. */
export type FaultHook = (point: FaultPoint) => Fault | null

/** The hooks that are armed now. */
export type FaultSeams = { [Name in SeamName]: FaultHook | undefined }

export interface Faults {
  readonly seams: Readonly<FaultSeams>
  /** Puts a hook into a seam and returns the function that takes it out again. @throws TypeError while another is there */
  arm(seam: SeamName, hook: FaultHook): () => void
}

/** An operation that was made to fail. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault'
  readonly failure: Failure

  constructor(seam: SeamName, failure: Failure) {
    super(`An injected fault: ${seam} ${failure.kind}`)
    this.failure = failure
  }
}

export function createFaults(): Faults {
  const seams: FaultSeams = {
    upstream: undefined,
    database: undefined,
    cache: undefined,
    blob: undefined,
    job: undefined,
    bus: undefined,
    http_out: undefined,
  }
  return {
    seams,
    arm: (seam, hook) => {
      if (seams[seam] !== undefined) throw new TypeError(`The fault seam ${seam} is armed already`)
      seams[seam] = hook
      return () => {
        if (seams[seam] === hook) seams[seam] = undefined
      }
    },
  }
}

export interface Passing extends FaultPoint {
  readonly seam: SeamName
  readonly clock: Pick<Clock, 'after'>
  /** Ends a delay early. */
  readonly signal?: AbortWatch | null
}

/** Passes an armed seam: waits and fails as its hook says. @throws InjectedFault, or the signal's reason once it aborted */
export async function passSeam(hook: FaultHook, { seam, clock, signal = null, ...point }: Passing): Promise<void> {
  const fault = hook(point)
  if (fault !== null) await undergo(fault, { seam, clock, signal })
}

/** Waits and fails as the fault says. @throws InjectedFault, or the signal's reason once it aborted */
export async function undergo(
  { delayMs = 0, failure, release }: Fault,
  { seam, clock, signal = null }: Pick<Passing, 'seam' | 'clock' | 'signal'>,
): Promise<void> {
  if (delayMs > 0) await waitThrough(delayMs, { clock, signal, release: release ?? null })
  if (failure !== undefined && release?.aborted !== true) throw new InjectedFault(seam, failure)
}

export interface Wait {
  readonly clock: Pick<Clock, 'after'>
  /** Rejects with its reason. */
  readonly signal: AbortWatch | null
  /** Ends the wait early. */
  readonly release: AbortWatch | null
}

/** Waits so many milliseconds. @throws the signal's reason once it aborted */
export function waitThrough(ms: number, { clock, signal, release }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    if (release?.aborted === true) return resolve()
    const leave = (): void => {
      timer.stop()
      signal?.removeEventListener('abort', abort)
      release?.removeEventListener('abort', free)
    }
    const abort = (): void => {
      leave()
      reject(signal?.reason)
    }
    const free = (): void => {
      leave()
      resolve()
    }
    const timer = clock.after(ms, free)
    signal?.addEventListener('abort', abort, { once: true })
    release?.addEventListener('abort', free, { once: true })
    return undefined
  })
}
