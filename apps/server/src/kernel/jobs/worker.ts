/**
 * Runs jobs: claims what is due in turn over the tenants, renews leases while it works, retries failures with growing,
 * jittered pauses and gives up after the kind's number of attempts. Each lane has slots of its own, so that long jobs
 * never keep quick ones waiting. A job whose worker died is taken over after its lease; a job may therefore run twice and
 * must bear it. Tested in worker.test.ts and long-work.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { type Lane, lanes } from '../base/lane.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import type { Faults } from '../faults/seams.ts'
import type { Kernel } from '../kernel.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { ChangeSource } from '../live/changes.ts'
import type { JobDeclaration } from '../module/module.ts'
import type { DeadJob, Notice } from '../notices/notices.ts'
import type { Meter } from '../observe/meter.ts'
import { takeOver } from './failed.ts'
import { type Claim, type ClaimedJob, cancelledTopic, claimJobs, silentJobs } from './queue.ts'
import { JobLost, runJob } from './run-job.ts'
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
  /** Jobs at a time in each lane; default 4 quick, 16 outside and 2 long ones. */
  readonly slots?: Partial<Readonly<Record<Lane, number>>>
  /** Where a job that was cancelled is announced; without it a worker learns of it when it renews its lease. */
  readonly changes?: Pick<ChangeSource, 'on'>
  /** Where faults are injected into attempts; default nowhere. */
  readonly faults?: Faults
  /** Told when a job has failed for good. */
  readonly died?: Notice<DeadJob>
}

/** Milliseconds by which a job of the near future may begin later than asked. */
const sharedMs = 100

export interface Worker extends Activity {
  /** Looks for work at the given Unix millisecond, now if it has passed. */
  wake(runAt: number): void
}

export function createWorker(parts: WorkerParts): Worker {
  const kinds = new Map(parts.jobs.map((job) => [job.declaration.kind, job]))
  const running = new Map<string, Held>()
  const slots: Readonly<Record<Lane, number>> = { ...defaultSlots, ...parts.slots }
  const stopping = { signal: new AbortController() }
  const servedLast = new Map<Lane, TenantId>()
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
    const lane = laneOf(registered)
    servedLast.set(lane, claimed.tenantId)
    const lost = new AbortController()
    const done = runJob(parts, registered, { claimed, stop: stopping.signal.signal, lost }).finally(() => {
      running.delete(claimed.id)
      loop.wake()
    })
    running.set(claimed.id, { tenantId: claimed.tenantId, kind: claimed.kind, lane, done, lost })
  }

  /** Jobs that were cancelled while a claim was on its way, which may have been theirs; null while there is none. */
  let missed: Set<string> | null = null
  const cancelled = (id: string): void => {
    const held = running.get(id)
    if (held === undefined) return void missed?.add(id)
    if (held.lost.signal.aborted) return
    parts.meter.count('job_cancelled_total')
    held.lost.abort(new JobLost('the job was cancelled'))
  }

  const loop = createLoop({
    name: 'job worker',
    clock: parts.clock,
    log: parts.log,
    everyMs: 1_000,
    run: async () => {
      const turns = lanes.flatMap((lane) => turnOf(lane) ?? [])
      const during = new Set<string>()
      missed = during
      const { silent, claimed } = await parts.db.system('job claim', async (tx) => ({
        silent: await silentJobs(tx),
        claimed: await Promise.all(turns.map((turn) => claimJobs(tx, turn))),
      }))
      missed = null
      claimed.flat().forEach(begin)
      during.forEach(cancelled)
      await takeOver(parts, kinds, silent)
      // A claim takes one job of each tenant, so a lane with room may have more.
      return claimed.some((some, at) => some.length > 0 && (turns[at]?.free ?? 0) > some.length)
    },
  })

  const turnOf = (lane: Lane): (Claim & { readonly free: number }) | null => {
    const jobs = parts.jobs.filter((job) => laneOf(job) === lane)
    const inLane = [...running.values()].filter((held) => held.lane === lane)
    const share = shareOf(
      slots[lane],
      jobs.map(({ declaration }) => declaration),
      inLane,
    )
    if (share === null) return null
    // From the first moment that of the kind: a process that dies before its first renewal is found out as soon.
    const leases = Object.fromEntries(jobs.map(({ declaration: { kind, leaseMs } }) => [kind, leaseMs]))
    const leaseMs = Math.max(...Object.values(leases))
    const after = servedLast.get(lane) ?? null
    const free = slots[lane] - inLane.length
    return { ...share, owner: parts.node, now: parts.clock.iso(), after, leaseMs, leases, free }
  }

  return {
    name: 'job worker',
    wake: (runAt) => {
      if (runAt <= parts.clock.now()) loop.wake()
      else arm(runAt)
    },
    start: async () => {
      stopping.signal = new AbortController()
      stopListening = parts.changes?.on(cancelledTopic, cancelled) ?? stopListening
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

const defaultSlots: Readonly<Record<Lane, number>> = { quick: 4, outside: 16, long: 2 }

function laneOf({ declaration }: RegisteredJob): Lane {
  return declaration.lane ?? 'quick'
}

interface Held extends Running {
  readonly lane: Lane
  readonly done: Promise<void>
  readonly lost: AbortController
}
