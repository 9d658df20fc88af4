/**
 * Runs jobs: claims what is due in turn over the tenants, renews leases while it works, retries failures with growing,
 * jittered pauses and gives up after the kind's number of attempts. A job whose worker died is taken over after its
 * lease; a job may therefore run twice and must bear it. Tested in worker.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import type { Kernel } from '../kernel.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { ChangeSource } from '../live/changes.ts'
import type { JobDeclaration } from '../module/module.ts'
import type { DeadJob, Notice } from '../notices/notices.ts'
import type { Meter } from '../observe/meter.ts'
import { keepTime } from './deadline.ts'
import { fail, takeOver } from './failed.ts'
import { type ClaimedJob, claimJobs, finishJob, renewLease, reportProgress, silentJobs } from './queue.ts'
import { type Running, shareOf } from './shares.ts'

export interface RegisteredJob {
  readonly declaration: JobDeclaration<unknown>
  readonly services: unknown
}

export interface WorkerParts {
  readonly db: Pick<Database, 'system' | 'tenant'>
  readonly clock: Clock
  readonly random: Pick<Random, 'fraction'>
  readonly log: LoopLog
  readonly meter: Meter
  readonly node: string
  readonly jobs: readonly RegisteredJob[]
  readonly kernel: () => Kernel
  /** Jobs at a time; default 4. */
  readonly concurrency?: number
  /** Where a job that was called off is announced; without it a worker learns of it when it renews its lease. */
  readonly changes?: Pick<ChangeSource, 'on'>
  /** Told when a job has failed for good. */
  readonly died?: Pick<Notice<DeadJob>, 'tell'>
}

/** Milliseconds by which a job of the near future may begin later than asked. */
const sharedMs = 100

export interface Worker extends Activity {
  /** Looks for work at the given Unix millisecond, now if it has passed. */
  wake(runAt: number): void
}

/** Topic of the live feed: the key is the id of a job that was called off. */
export const cancelledTopic = 'job.cancelled'

export function createWorker(parts: WorkerParts): Worker {
  const kinds = new Map(parts.jobs.map((job) => [job.declaration.kind, job]))
  const running = new Map<string, Held>()
  const slots = parts.concurrency ?? 4
  const declared = parts.jobs.map(({ declaration }) => declaration)
  const stopping = { signal: new AbortController() }
  let servedLast: TenantId | null = null
  let stopListening = (): void => undefined
  const armed = new Set<number>()

  /** Those of the near future share their wakes; later ones are found by the poll, which comes every second. */
  const arm = (runAt: number): void => {
    const at = Math.ceil(runAt / sharedMs) * sharedMs
    const wait = at - parts.clock.now()
    if (wait > 1_000 || armed.has(at)) return
    armed.add(at)
    parts.clock.after(wait, () => {
      armed.delete(at)
      loop.wake()
    })
  }

  const begin = (claimed: ClaimedJob): void => {
    const registered = kinds.get(claimed.kind)
    if (registered === undefined) return
    servedLast = claimed.tenantId
    const lost = new AbortController()
    const done = runJob(parts, registered, { claimed, stop: stopping.signal.signal, lost }).finally(() => {
      running.delete(claimed.id)
      loop.wake()
    })
    running.set(claimed.id, { tenantId: claimed.tenantId, kind: claimed.kind, done, lost })
  }

  const loop = createLoop({
    name: 'job worker',
    clock: parts.clock,
    log: parts.log,
    everyMs: 1_000,
    run: async () => {
      const share = shareOf(slots, declared, [...running.values()])
      // The first renewal sets the kind's own lease, at a third of it; until then the longest one holds.
      const leaseMs = Math.max(...parts.jobs.map((job) => job.declaration.leaseMs))
      const request = { owner: parts.node, now: parts.clock.iso(), after: servedLast, leaseMs }
      const { silent, claimed } = await parts.db.system('job claim', async (tx) => ({
        silent: await silentJobs(tx),
        claimed: share === null ? [] : await claimJobs(tx, { ...request, ...share }),
      }))
      claimed.forEach(begin)
      await takeOver(parts, kinds, silent)
      return claimed.length > 0 && running.size < slots
    },
  })

  return {
    name: 'job worker',
    wake: (runAt) => {
      if (runAt <= parts.clock.now()) loop.wake()
      else arm(runAt)
    },
    start: async () => {
      stopping.signal = new AbortController()
      stopListening = parts.changes?.on(cancelledTopic, (id) => running.get(id)?.lost.abort()) ?? stopListening
      loop.start()
    },
    stop: async () => {
      await loop.stop()
      stopListening()
      stopping.signal.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

interface Held extends Running {
  readonly done: Promise<void>
  readonly lost: AbortController
}

interface Run {
  readonly claimed: ClaimedJob
  readonly stop: AbortSignal
  /** Aborts when the job is no longer this worker's: taken over, or called off. */
  readonly lost: AbortController
}

async function runJob(parts: WorkerParts, registered: RegisteredJob, run: Run): Promise<void> {
  const { claimed, lost } = run
  const { declaration, services } = registered
  let result: Readonly<Record<string, unknown>> | null = null
  const limit = keepTime(parts.clock, declaration)
  const signal = AbortSignal.any([run.stop, lost.signal, limit.signal])
  const renewal = keepLease(parts, { claimed, leaseMs: declaration.leaseMs, lost })
  try {
    const work = declaration.run({
      id: claimed.id,
      tenantId: claimed.tenantId,
      payload: claimed.payload,
      attempt: claimed.attempt,
      signal,
      services,
      kernel: parts.kernel(),
      progress: async (fraction) => {
        await parts.db.system('job progress', (tx) => reportProgress(tx, parts.node, { job: claimed, fraction }))
      },
      result: (value) => {
        result = value
      },
    })
    await Promise.race([work, limit.over])
    await settle(parts, () =>
      parts.db.system('job end', (tx) => finishJob(tx, parts.node, { job: claimed, now: parts.clock.iso(), result })),
    )
    parts.meter.count('job_done_total')
  } catch (error) {
    // Whoever took it away has said what becomes of it.
    if (lost.signal.aborted) return
    await settle(parts, () =>
      fail(parts, { declaration, claimed, owner: parts.node, error, stopped: run.stop.aborted }),
    )
  } finally {
    renewal.stop()
    limit.stop()
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
      if (!kept) lease.lost.abort()
    } catch (error) {
      parts.log.warn({ err: error, job: lease.claimed.id }, 'a job lease could not be renewed')
    }
  }
  return parts.clock.every(Math.max(100, lease.leaseMs / 3), () => void renew())
}
