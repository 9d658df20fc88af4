/**
 * Handles a job that failed or whose worker fell silent: it is tried again after a growing, jittered pause, or it
 * is dead after the kind's number of attempts and its watchers are told. Tested in worker.test.ts.
 */
import type { Random } from '../crypto/random.ts'
import type { JobDeclaration } from '../module/module.ts'
import { type ClaimedJob, type Failure, failJob, type SilentJob } from './queue.ts'
import type { RegisteredJob, WorkerParts } from './worker.ts'

export interface FailedRun {
  readonly declaration: JobDeclaration<unknown>
  readonly claimed: ClaimedJob
  readonly owner: string
  readonly error: unknown
  /** This process is ending: another one goes on at once. */
  readonly stopped: boolean
}

export async function fail(parts: WorkerParts, failed: FailedRun): Promise<void> {
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
  const { id, kind, payload, attempt: attempts, tenantId } = claimed
  await db.tenant({ tenantId }, async (tx) => {
    if (!(await failJob(tx, owner, failure))) return
    await died?.(tx, { id, kind, payload, attempts, errorClass: error instanceof Error ? error.name : 'Unknown' })
  })
}

/** Full jitter over 2 s, 4 s, … 10 min, so that jobs that failed together do not come back together. */
function pauseMs(attempt: number, random: Pick<Random, 'fraction'>): number {
  const ceiling = Math.min(600_000, 1_000 * 2 ** attempt)
  return Math.round(ceiling / 2 + (random.fraction() * ceiling) / 2)
}

/** A job of a worker that fell silent has failed, and is tried again like any other. */
export async function takeOver(
  parts: WorkerParts,
  kinds: ReadonlyMap<string, RegisteredJob>,
  silent: readonly SilentJob[],
): Promise<void> {
  for (const claimed of silent) {
    const declaration = kinds.get(claimed.kind)?.declaration
    if (declaration === undefined) continue
    const error = new Error('the worker fell silent')
    await fail(parts, { declaration, claimed, owner: claimed.owner, error, stopped: false })
  }
}
