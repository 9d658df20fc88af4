/**
 * Runs jobs: claims what is due in turn over the tenants, renews leases while it works, retries failures with growing,
 * jittered pauses and gives up after the kind's number of attempts. A job whose worker died is taken over after its
 * lease; a job may therefore run twice and must bear it. Tested in worker.test.ts.
 */
import type { TenantId } from '../auth/actor.ts'
import type { ChangeSource } from '../crypto/changes.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import type { Clock, Kernel } from '../kernel.ts'
import type { Activity, JobDeclaration } from '../module.ts'
import type { DeadJob, Notice } from '../notices.ts'
import { keepTime } from './deadline.ts'
import { createLoop, type LoopLog } from './loop.ts'
import type { Meter } from './meter.ts'
import {
  type ClaimedJob,
  claimJobs,
  type Failure,
  failJob,
  finishJob,
  renewLease,
  reportProgress,
  silentJobs,
} from './queue.ts'
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
      await takeOverSilent(parts, kinds)
      const share = shareOf(slots, declared, [...running.values()])
      if (share === null) return false
      const request = { ...share, owner: parts.node, now: parts.clock.iso(), after: servedLast }
      // The first renewal sets the kind's own lease, at a third of it; until then the longest one holds.
      const leaseMs = Math.max(...parts.jobs.map((job) => job.declaration.leaseMs))
      const claimed = await parts.db.system('job claim', (tx) => claimJobs(tx, { ...request, leaseMs }))
      claimed.forEach(begin)
      return claimed.length > 0 && running.size < slots
    },
  })

  return {
    name: 'job worker',
    wake: (runAt) => {
      const wait = runAt - parts.clock.now()
      // Later ones are found by the poll, which comes every second.
      if (wait <= 0) loop.wake()
      else if (wait < 1_000) parts.clock.after(wait, () => loop.wake())
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

interface FailedRun {
  readonly declaration: JobDeclaration<unknown>
  readonly claimed: ClaimedJob
  readonly owner: string
  readonly error: unknown
  /** This process is ending: another one goes on at once. */
  readonly stopped: boolean
}

async function fail(parts: WorkerParts, failed: FailedRun): Promise<void> {
  const { declaration, claimed, error } = failed
  const last = !failed.stopped && claimed.attempt >= declaration.maxAttempts
  const text = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown failure'
  const pause = failed.stopped ? 0 : pauseMs(claimed.attempt, parts.random)
  const retryAt = last ? null : new Date(parts.clock.now() + pause).toISOString()
  const failure = { job: claimed, error: text, retryAt, now: parts.clock.iso() }
  if (last) await bury(parts, failed, failure)
  else await parts.db.system('job failure', (tx) => failJob(tx, failed.owner, failure))
  const facts = { err: error, kind: claimed.kind, job: claimed.id, tenant: claimed.tenantId, attempt: claimed.attempt }
  parts.meter.count(last ? 'job_dead_total' : 'job_retried_total')
  if (!last) return parts.log.warn(facts, 'a job failed and will be tried again')
  parts.log.error(facts, 'a job failed for good')
}

/** In a transaction of its tenant, where it can be told of. */
async function bury({ db, died }: WorkerParts, { claimed, owner, error }: FailedRun, failure: Failure): Promise<void> {
  const { id, kind, attempt: attempts, tenantId } = claimed
  await db.tenant({ tenantId }, async (tx) => {
    if (!(await failJob(tx, owner, failure))) return
    await died?.tell(tx, { id, kind, attempts, errorClass: error instanceof Error ? error.name : 'Unknown' })
  })
}

/** Full jitter over 2 s, 4 s, … 10 min, so that jobs that failed together do not come back together. */
function pauseMs(attempt: number, random: Pick<Random, 'fraction'>): number {
  const ceiling = Math.min(600_000, 1_000 * 2 ** attempt)
  return Math.round(ceiling / 2 + (random.fraction() * ceiling) / 2)
}

async function takeOverSilent(parts: WorkerParts, kinds: ReadonlyMap<string, RegisteredJob>): Promise<void> {
  const silent = await parts.db.system('job leases', (tx) => silentJobs(tx))
  for (const claimed of silent) {
    const declaration = kinds.get(claimed.kind)?.declaration
    if (declaration === undefined) continue
    const error = new Error('the worker fell silent')
    await fail(parts, { declaration, claimed, owner: claimed.owner, error, stopped: false })
  }
}
