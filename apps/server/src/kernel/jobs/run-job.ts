/**
 * One attempt of a job: its resources, its time limit and its outcome. Promises that a job which was
 * cancelled or taken over holds no slot, and that its work in its own transactions is then undone. Tested in
 * worker.test.ts and long-work.test.ts.
 */
import type { Tx } from '../db/port.ts'
import { passSeam } from '../faults/seams.ts'
import type { JobContext } from '../module/module.ts'
import { keepTime } from './deadline.ts'
import { fail } from './failed.ts'
import { announceProgress, storeProgress } from './progress.ts'
import { type ClaimedJob, finishJob, holdJob, renewLease, reportProgress } from './queue.ts'
import type { RegisteredJob, WorkerParts } from './worker.ts'

/** The job is no longer this worker's: it was cancelled, or its lease ran out and another one has it. */
export class JobLost extends Error {
  override readonly name = 'JobLost'
}

export interface Run {
  readonly claimed: ClaimedJob
  /** Aborts when this process ends. */
  readonly stop: AbortSignal
  /** Aborts when the job is no longer this worker's. */
  readonly lost: AbortController
}

export async function runJob(parts: WorkerParts, { declaration, services }: RegisteredJob, run: Run): Promise<void> {
  const { claimed, lost } = run
  const limit = keepTime(parts.clock, declaration)
  const renewal = keepLease(parts, { claimed, leaseMs: declaration.leaseMs, lost })
  const attempt = attemptOf(parts, run, limit.signal)
  try {
    const begin = () => declaration.run({ ...attempt.context, services })
    const work = throughSeam(parts, attempt.context, declaration.kind, begin)
    await Promise.race([work, limit.over, gone(lost.signal)])
    await settle(parts, () => attempt.end())
  } catch (error) {
    // The outcome is already stored: by the worker that took it away, or by the commit that ended it.
    if (lost.signal.aborted || attempt.isOver()) return
    await settle(parts, () =>
      fail(parts, { declaration, claimed, owner: parts.node, error, stopped: run.stop.aborted }),
    )
  } finally {
    renewal.stop()
    limit.stop()
  }
}

/** An attempt that is made to fail is one like any other: it is tried again, or the job is dead. */
function throughSeam(
  { faults, clock }: WorkerParts,
  { tenantId, signal }: Pick<JobContext<unknown>, 'tenantId' | 'signal'>,
  target: string,
  begin: () => Promise<void>,
): Promise<void> {
  const hook = faults?.seams.job
  if (hook === undefined) return begin()
  return passSeam(hook, { seam: 'job', tenantId, target, clock, signal }).then(begin)
}

/** Rejects when the job is lost, so that work that does not listen holds no slot. */
function gone(signal: AbortSignal): Promise<never> {
  const over = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  over.catch(() => undefined)
  return over
}

interface Attempt {
  readonly context: Omit<JobContext<unknown>, 'services'>
  /** Stores that it ended well, unless it has ended. */
  end(): Promise<void>
  isOver(): boolean
}

function attemptOf(parts: WorkerParts, { claimed, stop, lost }: Run, late: AbortSignal): Attempt {
  const { db, node, clock, meter } = parts
  const kernel = parts.kernel()
  const signal = AbortSignal.any([stop, lost.signal, late])
  let value: Readonly<Record<string, unknown>> | null = null
  let isOver = false
  const owned = fencedBy(parts, { claimed, lost, signal })
  const tells = progressOf(parts, claimed)
  const { progress } = tells
  const finish = (tx: Pick<Tx, 'execute'>) => finishJob(tx, node, { job: claimed, now: clock.iso(), result: value })
  const over = (): void => {
    isOver = true
    meter.count('job_done_total')
  }
  return {
    context: {
      id: claimed.id,
      tenantId: claimed.tenantId,
      payload: claimed.payload,
      attempt: claimed.attempt,
      ...{ signal, kernel, progress },
      result: (told) => {
        value = told
      },
      thread: (task, input, options) =>
        kernel.threads.run(task, input, { ...options, signal, progress: oneAtATime(parts, claimed, progress) }),
      transaction: (work) => owned(work, (tx) => holdJob(tx, node, claimed)),
      complete: (work) => owned(work, tells.lastly(finish)).then(over),
    },
    end: async () => {
      if (!isOver && (await db.tenant({ tenantId: claimed.tenantId }, tells.lastly(finish)))) over()
    },
    isOver: () => isOver,
  }
}

/** Milliseconds between two reported steps: a viewer sees movement at little cost to the database. */
const tellEveryMs = 400

/** Stores each step, and tells of some: of the first, then twice a second at most, and of the end. */
function progressOf({ db, node, clock }: WorkerParts, job: ClaimedJob) {
  let toldMs: number | null = null
  return {
    progress: async (fraction: number): Promise<void> => {
      const now = clock.monotonic()
      if (toldMs !== null && now - toldMs < tellEveryMs) {
        await db.system('job progress', (tx) => reportProgress(tx, node, { job, fraction }))
        return
      }
      toldMs = now
      await db.tenant({ tenantId: job.tenantId }, (tx) => storeProgress(tx, node, { job, fraction }))
    },
    /** Tells of the end of a job of which something was told before. */
    lastly:
      (finish: (tx: Tx) => Promise<boolean>) =>
      async (tx: Tx): Promise<boolean> => {
        const ended = await finish(tx)
        if (ended && toldMs !== null) await announceProgress(tx, { job, fraction: 1 })
        return ended
      },
  }
}

interface Fence {
  readonly claimed: ClaimedJob
  readonly lost: AbortController
  readonly signal: AbortSignal
}

/** The ownership of the job is checked last, so that `tx.cancel` never waits for more than a commit. */
function fencedBy({ db }: WorkerParts, { claimed: { tenantId }, lost, signal }: Fence) {
  return <T>(work: (tx: Tx) => Promise<T>, holds: (tx: Tx) => Promise<boolean>): Promise<T> =>
    db.tenant({ tenantId, origin: { signal } }, async (tx) => {
      const done = await work(tx)
      if (await holds(tx)) return done
      const reason = new JobLost('the job was cancelled or taken over')
      lost.abort(reason)
      throw reason
    })
}

/** Reports that come while one is stored are left out; the next one says more. */
function oneAtATime(
  { log }: WorkerParts,
  { id }: ClaimedJob,
  store: (fraction: number) => Promise<void>,
): (fraction: number) => void {
  let isStoring = false
  return (fraction) => {
    if (isStoring) return
    isStoring = true
    store(fraction)
      .catch((error: unknown) => log.warn({ err: error, job: id }, 'the progress of a job could not be stored'))
      .finally(() => {
        isStoring = false
      })
  }
}

/** When the outcome cannot be stored the lease runs out and the job is repeated; that is all there is to do. */
async function settle(parts: WorkerParts, store: () => Promise<void>): Promise<void> {
  try {
    await store()
  } catch (error) {
    parts.log.warn({ err: error }, 'the outcome of a job could not be stored; it will be repeated')
  }
}

interface Lease {
  readonly claimed: ClaimedJob
  readonly leaseMs: number
  readonly lost: AbortController
}

/** Renews at a third of the lease, so that two renewals may fail. */
function keepLease(parts: WorkerParts, lease: Lease): { stop(): void } {
  const renew = async (): Promise<void> => {
    try {
      const kept = await parts.db.system('job lease', (tx) =>
        renewLease(tx, parts.node, { job: lease.claimed, leaseMs: lease.leaseMs }),
      )
      if (!kept) lease.lost.abort(new JobLost('the job was cancelled or taken over'))
    } catch (error) {
      parts.log.warn({ err: error, job: lease.claimed.id }, 'a job lease could not be renewed')
    }
  }
  return parts.clock.every(Math.max(100, lease.leaseMs / 3), () => void renew())
}
